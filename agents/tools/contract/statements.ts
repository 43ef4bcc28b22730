/**
 * The statements of a contract: each sentence on one line, with the titles above it and, for a list item, the introductory
 * words of the list. Alternatives, drafting notes and suppositions ("Had the parties wished …") are omitted, because they state
 * nothing.
 */
import type { Document } from '../../document/document.ts';
import { fullRows } from '../../document/table.ts';
import type { FoundAmount } from '../text/amounts.ts';
import type { FoundDuration } from '../text/durations.ts';
import { lazily } from '../text/lazily.ts';
import { allWithin, indexAt } from '../text/ranges.ts';
import { splitSentences } from '../text/sentences.ts';
import type { Range } from '../text/span.ts';
import { changedClauses } from './changed-clauses.ts';
import { earlierMessages } from './earlier-messages.ts';

export interface Statement extends Range {
  /**
   * White space is a single blank, a table cell ends with "|", apostrophes are plain. Begins with the introduction of its list.
   */
  readonly text: string;
  /** Start of the statement's own words in `text`, after the introduction of its list. */
  readonly own: number;
  /** Titles of the enclosing sections, the outermost first, joined by " / ". */
  readonly titles: string;
  /** Converts an offset in `text` to the offset in the document. */
  sourceAt(at: number): number;
}

/** Longer sentences are cut. */
const statementCharactersMax = 1_500;
const leadCharactersMax = 400;
/** Maximum number of items below one introduction. */
const leadItemsMax = 30;

/** Larger tables list goods or people and state nothing. */
const rowsMax = 300;

function someAround(ranges: readonly Range[], position: number): boolean {
  const index = ranges.length === 0 ? undefined : indexAt(ranges, position);
  return index !== undefined && position < ranges[index]!.end;
}

const cache = new WeakMap<Document, readonly Statement[]>();

/** Ordered by position in the text. */
export function statementsOf(document: Document): readonly Statement[] {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const statements = buildStatements(document);
  cache.set(document, statements);
  return statements;
}

/** Statements that match a pattern of single words; limits what a finder examines in detail. */
export function relevant(document: Document, words: RegExp, max = 250): Statement[] {
  const found: Statement[] = [];
  for (const statement of statementsOf(document)) {
    if (!words.test(statement.text)) continue;
    found.push(statement);
    if (found.length >= max) break;
  }
  return found;
}

const itemMark = /^(?:\([a-zA-Z0-9]{1,4}\)|[a-z0-9]{1,2}\)|[ivx]{1,5}[.)]|[a-z]\.|[-*•–▪◦‣])[ \t]/;
/** A quotation of which the sentence says that it does not bind. */
const quotedAside =
  /["“„«][^"“”„»]{16,300}["”“»][^.;]{0,160}\b(?:(?:do|does|shall|will) not apply|(?:is|are) not (?:part of|agreed|binding)|(?:gilt|gelten) nicht|ne s'appliquent? pas|no se aplica|is niet van toepassing)/i;
/** "A proposal of five years was not accepted": terms that the parties did not agree. */
const rejected =
  /^(?:[\d.()a-z]{0,8} )?In (?:the|an?) (?:earlier |previous |first )?(?:draft|proposal) of\b|\b(?:proposal|suggestion|request|draft|vorschlag|entwurf|wunsch)\b[^.;]{0,140}\b(?:not (?:been )?(?:accepted|agreed|adopted|taken up)|(?:was|were|been) (?:rejected|declined|refused|withdrawn|dropped)|abgelehnt|verworfen|nicht (?:angenommen|übernommen|vereinbart)|zurückgezogen)\b/i;
const supposition =
  /^(?:\(?[\w.]{1,6}\)? )?(?:Had |Hätten? |Should the law )|\bwould have (?:applied|said)|\bmay ask (?:us )?for terms\b/;

function buildStatements(document: Document): Statement[] {
  const { text, sections } = document;
  const sentences = rejoined(document);
  const titles = titlesOf(document);
  const set = new Set(alternatives(text).flatMap((range) => allWithin(sentences, range).map(({ start }) => start)));
  const earlier = earlierMessages(document);
  const changed = changedClauses(document);
  const statements: Statement[] = [];
  let lead: { readonly flat: Flat; items: number } | undefined;
  const lists = document.tables.filter(({ rows }) => rows.length > rowsMax);
  const revised = revisionsOf(document);
  for (const sentence of sentences) {
    if (someAround(lists, sentence.start)) continue;
    const revision = revised.find(({ row }) => sentence.start >= row.start && sentence.start < row.end);
    if (revision !== undefined) {
      for (const range of revision.sentences) {
        const flat = flatten(text, range);
        const { start, end } = range;
        const sourceAt = (at: number) => placeAt(flat, at) ?? start;
        statements.push({ start, end, text: flat.text, own: 0, titles: revision.title, sourceAt });
      }
      lead = undefined;
      continue;
    }
    const flat = flatten(text, sentence);
    const isItem =
      itemMark.test(flat.text) ||
      /^\d{1,2}(?:\.\d{1,2}){1,3}[.)]? \p{Ll}|^\d{1,2}(?:\.\d{1,2}){2,3}[.)]? /u.test(flat.text);
    if (lead !== undefined && (!isItem || lead.items >= leadItemsMax)) lead = undefined;
    const isLeft =
      set.has(sentence.start) ||
      supposition.test(flat.text) ||
      quotedAside.test(flat.text) ||
      rejected.test(flat.text) ||
      someAround(earlier, sentence.start) ||
      changed.some(
        ({ start, end, replaced }) =>
          sentence.start >= start &&
          sentence.start < end &&
          (replaced === undefined || flat.text.includes(replaced.replaceAll(/\s+/g, ' '))),
      );
    if (!isLeft) {
      const section = indexAt(sections, sentence.start);
      const whole = lead === undefined ? flat : joinFlat(lead.flat, flat);
      statements.push({
        start: sentence.start,
        end: sentence.end,
        text: whole.text,
        own: whole.text.length - flat.text.length,
        titles: section === undefined ? '' : titles[section]!,
        sourceAt: (at) => placeAt(whole, at) ?? sentence.start,
      });
    }
    if (lead !== undefined) lead.items += 1;
    if (
      !isLeft &&
      !(isItem && lead !== undefined && !flat.text.endsWith(':')) &&
      /(?:[:—–]|\b(?:if|that|for|to|or|und|oder|wenn|bei))$/.test(flat.text)
    ) {
      const own = flat.text.length > leadCharactersMax ? undefined : flat;
      lead = own === undefined ? undefined : { flat: own, items: 0 };
    }
  }
  return statements;
}

