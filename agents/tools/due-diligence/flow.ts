/**
 * The running text of a document: paragraphs without the line breaks, page numbers and rules of a printed page, so that a
 * sentence in a narrow column is one sentence. Positions are mapped back to the plain text of the document.
 */
import type { Document } from '../../document/document.ts';
import { type FoundAmount, findAmounts } from '../text/amounts.ts';
import { type FoundDate, findDates } from '../text/dates.ts';
import { type FoundDuration, findDurations } from '../text/durations.ts';
import { splitLines } from '../text/lines.ts';
import { type FoundPercent, findPercents } from '../text/percents.ts';
import { allWithin } from '../text/ranges.ts';
import { splitSentences } from '../text/sentences.ts';
import type { Range } from '../text/span.ts';
import { splitWords, type Word } from '../text/words.ts';
import { applyAmendments } from './amendments.ts';
import { cueWords } from './cue-words.ts';
import { withoutDraftingNotes } from './drafting-notes.ts';
import { hangingLabels } from './hanging-labels.ts';

export interface Sentence extends Range {
  readonly text: string;
  /** The label of its line or row, else the title above it. */
  readonly label: string;
  /** The title over it. */
  readonly title: string;
  readonly isItem: boolean;
  /** A row of a table with more than two columns. */
  readonly isRow: boolean;
  /** Index of its paragraph. */
  readonly paragraph: number;
  readonly opensParagraph: boolean;
  readonly isTitle: boolean;
}

export interface Flow {
  readonly text: string;
  readonly sentences: readonly Sentence[];
  /** Words that can begin a sentence. */
  readonly words: readonly Word[];
  readonly amounts: readonly FoundAmount[];
  readonly percents: readonly FoundPercent[];
  readonly durations: readonly FoundDuration[];
  readonly dates: readonly FoundDate[];
  /** The position in the plain text of the document. */
  placeOf(range: Range): Range;
}

/** Longer sentences are truncated: a term is never that far from its subject. */
const sentenceCharactersMax = 2_000;

const flows = new WeakMap<Document, Flow>();

export function flowOf(document: Document): Flow {
  const known = flows.get(document);
  if (known !== undefined) return known;
  const flow = buildFlow(document);
  flows.set(document, flow);
  return flow;
}

const pageMark =
  /^(?:[-=_*~.─—\s]{3,}|(?:[-–]\s{0,2})?\d{1,3}(?:\s{0,2}[-–])?|(?:page|seite|página|pagina|blad|strana)\s\d{1,4}(?:\s?(?:of|von|de|van|sur|\/)\s?\d{1,4})?)$/i;
const itemStart =
  /^(?:\[[xX ]?\]\s|[☐☑☒]\s|[-*•–▪◦‣]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]\s|\d{1,3}(?:\.\d{1,2}){1,4}\.?\s|\d{1,3}(?:\.\d{1,2}){0,4}\([a-z]{1,4}\)\s|§\s?\d|(?:article|artikel|artículo|clause|section|cláusula)\s\d)/i;
