/** Dates in tables with an act in each row, and in the data of an act: entry into force, application, transposition. */
import type { FoundDate } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { ActDate } from './act-date.ts';
import { delayOf } from './delays.ts';
import { columnOf, type LawColumn, type LawRow, lawRows } from './law-tables.ts';
import type { LawText } from './read-law.ts';
import type { ResolvedArticle } from './resolve-act.ts';
import { topicAt } from './topics.ts';

export function tableDates(law: LawText, dates: readonly FoundDate[]): ActDate[] {
  const found = lawRows(law).flatMap((row): ActDate[] => {
    const act = row.act ?? ofPart(law, row);
    if (act === undefined) return [];
    return row.cells.flatMap((cell): ActDate[] => {
      if (cell.column === 'partial application') return partDates(law, act, cell, dates);
      const [date, ...others] = allWithin(dates, cell);
      const column = cell.column === 'from' ? columnOfRow(law, row, cell) : cell.column;
      const step = column === undefined ? undefined : stepOf(column, act);
      if (step === undefined || date === undefined || others.length > 0) return [];
      const [part, ...more] = allWithin(law.articles, row).filter(({ kind }) => kind === 'article');
      const at = { act, date: date.iso, start: date.start, end: date.end };
      // The row is of one article of the act: its date is no date of the whole.
      const isOfPart = part !== undefined && more.length === 0 && part.end <= cell.start;
      if (step.kind === 'application' && isOfPart) return [{ kind: 'application', ...at, article: nameOf(part) }];
      return [{ ...step, ...at }];
    });
  });
  return [...found, ...labelledDates(law, dates)];
}

/** A row that begins with an article, in a document about one act. */
function ofPart(law: LawText, { start, end, isProposal }: LawRow): string | undefined {
  const { flat, kind, articles, mentions } = law;
  if (isProposal || allWithin(mentions, { start, end }).length > 0) return undefined;
  const [first] = allWithin(articles, { start, end });
  return first !== undefined && flat.text.slice(start, first.start).trim() === ''
    ? (kind.about ?? topicAt(law, start))
    : undefined;
}

/** An application that is made is another one. */
const appliesInRow =
  /^(?:(?:general|full|date of|start of|allgemeine|volle|beginn der|date d'|mise en|fecha de|inicio de la|data di|inizio dell'|algemene|ogólne) ?)?(?:applies|application|applicable|anwendung|anwendbar|gilt|geltung|applicable|aplicación|se aplica|applicazione|si applica|toepassing|van toepassing|stosowanie|aplicação|tillämpning|anvendelse)(?!\p{L})(?! (?:for|by|form|fee|pour|para|per|voor))/iu;

/** Under "From", the row says what begins: "General application of the Regulation", or an article, which then applies. */
function columnOfRow(law: LawText, row: LawRow, cell: Range): LawColumn | undefined {
  const said = law.flat.text.slice(row.start, cell.start).trim();
  const [first] = allWithin(law.articles, { start: row.start, end: cell.start });
  const column = columnOf(said);
  if (column === 'entry into force') return column;
  if (column === 'application' || appliesInRow.test(said)) return 'application';
  return column === undefined && first?.start === row.start ? 'application' : undefined;
}

/** "Art. 5 and 11: 14.02.2028; Art. 9: 1.1.2029": the articles before each date. */
function partDates({ articles }: LawText, act: string, cell: Range, dates: readonly FoundDate[]): ActDate[] {
  let from = cell.start;
  return allWithin(dates, cell).flatMap((date): ActDate[] => {
    const parts = allWithin(articles, { start: from, end: date.start }).filter(({ kind }) => kind === 'article');
    from = date.end;
    return parts.map((part) => ({
      kind: 'application',
      act,
      date: date.iso,
      start: date.start,
      end: date.end,
      article: nameOf(part),
    }));
  });
}

function nameOf({ number, until, paragraph, normalised }: ResolvedArticle): NonNullable<ActDate['article']> {
  return {
    number,
    normalised,
    ...(until === undefined ? {} : { until }),
    ...(paragraph === undefined ? {} : { paragraph }),
  };
}

/** "Date of entry into force: 24/12/2025; …" in the data of an act, or "Date of effect: 10/09/2026; Entry into force Date pub. +20". */
function labelledDates(law: LawText, dates: readonly FoundDate[]): ActDate[] {
  const { flat, kind } = law;
  const act = kind.about;
  if (act === undefined) return [];
  return flat.blocks.flatMap((block, index): ActDate[] => {
    const [first, second] = block.cells;
    const shown = flat.text.slice(block.start, Math.min(block.end, block.start + 80));
    const length = first === undefined ? shown.search(/ ?:(?:\s|$)/) : first.end - first.start;
    if (length < 4 || length > 60 || (first !== undefined && second === undefined)) return [];
    // The value of a list of definitions stands in the block below its term.
    const isTerm = first === undefined && block.end - block.start <= length + 2;
    const end = second?.end ?? (isTerm ? flat.blocks[index + 1]?.end : undefined) ?? block.end;
    const [date] = allWithin(dates, { start: block.start + length, end });
    if (date === undefined || date.iso.startsWith('9999')) return [];
    const label = shown.slice(0, length);
    const said = /^ ?[;,(–-] ?([^;]{3,60})/u.exec(flat.text.slice(date.end, Math.min(end, date.end + 70)))?.[1] ?? '';
    const column = columnOf(label) ?? columnOf(said);
    const at = { act, date: date.iso, start: date.start, end: date.end };
    if (column === 'partial application') {
      const parts = allWithin(law.articles, { start: date.end, end: date.end + seeAlso(flat.text, date.end, end) });
      return parts.map((part) => ({ kind: 'application', ...at, article: nameOf(part) }));
    }
    const step = column === undefined ? undefined : stepOf(column, act);
    if (step === undefined) return [];
    const counted =
      step.kind === 'entry into force' ? /\+ ?(\d{1,2})(?!\d)/.exec(flat.text.slice(date.end, end))?.[1] : undefined;
    const delay =
      counted === undefined
        ? delayOf(flat.text.slice(date.end, end))
        : { count: Number(counted), unit: 'day' as const };
    return [{ ...step, ...at, ...(step.kind === 'entry into force' && delay !== undefined ? { delay } : {}) }];
  });
}

/** Characters up to "See Art. 31", the article that says it. */
function seeAlso(text: string, from: number, to: number): number {
  const rest = text.slice(from, to);
  const at = rest.search(/(?<!\p{L})(?:see|siehe|voir|véase|ver|vedi|zie|zob|viz)(?!\p{L})/iu);
  return at === -1 ? rest.length : at;
}

/** Of a directive, the date of application is that of the measures of the Member States. */
function stepOf(column: LawColumn, act: string): Pick<ActDate, 'kind' | 'step' | 'scope'> | undefined {
  const isDirective = /^3\d{4}L/.test(act);
  if (column === 'entry into force') return { kind: 'entry into force' };
  if (column === 'transposition') return isDirective ? { kind: 'transposition', step: 'transpose' } : undefined;
  if (column === 'measures') return isDirective ? { kind: 'transposition', step: 'apply' } : undefined;
  if (column !== 'application') return undefined;
  return isDirective ? { kind: 'transposition', step: 'apply' } : { kind: 'application', scope: 'whole' };
}
