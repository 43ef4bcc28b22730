/** One statement line as a label and its number cells, separated by bars, tabs, semicolons, commas, blanks or dots. */
import { findNumbers, parseNumber } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import { parseRational, type Rational, zero } from './rational.ts';
import { remembered } from './remembered.ts';

/** A cell and its amount. */
export interface AmountCell extends Range {
  readonly text: string;
  /** Absent if the cell is not an amount: a percentage, a word, or empty. */
  readonly value?: Rational;
}

export interface Row {
  readonly label: string;
  readonly cells: readonly AmountCell[];
  /** Whether separators other than single blanks divide the cells, so that their order is certain. */
  readonly divided: boolean;
}

/** Longer lines are prose. */
export const rowCharactersMax = 1_000;

type DecimalMark = '.' | ',' | undefined;

/** @param line without its line break · @param at its start in the text · @returns undefined if it has no cells */
export function readRow(line: string, at: number, decimalMark: DecimalMark): Row | undefined {
  if (line.length > rowCharactersMax) return undefined;
  const pieces = divide(line);
  if (pieces.length > 1) {
    const [label, ...rest] = pieces;
    const cells = rest.map((piece) => toCell(line, piece, at, decimalMark));
    const bar = line.includes('|') || line.includes('\t') || line.includes(';');
    // "Trade receivables 1,510.8     1,902.4": only the second amount follows a gap.
    if (!bar && /[ \u00a0][-(]?\d[\d.,'’]{2,20}\)?$/.test(line.slice(label!.start, label!.end)))
      return undivided(line, at, decimalMark);
    if (
      bar ||
      cells.every(({ value, text }) => value !== undefined || text === '' || /%$|^[\p{L} ]{1,20}$/u.test(text))
    ) {
      return { label: unquote(line.slice(label!.start, label!.end)), cells, divided: true };
    }
  }
  return undivided(line, at, decimalMark);
}

/** The trimmed parts between separators; the outer bars of a table produce none. */
function divide(line: string): Range[] {
  if (line.includes('|'))
    return outerCut(
      line,
      split(line, (at) => line[at] === '|'),
    );
  if (line.includes('\t'))
    return outerCut(
      line,
      split(line, (at) => line[at] === '\t'),
    );
  if (line.includes(';')) return split(line, (at) => line[at] === ';');
  if (line.includes('","')) return splitQuoted(line);
  if (/^[\p{L} &/'()-]{2,80}(?:,-?\d{0,15}(?:\.\d{1,6})?){1,12}$/u.test(line))
    return split(line, (at) => line[at] === ',');
  return splitAtGaps(line);
}

function split(line: string, divides: (at: number) => boolean): Range[] {
  const parts: Range[] = [];
  let start = 0;
  for (let at = 0; at <= line.length; at += 1) {
    if (at < line.length && !divides(at)) continue;
    parts.push(trimmed(line, start, at));
    start = at + 1;
  }
  return parts;
}

function outerCut(line: string, parts: Range[]): Range[] {
  const isEmpty = (part: Range | undefined) => part !== undefined && part.start === part.end;
  const from = line.trimStart().startsWith('|') && isEmpty(parts[0]) ? 1 : 0;
  return parts.slice(from, line.trimEnd().endsWith('|') && isEmpty(parts.at(-1)) ? -1 : undefined);
}

function splitQuoted(line: string): Range[] {
  let inside = false;
  return split(line, (at) => {
    if (line[at] === '"') inside = !inside;
    return line[at] === ',' && !inside;
  });
}

/** Splits at two or more blanks, or three or more dots. */
function splitAtGaps(line: string): Range[] {
  const parts: Range[] = [];
  let start = 0;
  for (const gap of line.matchAll(/(?:[ \u00a0]*\.{3,}[ \u00a0.]*)|[ \u00a0]{2,}/g)) {
    if (gap.index > start) parts.push(trimmed(line, start, gap.index));
    start = gap.index + gap[0].length;
  }
  if (start < line.length) parts.push(trimmed(line, start, line.length));
  return parts;
}

/** "Revenue 1,234 1,100": the label ends where the first number begins. */
function undivided(line: string, at: number, decimalMark: DecimalMark): Row | undefined {
  const numbers = findNumbers(line, { decimalMark });
  const [first] = numbers;
  if (first === undefined || !/\p{L}/u.test(line.slice(0, first.start))) return undefined;
  const label = line.slice(0, first.start);
  const cells = numbers.map(({ start, end, value }): AmountCell => {
    const rational = parseRational(value);
    const isPercent = /^[ \u00a0]?%/.test(line.slice(end, end + 2));
    return {
      start: at + start,
      end: at + end,
      text: line.slice(start, end),
      ...(rational === undefined || isPercent ? {} : { value: rational }),
    };
  });
  return { label, cells, divided: false };
}

/** Parses a table cell of a document as an amount. */
export function amountCell(
  { text, start, end }: Range & { readonly text: string },
  decimalMark: DecimalMark,
): AmountCell {
  const value = amountOf(text, decimalMark);
  return { start, end, text, ...(value === undefined ? {} : { value }) };
}

/** A dash alone, perhaps after a currency: nil in a formula, but no printed number. */
export function isDash(text: string): boolean {
  return /^[-–—]$/u.test(text.replace(currencyShape, '').trim());
}

/** "2024" alone is a period, and an amount only if its column says so. */
export function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text.trim());
}

function toCell(line: string, { start, end }: Range, at: number, decimalMark: DecimalMark): AmountCell {
  const text = unquote(line.slice(start, end));
  const value = amountOf(text, decimalMark);
  return { start: at + start, end: at + end, text, ...(value === undefined ? {} : { value }) };
}

const currencyShape =
  /(?:US\$|C\$|CA\$|Cdn\$|[€$£¥￥]|(?<!\p{L})(?:EUR|USD|GBP|CHF|CAD|JPY|Fr\.|SFr\.?|CZK|PLN|HUF|SEK|NOK|DKK|RON|TEUR|Kč|kr)(?!\p{L}))/gu;

/** "£612.4m", "EUR 12 million", "20.3p" */
export const amountWithUnit =
  /^[^\d(]{0,4}(?:EUR|USD|GBP|CHF|CAD|SEK)?\s?\(?\d[\d.,'’ ]{0,15}\s?(?:m|mn|bn|k|p|pence|million|billion|thousand|mio|mrd|mln|mld|milioni|millones|millions|miljoen|miljoner|tsd|tkr|mkr|msek|tusen)\.?(?: ?(?:€|euros?|EUR|USD|GBP|CHF|SEK|kronor|kr|di euro|de euros?|d'euros?))?\)?$/iu;

/** "18.4p", "(13.2p)" */
const pence = /(\d) ?p(?:ence)?(?=\)?$)/;

/** Whether the cell itself prints the unit of a hundredth. */
export function isInPence(text: string): boolean {
  return pence.test(text.trim());
}

/** A dash means 0 in a statement. */
function amountOf(text: string, decimalMark: DecimalMark): Rational | undefined {
  return amountsByMark[decimalMark ?? 'unknown'](text);
}

const amountsByMark = {
  '.': remembered((text) => readAmount(text, '.')),
  ',': remembered((text) => readAmount(text, ',')),
  unknown: remembered((text) => readAmount(text, undefined)),
};

function readAmount(text: string, decimalMark: DecimalMark): Rational | undefined {
  if (text.length > 60 || !digitOrDash.test(text)) return undefined;
  const bare = text
    .replace(currencyShape, '')
    .replaceAll('*', '')
    .replace(pence, '$1')
    .replace(/^\s*[△▲]\s?/u, '-')
    .trim();
  if (/^[-–—]$/.test(bare)) return zero;
  const parsed = parseNumber(bare.replace(/^\((.{1,40}?)\)?$/, '-$1').replace(/^--/, '-'), { decimalMark });
  if (parsed === undefined) return undefined;
  // A single separator before three digits separates thousands in a statement, unless the text indicates otherwise.
  const grouped = parsed.ambiguous && parsed.value.includes('.') ? parsed.value.replace('.', '') : parsed.value;
  // Numbers of sixteen digits are identifiers and not amounts.
  return grouped.replace(/\..*$/, '').length > 16 ? undefined : parseRational(grouped);
}

const digitOrDash = /[\p{N}–—-]/u;

function trimmed(line: string, start: number, end: number): Range {
  let from = start;
  let to = end;
  while (from < to && line.charCodeAt(from) <= 0x20) from += 1;
  while (to > from && line.charCodeAt(to - 1) <= 0x20) to -= 1;
  return { start: from, end: to };
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
