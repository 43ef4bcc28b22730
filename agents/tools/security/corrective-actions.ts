/** The corrective actions of a report: rows of a table of actions, or items of a list, with owner and due date. */
import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { isNumberedItem } from './numbered-items.ts';
import { findTopics, type TopicRange } from './report-topics.ts';

export interface CorrectiveAction extends Range {
  readonly task: string;
  readonly owner?: string;
  /** ISO 8601. */
  readonly due?: string;
}

type Column = 'task' | 'owner' | 'due' | 'status';

const columns: readonly (readonly [Column, RegExp])[] = [
  [
    'owner',
    /^(?:(?:action )?owners?|assignees?|assigned(?: to)?|responsible(?: (?:person|party|team))?|responsibility|lead|who|dri|team|verantwortlich\w*|zuständig\w*|bearbeiter\w*|wer|responsables?|porteur|pilote|assign[ée]e? à|qui|encargad[oa]|responsabil[ei]|eigenaar|verantwoordelijke?)$/iu,
  ],
  [
    'due',
    /^(?:due(?: date| by)?|dead ?line|target(?: date)?|eta|when|by when|by|completion(?: date)?|until|done by|completed(?: on| by)?|time ?frame|time ?line|date|termin|fällig\w*|frist|bis(?: wann)?|zieldatum|[ée]ch[ée]ances?|date(?: limite| cible| d['’][ée]ch[ée]ance| pr[ée]vue)?|d[ée]lai|plazo|fecha(?: l[ií]mite)?|vencimiento|scadenza|deadline|datum|streefdatum)$/iu,
  ],
  ['status', /^(?:status|state|progress|done|stand|statut|[ée]tat|avancement|estado|stato|voortgang)$/iu],
  [
    'task',
    /^(?:(?:corrective |follow[- ]?up |remedial |preventive )?(?:actions?|measures?|tasks?)(?: items?| taken| description)?|action items?|follow[- ]?ups?|items?|description|what|to-?do|improvements?|recommendations?|(?:folge|korrektur|abhilfe)?ma(?:ß|ss)nahmen?|aufgaben?|was|t[âa]ches?|actions? correctives?|mesures?(?: correctives?)?|quoi|acci[óo]n(?:es)?|tareas?|medidas?|azion[ei]|misur[ae]|acties?|maatregel(?:en)?)$/iu,
  ],
];

/** Rows of a form, and actions that will not be taken. */
const isTemplate = /^(?:example|beispiel|exemple|template|tbd|n\/?a|none|e\.g\.|\[|<|what\b.*form)/iu;
const isDropped =
  /(?<!\p{L})(?:entfällt|entfallen|cancell?ed|dropped|rejected|won['’]?t (?:do|fix)|superseded|withdrawn|merged into|aufgegangen|verworfen|annul[ée]e?|abandonn[ée]e?|sans objet|rejet[ée]e?|cancelad[oa]|descartad[oa]|annullat[oa]|vervallen)(?!\p{L})/iu;
const placeholder = /^(?:[-–—*]*|name|owner|tbd|n\/?a|yyyy.*|open|\?+|xx+)$/iu;

/** Ordered by position. */
export function findCorrectiveActions(document: Document): CorrectiveAction[] {
  const topics = findTopics(document);
  const fromTables = document.tables.flatMap((table) => rowsOf(document, table));
  const fromItems = topics.filter(({ topic }) => topic === 'actions').flatMap((range) => itemsOf(document, range));
  const fromBlocks = keyedActions(document);
  return [...fromTables, ...fromItems, ...fromBlocks].sort((a, b) => a.start - b.start);
}

const plain = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^(?:[*_`#@\s\p{So}]|\u{FE0F})+|[*_`\s]+$/gu, '')
    .trim();

function rowsOf(document: Document, table: Table): CorrectiveAction[] {
  const rows = fullRows(table);
  const headAt = rows.findIndex(
    (cells) => kindsOf(cells).has('task') && (kindsOf(cells).has('owner') || kindsOf(cells).has('due')),
  );
  if (headAt < 0) return [];
  const at = kindsOf(rows[headAt]!);
  // A chronology has the same columns, and a time in each row.
  if (rows.slice(headAt + 1).some((cells) => cells.some(({ text }) => /^\W{0,3}\d{1,2}[:h]\d\d/.test(text)))) return [];
  const found: CorrectiveAction[] = [];
  for (const cells of rows.slice(headAt + 1)) {
    const of = (column: Column) => {
      const cell = cells[at.get(column) ?? -1];
      return cell === undefined || cell.text.trim() === '' ? undefined : cell;
    };
    const task = of('task');
    const distinct = new Set(cells.filter(({ text }) => text.trim() !== ''));
    const rest = [...distinct];
    const last = found.at(-1);
    if (distinct.size === 1 && last !== undefined) {
      // A wrapped row: its only cell continues the cell above.
      const [cell] = rest;
      const due = dateIn(document, cell!);
      if (due !== undefined && last.due === undefined) found[found.length - 1] = { ...last, due, end: cell!.end };
      else if (cell === task && due === undefined && /^\p{Ll}/u.test(cell!.text))
        found[found.length - 1] = { ...last, task: `${last.task} ${plain(cell!.text)}`, end: cell!.end };
      continue;
    }
    if (task === undefined || isTemplate.test(plain(task.text))) continue;
    if (cells.some(({ text }) => isDropped.test(text))) continue;
    const owner = of('owner');
    const due = of('due');
    const [name, date] = [owner && plain(owner.text), due && dateIn(document, due)];
    const status = of('status');
    const done = date ?? (status && dateIn(document, status));
    const isNamed = name !== undefined && !placeholder.test(name);
    if (!isNamed && done === undefined && (owner !== undefined || due !== undefined)) continue;
    found.push({
      task: plain(task.text).slice(0, 300),
      ...(isNamed ? { owner: name.slice(0, 80) } : {}),
      ...(done === undefined ? {} : { due: done }),
      start: cells[0]!.start,
      end: cells.at(-1)!.end,
    });
  }
  return found;
}

function kindsOf(cells: readonly Cell[]): Map<Column, number> {
  const found = new Map<Column, number>();
  for (const [index, { text }] of cells.entries()) {
    const name = plain(text).replace(/[.:]$/, '');
    const kind = columns.find(([, pattern]) => pattern.test(name))?.[0];
    if (kind !== undefined && !found.has(kind)) found.set(kind, index);
  }
  return found;
}

function dateIn({ dates }: Document, range: Range): string | undefined {
  const found = allWithin(dates, range).filter(({ ambiguous, iso }) => !ambiguous && iso.length >= 10);
  return found.at(-1)?.iso.slice(0, 10);
}

const ownerShape =
  /(?:(?<!\p{L})(?:owner|assignee|assigned to|responsible|lead|dri|who|verantwortlich|zuständig|responsable|porteur|pilote|encargado|responsabile|eigenaar)\s{0,2}[:=]\s{0,2}|\bby\s(?=\p{Lu})|(?<!\w)@)(?<owner>[\p{L}][\p{L}.'’ -]{1,40}?)(?=$|[,;:()\]|]|\s[-–—]\s|\s(?:by|due|bis|fällig|avant|until|before)(?!\p{L})|\.\s|\.$)/iu;
const trailing =
  /(?:\s[-–—]\s|\s?\(|;\s|\s?\[|\s\|\s|,\s(?=(?:due|owner|by|bis|fällig)(?!\p{L}))|\.\s(?=(?:owner|due|assignee|verantwortlich|responsable)(?!\p{L}))).*$/isu;

/** "(Platform team, by 2026-04-15)", "– SRE – due 1 April": a part of few capitalised words next to a due date. */
function namedPart(written: string): string | undefined {
  const parts = written.split(/\s[-–—|]\s|[([]|[)\]]|,\s|;\s/).slice(1);
  return parts
    .map((part) => part.trim())
    .find(
      (part) =>
        /^\p{Lu}[\p{L}.'’&/-]*(?:\s[\p{L}.'’&/-]+){0,3}$/u.test(part) &&
        !/^(?:due|by|bis|open|done|status|todo|high|medium|low|p\d)(?!\p{L})/iu.test(part),
    );
}

/** "Dana Okafor: …", "Platform team: …"; "Circuit breaker implementation: …" is the title of an action. */
const leadingOwner =
  /^(?<owner>(?=[^:\n]{2,31}:)\p{Lu}[\p{L}.'’-]*(?: (?:\p{Lu}[\p{L}.'’-]*|and|und|et|von|van|de|da|di|team|squad|lead|leads|on-?call|ops)){0,4}):\s/u;

/** "Task: …", "Owner: …", "Due: …" on lines of their own, again for each action. */
function keyedActions(document: Document): CorrectiveAction[] {
  const { blocks, text } = document;
  const found: { task: string; owner?: string; due?: string; start: number; end: number }[] = [];
  let isOpen = false;
  for (const block of blocks) {
    if (block.kind !== 'field') {
      isOpen = false;
      continue;
    }
    const label = plain(text.slice(block.label.start, block.label.end)).replace(/[.:]$/, '');
    const value = plain(text.slice(block.value.start, block.value.end));
    const kind = columns.find(([, pattern]) => pattern.test(label))?.[0];
    const current = isOpen ? found.at(-1) : undefined;
    if (kind === 'task' && value.length >= 6) {
      isOpen = !isTemplate.test(value) && !isDropped.test(value);
      if (isOpen) found.push({ task: value.slice(0, 300), start: block.start, end: block.end });
    } else if (kind === 'owner' && current?.owner === undefined && !placeholder.test(value)) {
      if (current !== undefined) Object.assign(current, { owner: value.slice(0, 80), end: block.end });
    } else if (kind === 'due' && current?.due === undefined) {
      const due = dateIn(document, block.value);
      if (current !== undefined && due !== undefined) Object.assign(current, { due, end: block.end });
    } else if (kind === 'status' && current !== undefined && isDropped.test(value)) {
      found.pop();
      isOpen = false;
    }
  }
  // A task alone may be any line with a label.
  return found.filter(({ owner, due }) => owner !== undefined && due !== undefined);
}

function spacedActions(document: Document, { start, end }: Range): CorrectiveAction[] {
  const found: CorrectiveAction[] = [];
  for (let at = start; at < end; ) {
    const feed = document.text.indexOf('\n', at);
    const stop = feed === -1 || feed > end ? end : feed;
    const action = spacedAction(document, { start: at, end: stop });
    if (action !== undefined) found.push(action);
    at = stop + 1;
  }
  return found;
}

/** "1. Block the domain      Network team      done 07/05/2026": columns without headings. */
function spacedAction(document: Document, { start, end }: Range): CorrectiveAction | undefined {
  const line = document.text.slice(start, Math.min(end, start + 300));
  const parts = line
    .replace(/^\s*(?:[-*•–+▪◦‣]|\(?\w{1,3}[.)])\s{1,4}/, '')
    .trim()
    .split(/\t| {2,}/);
  if (parts.length < 2 || parts.length > 5) return undefined;
  const [task, ...rest] = parts.map((part) => part.trim());
  const due = dateIn(document, { start, end: start + line.length });
  const owner = rest.find((part) => /^\p{Lu}[\p{L} .,()&/'’-]{1,50}$/u.test(part) && !statusWords.test(part));
  if (due === undefined || owner === undefined || task === undefined || task.length < 6) return undefined;
  if (isDropped.test(line) || isTemplate.test(task)) return undefined;
  return { task: plain(task), owner, due, start, end: start + line.length };
}

const statusWords =
  /^(?:open|done|closed|in progress|planned|pending|offen|erledigt|in arbeit|en cours|fait|à faire|hecho|pendiente|fatto|in corso|gedaan|n\/?a)(?!\p{L})/iu;

/** "- [ ] Cap the pool size (owner: Dana, due 2026-08-28)". */
function itemsOf(document: Document, { start, end }: TopicRange): CorrectiveAction[] {
  const { blocks, text } = document;
  return blocks.flatMap((block, index): CorrectiveAction[] => {
    const listed = block.start >= start && block.start < end ? spacedActions(document, block) : [];
    if (listed.length > 0) return listed;
    const isItem = block.kind === 'item' || isNumberedItem(blocks, index);
    if (!isItem || block.start < start || block.start >= end) return [];
    const written = text
      .slice(block.start, Math.min(block.end, block.start + 800))
      .replace(/\s+/g, ' ')
      .replace(/^(?:[-*•–+▪◦‣]|\(?[\w]{1,3}[.)])\s(?:\[[ xX]\]\s)?/, '');
    if (isDropped.test(written) || isTemplate.test(written)) return [];
    const dated = allWithin(document.dates, block).filter(({ ambiguous, iso }) => !ambiguous && iso.length >= 10);
    const ownerAt = ownerShape.exec(written);
    const opened = leadingOwner.exec(written);
    // "Filtered by increased bills": only a capitalised name acts.
    const isName = ownerAt !== null && (!/^by\s/i.test(ownerAt[0]) || /^by\s\p{Lu}/u.test(ownerAt[0]));
    const owner =
      (isName ? ownerAt?.groups?.owner : undefined) ??
      opened?.groups?.owner ??
      (dated.length === 1 ? namedPart(written) : undefined);
    const body = opened !== null && ownerAt === null ? written.slice(opened[0].length) : written;
    const task = plain(body.replace(trailing, '').replace(/[.;]$/, ''));
    // An item that is only a link belongs to the one above.
    if (task.length < 6 || /^\S+:\/\/\S+$/.test(task)) return [];
    return [
      {
        task: task.slice(0, 300),
        ...(owner === undefined ? {} : { owner: plain(owner) }),
        ...(dated.length === 1 ? { due: dated[0]!.iso.slice(0, 10) } : {}),
        start: block.start,
        end: block.end,
      },
    ];
  });
}
