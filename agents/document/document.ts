/**
 * The document model that all tools read: plain text, blocks, and the words, sentences, sections, amounts and dates in them, each
 * computed on first use. Offsets are those of the plain text; `spanOf` gives the caller's.
 */
import { type FoundAmount, findAmounts } from '../tools/text/amounts.ts';
import { type DateOrder, decideDateOrder, type FoundDate, findDates } from '../tools/text/dates.ts';
import { type FoundDuration, findDurations } from '../tools/text/durations.ts';
import { guessDecimalMark } from '../tools/text/numbers.ts';
import { type FoundPercent, findPercents } from '../tools/text/percents.ts';
import { indexAt } from '../tools/text/ranges.ts';
import { splitSentences } from '../tools/text/sentences.ts';
import type { Range, Span } from '../tools/text/span.ts';
import { splitWords, type Word } from '../tools/text/words.ts';
import { type Block, buildBlocks } from './blocks.ts';
import { type Section, sectionsOf } from './headings.ts';
import { isHtml, parseHtml } from './html-parser.ts';
import { readInlineXbrl, type TaggedNumber } from './inline-xbrl.ts';
import { withoutLabelMarks } from './label-marks.ts';
import { blankPositions } from './positions.ts';
import { acceptChanges } from './redline.ts';
import type { Table } from './table.ts';
import { parseText } from './text-parser.ts';
import { blankUnticked } from './tick-boxes.ts';
import { blankUnasserted } from './unasserted.ts';

export interface Document {
  readonly message: number;
  /**
   * The text as a reader sees it: without Markdown or HTML markup; a table has one line per row and tabs between cells. Statements
   * that do not hold, such as a quoted draft, are blanks.
   */
  readonly text: string;
  /** Ordered by position in the text, without overlaps. */
  readonly blocks: readonly Block[];
  /** Adjacent lines behind ">", as in an answer to an e-mail. */
  readonly quotations: readonly Range[];
  readonly tables: readonly Table[];
  /** Each table cell starts a new sentence. */
  readonly words: readonly Word[];
  /** Phrases do not cross list items, table rows or log lines. */
  readonly sentences: readonly Range[];
  readonly sections: readonly Section[];
  /** Undefined if the text does not determine it. */
  readonly decimalMark: '.' | ',' | undefined;
  /** The order of day and month in the whole document; undefined if no date determines it. */
  readonly dateOrder: DateOrder | undefined;
  readonly amounts: readonly FoundAmount[];
  readonly percents: readonly FoundPercent[];
  readonly dates: readonly FoundDate[];
  readonly durations: readonly FoundDuration[];
  /**
   * The elements of inline XBRL around the only number that a range of the plain text contains, the outermost first; none in other
   * formats.
   */
  taggedNumbers(range: Range): readonly TaggedNumber[];
  /** Converts a range of the plain text to the caller's offsets. */
  spanOf(range: Range): Span;
}

/** The text as the caller sent it. */
export interface DocumentSource {
  readonly message: number;
  readonly text: string;
}

/** The tools of an agent read the same documents in turn, so parsed documents are cached. */
const documents = new WeakMap<DocumentSource, Document>();

/** @returns the same document for the same object; callers must not modify the object */
export function readDocument(source: DocumentSource): Document {
  const known = documents.get(source);
  if (known !== undefined) return known;
  const document = parseDocument(source);
  documents.set(source, document);
  return document;
}

/** HTML and Markdown are parsed up to this length; requests are shorter. */
export function parseDocument({ message, text: given }: DocumentSource): Document {
  const isMarkup = isHtml(given);
  const ticked = isMarkup ? given : blankUnticked(given);
  const unmarked = withoutLabelMarks(ticked);
  const source = unmarked?.toString() ?? ticked;
  const parts = isMarkup ? parseHtml(source) : parseText(source);
  const { plain, text: shown, blocks, quotations } = buildBlocks(source, parts);
  const text = blankUnasserted(acceptChanges(blankPositions(shown, blocks)));
  const starts = once(() => startsOf(blocks));
  const words = once(() => wordsOf(text, starts()));
  const dateOrder = once(() => decideDateOrder(text));
  const lists = {
    tables: once(() => blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []))),
    words,
    sentences: once(() => sentencesOf(text, blocks)),
    sections: once(() =>
      sectionsOf(
        text.length,
        blocks.flatMap((block) => (block.kind === 'heading' ? [block.heading] : [])),
        blocks[0]?.start,
      ),
    ),
    decimalMark: once(() => guessDecimalMark([text])),
    dateOrder,
    amounts: once(() => findAmounts(text)),
    percents: once(() => findPercents(text)),
    dates: once(() => inOnePart(findDates(text, words(), dateOrder()), starts())),
    durations: once(() => findDurations(text, words())),
  };
  const spanOf = (range: Range) => {
    const span = plain.sourceOf(range);
    return { message, ...(unmarked?.sourceOf(span) ?? span) };
  };
  const tagged = once(() => (isMarkup ? readInlineXbrl(given) : undefined));
  const document = {
    message,
    text,
    blocks,
    quotations,
    spanOf,
    taggedNumbers: (range: Range) => tagged()?.(spanOf(range)) ?? [],
  };
  for (const [name, get] of Object.entries(lists)) Object.defineProperty(document, name, { get, enumerable: true });
  return document as unknown as Document;
}

/** The sentence around a position; an empty range if there is none. */
export function sentenceAt(document: Pick<Document, 'sentences'>, position: number): Range {
  const index = indexAt(document.sentences, position);
  return index === undefined ? { start: position, end: position } : document.sentences[index]!;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Where the blocks and the cells of tables begin, in order. */
function startsOf(blocks: readonly Block[]): number[] {
  return blocks
    .flatMap((block): (Range | undefined)[] =>
      block.kind === 'table'
        ? [...block.table.headerRows.flat(), ...block.table.rows.flatMap(({ cells }) => cells)]
        : [block],
    )
    .flatMap((range) => (range === undefined ? [] : [range.start]))
    .sort((a, b) => a - b);
}

/** Each block and each table cell begins a new sentence, so that no phrase spans two of them. */
function wordsOf(text: string, starts: readonly number[]): Word[] {
  let next = 0;
  return splitWords(text).map((word) => {
    const begins = next < starts.length && starts[next]! <= word.start;
    while (next < starts.length && starts[next]! <= word.start) next += 1;
    return begins && !word.opens ? { ...word, opens: true } : word;
  });
}

/** "Sept. 27,   Sept. 28," above "2025   2024": the last day of one row and the first year of the next are no date. */
function inOnePart<Found extends Range>(found: readonly Found[], starts: readonly number[]): Found[] {
  let next = 0;
  return found.filter(({ start, end }) => {
    while (next < starts.length && starts[next]! <= start) next += 1;
    return next >= starts.length || starts[next]! >= end;
  });
}

function sentencesOf(text: string, blocks: readonly Block[]): Range[] {
  return blocks.flatMap((block): Range[] => {
    if (block.kind === 'table')
      return [...block.table.headerRows.map(rangeOfCells), ...block.table.rows].map(({ start, end }) => ({
        start,
        end,
      }));
    if (block.kind === 'line') return [{ start: block.start, end: block.end }];
    return splitSentences(text.slice(block.start, block.end)).map(({ start, end }) => ({
      start: start + block.start,
      end: end + block.start,
    }));
  });
}

function rangeOfCells(cells: readonly Range[]): Range {
  return { start: cells[0]!.start, end: cells.at(-1)!.end };
}