interface Revision {
  readonly row: Range;
  readonly title: string;
  /** The sentences of the new text. */
  readonly sentences: readonly Range[];
}

const oldColumn =
  /(?<!\p{L})(?:before|old|previous|existing|superseded|original|for reference only|bisherig\p{L}*|alte\p{L}*|ancien\p{L}*|anterior|actuel\p{L}*|huidige|oude|precedente|dotychczasow\p{L}*|tidigare)(?!\p{L})/iu;
const newColumn =
  /(?<!\p{L})(?:new|amended|revised|replacement|text from|after|neue\p{L}*|geändert\p{L}*|nouve\p{L}*|nuev[ao]|nieuwe|gewijzigde|nuov[ao]|now\p{L}{1,2}|nova|novo|ny)(?!\p{L})/iu;

/** A table "clause | old text | new text": only the new text is agreed. */
function revisionsOf({ tables, text }: Document): Revision[] {
  return tables.flatMap((table) => {
    const rows = fullRows(table);
    const head = rows[0] ?? [];
    const before = head.findIndex(({ text: title }) => title.length < 90 && oldColumn.test(title));
    const after = head.findIndex(
      ({ text: title }, index) => index !== before && title.length < 90 && newColumn.test(title),
    );
    if (before < 0 || after < 0 || rows.length > rowsMax) return [];
    return rows.map((cells, index): Revision => {
      const cell = cells[after]!;
      const label = cells.slice(0, Math.min(before, after)).findLast(({ text: shown }) => /\p{L}/u.test(shown));
      const sentences =
        index === 0 || cell.text === ''
          ? []
          : splitSentences(text.slice(cell.start, cell.end)).map(({ start, end }) => ({
              start: start + cell.start,
              end: end + cell.start,
            }));
      const filled = cells.filter(({ text: shown }) => shown !== '');
      const row = { start: filled[0]?.start ?? cell.start, end: filled.at(-1)?.end ?? cell.end };
      return { row, title: label?.text ?? '', sentences };
    });
  });
}

/**
 * Joins what belongs to one sentence: a mark and its item ("a. if the other party …"), and "within thirty
 * (30) days", "under
 * § 247": a line that looks like a list item but continues the sentence.
 */
function rejoined({ text, sentences, blocks }: Document): Range[] {
  const joined: Range[] = [];
  for (const sentence of sentences) {
    const last = joined.at(-1);
    const between = last === undefined ? '' : text.slice(last.end, Math.min(sentence.start, last.end + 80));
    const isMark =
      last !== undefined &&
      last.end - last.start <= 6 &&
      /^\(?(?:[a-z]|[ivx]{1,4})[.)]$/.test(text.slice(last.start, last.end)) &&
      !between.includes('\n');
    const goesOn =
      last !== undefined &&
      /^[ \t\r]*\n[ \t]*$/.test(between) &&
      !/[.:;!?)|]$/.test(text.slice(last.end - 1, last.end)) &&
      /^(?:§|\(?\d{1,3}\)[ \n]\p{Ll}|\d{1,3}[.)]?[ \n]\p{Ll})/u.test(text.slice(sentence.start, sentence.start + 12)) &&
      indexAt(blocks, last.start) === indexAt(blocks, sentence.start);
    if (goesOn || isMark) joined[joined.length - 1] = { start: last.start, end: sentence.end };
    else joined.push(sentence);
  }
  return joined;
}

interface Flat {
  readonly text: string;
  /** The offset of each character in the document; few statements need them. */
  places(): readonly number[];
}