/** "31. März 2026" at the beginning of a line goes on with its sentence. */
const dayStart = /^\d{1,2}\.\s(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[kc]t|nov|de[zc])\p{L}{0,6}\.?\s\d{4}/iu;
/** "… within the meaning of / § 322 HGB". */
const referenceStart = /^(?:§{1,2}\s?\d|(?:article|artikel|artículo|clause|section|cláusula)\s\d)/i;
/** "SECTION 3.18 PRIVACY", "4. TAXES": a line in capitals that its text follows. */
const capitalHeading =
  /^(?:(?:SECTION|ARTICLE|ARTIKEL|ARTÍCULO|CLAUSE|CLÁUSULA|SCHEDULE|ANNEX|PART|§)\s)?(?:[\dIVX]{1,4}(?:\.\d{1,3}){0,3}\.?)\s{1,4}[\p{Lu}\d ,;:&/'’()-]{4,80}$/u;
const labelStart = /^\p{Lu}[\p{L}\d '’,/&()-]{2,44}:\s{1,40}\S/u;

/** "Liquidation   First pay …" above "Preference:   each share …": a label on two lines next to its text. */
const labelAbove = /^\s*(\p{Lu}[\p{L}-]{2,20}(?: [\p{L}-]{1,16}){0,2})(?:\t|\s{3,})(?=\S)/u;
const labelBelow = /^\s*([\p{L}-]{3,20}(?: [\p{L}-]{1,16}){0,2}):(?:\t|\s{2,})(?=\S)/u;

interface Paragraph {
  readonly lines: Range[];
  readonly isItem: boolean;
  readonly isRow: boolean;
  readonly label?: string;
}

/** A row of two cells that goes on with the row above: "Investor consent | … any change" over "matters | to the articles". */
function continuedLabel(
  text: string,
  open: Paragraph | undefined,
  { line, label }: { readonly line: Range; readonly label: string },
): Paragraph | undefined {
  const last = open?.lines.at(-1);
  const isOpen =
    last !== undefined && open?.label !== undefined && !/[.;:!?]$/.test(text.slice(last.start, last.end).trim());
  const isEnumerated = last !== undefined && text.slice(last.start, last.end).trim().endsWith(',');
  const runsOn = isEnumerated || (/^\p{Ll}/u.test(label) && /^\s*\p{Ll}/u.test(text.slice(line.start, line.end)));
  return isOpen && runsOn ? { ...open!, lines: [...open!.lines, line], label: `${open!.label} ${label}` } : undefined;
}

function paragraphsOf({ text, tables }: Pick<Document, 'text' | 'tables'>): Paragraph[] {
  const found: Paragraph[] = [];
  let open: Paragraph | undefined;
  let gap = true;
  let nextTable = 0;
  const lines = splitLines(text);
  const hanging = hangingLabels(text, lines);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    const shown = text.slice(line.start, Math.min(line.end, line.start + 120)).trim();
    if (shown === '') {
      gap = true;
      continue;
    }
    if (shown.length < 100 && pageMark.test(shown)) continue;
    while (nextTable < tables.length && tables[nextTable]!.end <= line.start) nextTable += 1;
    const table = tables[nextTable];
    const isRow = table !== undefined && table.start <= line.end && table.columns.length > 2;
    const last = open?.lines.at(-1);
    const before = last === undefined ? '.' : (text.slice(last.start, last.end).trimEnd().at(-1) ?? '.');
    const runsOn = gap
      ? /^\p{Ll}/u.test(shown) && /[\p{L},\d]/u.test(before)
      : !startsAnew(shown, before) && !isHeadingAbove(text, open);
    const paired = isRow ? undefined : pairedLabel(text, line, lines[index + 1]);
    const celled =
      table !== undefined && table.start <= line.start && !isRow && paired === undefined
        ? cellLabel(text, line)
        : undefined;
    const hung = isRow || celled !== undefined || paired !== undefined ? undefined : hanging.labelOf(line);
    const continued = celled === undefined ? undefined : continuedLabel(text, open, celled);
    if (continued !== undefined) {
      open = continued;
      found[found.length - 1] = open;
    } else if (celled !== undefined) {
      open = { lines: [celled.line], isItem: false, isRow: false, label: celled.label };
      found.push(open);
    } else if (hung !== undefined) {
      open = { lines: [hung.line], isItem: false, isRow: false, label: hung.label };
      found.push(open);
    } else if (!gap && open?.label !== undefined && hanging.continues(line)) {
      // An item in the second column has the label of its entry.
      if (itemStart.test(shown)) {
        open = { lines: [line], isItem: true, isRow: false, label: open.label };
        found.push(open);
      } else open.lines.push(line);
    } else if (paired !== undefined) {
      open = { lines: paired.lines, isItem: false, isRow: false, label: paired.label };
      found.push(open);
      index += 1;
    } else if (open === undefined || isRow || !runsOn) {
      open = { lines: [line], isItem: itemStart.test(shown), isRow };
      found.push(open);
    } else open.lines.push(line);
    gap = isRow;
  }
  return found;
}

function pairedLabel(
  text: string,
  line: Range,
  next: Range | undefined,
): { lines: Range[]; label: string } | undefined {
  if (next === undefined) return undefined;
  const above = labelAbove.exec(text.slice(line.start, Math.min(line.end, line.start + 90)));
  const below = above === null ? null : labelBelow.exec(text.slice(next.start, Math.min(next.end, next.start + 90)));
  if (above === null || below === null) return undefined;
  const lines = [
    { start: line.start + above[0].length, end: line.end },
    { start: next.start + below[0].length, end: next.end },
  ];
  return { lines, label: `${above[1]} ${below[1]}` };
}

/** A row of two cells: the first is the label of the second. */
function cellLabel(text: string, line: Range): { line: Range; label: string } | undefined {
  const tab = text.slice(line.start, Math.min(line.end, line.start + 90)).indexOf('\t');
  if (tab < 2 || line.start + tab + 1 >= line.end) return undefined;
  const label = text
    .slice(line.start, line.start + tab)
    .trim()
    .replace(/:$/, '');
  return /\p{L}{2}/u.test(label) ? { line: { start: line.start + tab + 1, end: line.end }, label } : undefined;
}

/** @param before the last character of the line above */
function startsAnew(shown: string, before: string): boolean {
  if (dayStart.test(shown) || (referenceStart.test(shown) && /[\p{Ll},(]/u.test(before))) return false;
  return itemStart.test(shown) || labelStart.test(shown);
}

function isHeadingAbove(text: string, open: Paragraph | undefined): boolean {
  const [only, second] = open?.lines ?? [];
  if (only === undefined || second !== undefined || only.end - only.start > 120) return false;
  return capitalHeading.test(text.slice(only.start, only.end).trim());
}

function buildFlow(document: Document): Flow {
  const shown = withoutDraftingNotes(applyAmendments(document.text));
  const parts: string[] = [];
  const starts: number[] = [];
  const sources: number[] = [];
  let length = 0;
  const ranges: FlowParagraph[] = [];
  const add = (piece: string, source: number) => {
    starts.push(length);
    sources.push(source);
    parts.push(piece);
    length += piece.length;
  };
  for (const { lines, isItem, isRow, label } of paragraphsOf({ text: shown, tables: document.tables })) {
    const start = length;
    for (const line of lines) {
      if (length > start) add(' ', line.start);
      for (const match of shown.slice(line.start, line.end).matchAll(/\S+/g)) {
        if (length > start && !parts.at(-1)!.endsWith(' ')) add(' ', line.start + match.index);
        add(match[0], line.start + match.index);
      }
    }
    const isWide = isRow && lines.some((line) => / {2}|\t/.test(shown.slice(line.start, line.end).trim()));
    ranges.push({ range: { start, end: length }, isItem, isRow, isWide, ...(label === undefined ? {} : { label }) });
    add('\n', lines.at(-1)!.end);
  }
  const text = parts.join('');
  const sourceAt = (at: number) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : sources[low - 1]! + Math.min(at - starts[low - 1]!, parts[low - 1]!.length);
  };
  const hint = { decimalMark: document.decimalMark };
  const sentences = sentencesOf(text, ranges);
  return {
    text,
    sentences,
    words: openedBy(sentences, cueWords(text)),
    amounts: findAmounts(text).filter(({ value }) => !value.startsWith('-') && !/^[0.]+$/.test(value)),
    percents: findPercents(text, hint).filter(({ value }) => !value.startsWith('-')),
    durations: findDurations(text, splitWords(text)),
    dates: findDates(text, splitWords(text), document.dateOrder),
    placeOf: ({ start, end }) => ({ start: sourceAt(start), end: Math.max(sourceAt(start), sourceAt(end - 1) + 1) }),
  };
}

function openedBy(sentences: readonly Range[], words: readonly Word[]): Word[] {
  let next = 0;
  return words.map((word) => {
    const opens = next < sentences.length && sentences[next]!.start <= word.start;
    while (next < sentences.length && sentences[next]!.start <= word.start) next += 1;
    return opens && !word.opens ? { ...word, opens } : word;
  });
}

interface FlowParagraph {
  readonly range: Range;
  /** A row with several cells: it is no title of the rows below it. */
  readonly isWide: boolean;
  readonly isItem: boolean;
  readonly isRow: boolean;
  readonly label?: string;
}

/** An item between others with the same kind of number is not a heading: "1. Issue of shares", "2. Loans". */
function isListed(text: string, paragraphs: readonly FlowParagraph[], index: number): boolean {
  const kindAt = (at: number) => {
    const each = paragraphs[at];
    const mark = each?.isItem
      ? /^\(?(?:(\d{1,3})|(\p{L}{1,4}))[.)]\s|^[-*•–▪]/u.exec(text.slice(each.range.start, each.range.start + 8))
      : null;
    return mark === null ? undefined : mark[1] !== undefined ? 'number' : mark[2] !== undefined ? 'letter' : 'bullet';
  };
  const own = kindAt(index);
  return own !== undefined && (kindAt(index - 1) === own || kindAt(index + 1) === own);
}

function sentencesOf(text: string, paragraphs: readonly FlowParagraph[]): Sentence[] {
  let title = '';
  return paragraphs.flatMap(({ range, isItem, isRow, isWide, label: paired }, paragraph) => {
    const shown = text.slice(range.start, range.end);
    const isTitle =
      !isWide &&
      paired === undefined &&
      !isListed(text, paragraphs, paragraph) &&
      shown.length <= 90 &&
      !/[.;,]$/.test(shown) &&
      !/:\s\S/.test(shown) &&
      /^[\p{Lu}\d§]/u.test(shown);
    const own =
      paired ??
      /^(?:[-*•–▪◦‣]\s)?(?:(?:§\s?|(?:[Aa]rticle|[Aa]rtikel|[Aa]rtículo|[Ss]ection|[Cc]lause)\s)?[\d.]{1,8}\s|\([a-z]{1,4}\)\s)?(\p{Lu}[^:.;]{2,48}?)(?::|\.(?=\s))/u.exec(
        shown.slice(0, 80),
      )?.[1];
    const over = title;
    if ((own === undefined || /:$/.test(shown)) && isTitle) title = shown.slice(0, 90);
    const label = own ?? title;
    const pieces = splitSentences(shown);
    // "3. Employee pool. Before closing …": the text begins behind its label.
    const isLabelFirst =
      own !== undefined &&
      pieces[0] !== undefined &&
      pieces[0].end - pieces[0].start <= own.length + 8 &&
      shown.slice(0, own.length + 8).includes(own);
    return pieces.map(({ start, end }, index) => ({
      start: range.start + start,
      end: range.start + Math.min(end, start + sentenceCharactersMax),
      text: shown.slice(start, Math.min(end, start + sentenceCharactersMax)),
      label,
      title: over,
      isItem,
      isRow,
      paragraph,
      opensParagraph: index === 0 || (index === 1 && isLabelFirst),
      isTitle,
    }));
  });
}

/** The given ranges that begin in a sentence, with their positions in it. */
export function within<Found extends Range>(
  list: readonly Found[],
  sentence: Range,
): (Found & { readonly at: number; readonly to: number })[] {
  return allWithin(list, sentence).map((each) => ({
    ...each,
    at: each.start - sentence.start,
    to: each.end - sentence.start,
  }));
}