function placeAt(flat: Flat, at: number): number | undefined {
  const places = flat.places();
  return places[Math.min(at, places.length - 1)];
}

function flatten(text: string, range: Range): Flat {
  const places = lazily(() => {
    const found: number[] = [];
    flatText(text, range, found);
    return found;
  });
  return { text: flatText(text, range).trimEnd(), places };
}

/** @param places receives the offset of each character of the result */
function flatText(text: string, { start, end }: Range, places?: number[]): string {
  let flat = '';
  for (let at = start; at < end && flat.length < statementCharactersMax; at += 1) {
    const until = endOfAscii(text, at, Math.min(end, at + statementCharactersMax - flat.length));
    if (until > at) {
      flat += text.slice(at, until);
      if (places !== undefined) for (let each = at; each < until; each += 1) places.push(each);
      at = until - 1;
      continue;
    }
    let character = text[at]!;
    if (character === '\t') character = '|';
    else if (/\s/.test(character)) character = ' ';
    else if (character === '’' || character === '‘') character = "'";
    if (character === ' ' && (flat === '' || flat.endsWith(' '))) continue;
    // "Arbeits-\nverhältnis" is one word.
    if (character === ' ' && flat.endsWith('-') && /^\s{1,40}\p{Ll}/u.test(text.slice(at, at + 42))) {
      if (/[\n\r]/.test(text.slice(at, at + 40).match(/^\s+/)?.[0] ?? '')) {
        flat = flat.slice(0, -1);
        places?.pop();
        while (at + 1 < end && /\s/.test(text[at + 1]!)) at += 1;
        continue;
      }
    }
    flat += character;
    places?.push(at);
  }
  return flat;
}

/** The end of the ASCII letters, digits and signs from here; most of a text is copied in such runs. */
function endOfAscii(text: string, from: number, end: number): number {
  let at = from;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f) break;
  }
  return at;
}

function joinFlat(lead: Flat, own: Flat): Flat {
  const places = lazily(() => {
    const ownPlaces = own.places();
    return [...lead.places().slice(0, lead.text.length), ownPlaces[0] ?? 0, ...ownPlaces];
  });
  return { text: `${lead.text} ${own.text}`, places };
}

/** For each section, its title and those of its parent sections. */
function titlesOf({ sections }: Document): string[] {
  const path: { level: number; title: string }[] = [];
  return sections.map(({ level, title, number }) => {
    while (path.length > 0 && path.at(-1)!.level >= level) path.pop();
    // A paragraph without a title belongs to the enclosing clause.
    if (title !== '' || number === undefined) path.push({ level, title });
    return path
      .slice(-4)
      .map((each) => each.title)
      .filter(Boolean)
      .join(' / ');
  });
}

/** "[ALTERNATIVE …: …]", "[Drafting note: …]": offered or meant for the drafter, not agreed. */
export function alternatives(text: string): Range[] {
  return [
    ...text.matchAll(
      /\[(?:ALTERNATIVE|Alternative|OPTION|Option|DRAFTING|Drafting|NOTE|Note|GUIDANCE|Guidance|COMMENT|Comment|Hinweis|Alternativ|Anmerkung)\b[^[\]]{0,1500}\]/g,
    ),
  ].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** A value of the document model with its position in the text of a statement. */
export type Placed<Value> = Value & { readonly at: number; readonly until: number };

export function durationsIn(document: Document, statement: Statement): Placed<FoundDuration>[] {
  return placedIn(document.durations, statement);
}

export function amountsIn(document: Document, statement: Statement): Placed<FoundAmount>[] {
  return placedIn(document.amounts, statement);
}

/** Values within a statement, including the introduction of its list. */
export function placedIn<Value extends Range>(values: readonly Value[], statement: Statement): Placed<Value>[] {
  const from = statement.sourceAt(0);
  const leadEnd = statement.own === 0 ? from : statement.sourceAt(statement.own - 2) + 1;
  const own = allWithin(values, statement);
  const led = statement.own === 0 ? [] : allWithin(values, { start: from, end: leadEnd });
  return [...led, ...own].flatMap((value) => {
    const at = offsetOf(statement, value.start);
    return at === undefined ? [] : [{ ...value, at, until: (offsetOf(statement, value.end - 1) ?? at) + 1 }];
  });
}

/** Converts an offset in the document to the offset in the statement's text. */
export function offsetOf(statement: Statement, position: number): number | undefined {
  let low = position >= statement.start ? statement.own : 0;
  let high = statement.text.length - 1;
  if (low > high) return undefined;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (statement.sourceAt(middle) <= position) low = middle;
    else high = middle - 1;
  }
  return Math.abs(statement.sourceAt(low) - position) <= 200 ? low : undefined;
}

/** Returns the statement at a position of the document. */
export function statementAt(document: Document, position: number): Statement | undefined {
  const statements = statementsOf(document);
  const index = indexAt(statements, position);
  const found = index === undefined ? undefined : statements[index];
  return found !== undefined && position < found.end ? found : undefined;
}
