/** Finds sets of comparables, the result of the tested party, and quartiles that a study states, in tables and in sentences. */

import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { normaliseName } from '../financial/line-items.ts';
import { parseRational, type Rational } from '../financial/rational.ts';
import { findAmounts } from '../text/amounts.ts';
import { guessDecimalMark, parseNumber } from '../text/numbers.ts';
import { findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';

export type StatedKind = 'lower' | 'median' | 'upper' | 'tested';

export interface Comparable extends Range {
  readonly name: string;
  readonly value: Rational;
}

export interface ComparableSet extends Range {
  /** A percentage if the cells or the heading say so; else an amount or a plain ratio. */
  readonly isPercent: boolean;
  /** Words of the heading or sentence that name the indicator; lower case. */
  readonly indicator: string;
  readonly comparables: readonly Comparable[];
  readonly rejected: number;
  /** The figures that the text states about the set. */
  readonly stated: ReadonlyMap<StatedKind, Comparable>;
}

/** Larger sets are truncated; no study is that large. */
export const comparablesMax = 300;

/** Ordered by position in the text; a set has at least three comparables. */
export function findComparables(document: Document): ComparableSet[] {
  const { text, tables, decimalMark } = document;
  const sets = tables.flatMap((table) => setOfTable(text, table, decimalMark) ?? []);
  for (const sentence of document.sentences) {
    if (tables.some((table) => sentence.start < table.end && sentence.end > table.start)) continue;
    const set = setOfSentence(text, sentence, decimalMark);
    if (set !== undefined) sets.push(set);
  }
  return sets.sort((a, b) => a.start - b.start);
}

/** The first percentage after words for the tested party, including outside the tables of comparables. */
export function findTestedResult(text: string): Comparable | undefined {
  const decimalMark = guessDecimalMark([text]);
  for (const match of text.matchAll(testedShape)) {
    const from = match.index;
    const until = Math.min(text.length, from + 240);
    const percent = findPercents(text.slice(from, until), { decimalMark })[0];
    const value = percent === undefined ? undefined : parseRational(percent.value);
    const gap = percent === undefined ? '' : text.slice(from, from + percent.start);
    // A full stop or an empty line between them begins another statement.
    if (percent === undefined || value === undefined || /[.!?]\s+\p{Lu}|\n\s*\n/u.test(gap)) continue;
    return { name: 'tested party', value, start: from + percent.start, end: from + percent.end };
  }
  return undefined;
}

/** "The cost base was EUR 4.2 million": the first amount after the words. */
export function findCostBase(text: string): Rational | undefined {
  for (const match of text.matchAll(
    /\b(?:total costs?|cost base|total operating costs|full costs?|fully loaded costs)\b/giu,
  )) {
    const [amount] = findAmounts(text.slice(match.index, match.index + 120));
    if (amount !== undefined) return parseRational(amount.value);
  }
  return undefined;
}

const testedShape =
  /\b(?:tested party|tested entity|tested transaction|tested result|taxpayer['’]s (?:result|margin)|testovan[áé] stran[ay]|getestete(?:s|n)? Unternehmen|partie testée)/giu;
const contextShape =
  /comparable|benchmark|uncontrolled|interquartile|srovnateln|vergleichsunternehmen|vergleichbare|comparables/i;
const averageShape = /\b(?:weighted|average|avg|mean|prumer|durchschnitt|moyenne|pooled)\b/;
const indicatorShape =
  /\b(?:margin|markup|mark up|ncp|net cost plus|full cost|ros|return on sales|op s|roa|roce|berry|price|result|ebit|operating|marze|prirazka|marge|aufschlag|royalty|rate)\b/;
const rejectedShape = /\b(?:rejected|excluded|eliminated|not accepted|vyrazen\w*|ausgeschlossen)\b/;

const statedKinds: readonly [StatedKind, RegExp][] = [
  ['tested', /\btested (?:party|entity|transaction|result)\b|\btestovan/],
  ['lower', /\b(?:lower|first|1st|25th|q1)\b|\bdolni kvartil|\bunteres quartil/],
  ['median', /\bmedian\b|\b50th\b/],
  ['upper', /\b(?:upper|third|3rd|75th|q3)\b|\bhorni kvartil|\boberes quartil/],
];
const summaryShape =
  /\b(?:quartile|percentile|median|average|mean|minimum|maximum|min|max|range|count|total|kvartil|quartil|interquartile)\b/;

function setOfTable(text: string, table: Table, decimalMark: '.' | ',' | undefined): ComparableSet | undefined {
  const rows = fullRows(table);
  const [heading = []] = rows;
  const before = text.slice(Math.max(0, table.start - 300), table.start);
  const headings = heading.map((cell) => normaliseName(cell.text));
  if (!contextShape.test(before) && !headings.some((name) => contextShape.test(name))) return undefined;
  const column = valueColumn(table, headings, decimalMark);
  if (column === undefined) return undefined;
  const comparables: Comparable[] = [];
  const stated = new Map<StatedKind, Comparable>();
  let rejected = 0;
  let isPercent = heading[column]?.text.includes('%') ?? false;
  for (const cells of rows.slice(0, comparablesMax)) {
    const cell = cells[column];
    const value = cell === undefined ? undefined : cellValue(cell, decimalMark);
    if (cell === undefined || value === undefined) continue;
    const name = labelOf(cells, column);
    const label = normaliseName(name);
    isPercent ||= cell.text.includes('%');
    const found: Comparable = { name, value, start: cell.start, end: cell.end };
    const kind = statedKinds.find(([, shape]) => shape.test(label))?.[0];
    if (kind === 'tested') stated.set(kind, found);
    else if (summaryShape.test(label)) {
      if (kind !== undefined) stated.set(kind, found);
    } else if (cells.some((other) => rejectedShape.test(normaliseName(other.text)))) rejected += 1;
    else comparables.push(found);
  }
  if (comparables.length < 3) return undefined;
  const indicator = `${headings[column] ?? ''} ${normaliseName(before).split(' ').slice(-40).join(' ')}`.trim();
  return { start: table.start, end: table.end, isPercent, indicator, comparables, rejected, stated };
}

/** The column of averages, else of an indicator, else the last that mostly contains numbers. */
function valueColumn(
  table: Table,
  headings: readonly string[],
  decimalMark: '.' | ',' | undefined,
): number | undefined {
  const rows = fullRows(table).slice(0, comparablesMax);
  const width = Math.max(...rows.map((cells) => cells.length));
  const numeric = Array.from({ length: width }, (_, column) => {
    return rows.filter((cells) => cells[column] !== undefined && cellValue(cells[column], decimalMark) !== undefined)
      .length;
  });
  const usable = numeric.flatMap((count, column) => (count >= 3 && column > 0 ? [column] : []));
  const named = (shape: RegExp) => usable.find((column) => shape.test(headings[column] ?? ''));
  return (
    named(averageShape) ?? usable.findLast((column) => indicatorShape.test(headings[column] ?? '')) ?? usable.at(-1)
  );
}

/** The longest word-like cell before the value, because numbering precedes names. */
function labelOf(cells: readonly Cell[], column: number): string {
  const before = cells.slice(0, column).filter(({ text }) => /\p{L}/u.test(text));
  return before[0]?.text ?? cells[0]?.text ?? '';
}

function cellValue({ text }: Cell, decimalMark: '.' | ',' | undefined): Rational | undefined {
  if (text.length > 40) return undefined;
  const parsed = parseNumber(text.replace(/[%€$£]|\b(?:EUR|USD|GBP|CHF|CZK)\b/g, '').trim(), { decimalMark });
  return parsed === undefined ? undefined : parseRational(parsed.value);
}

/** "The comparables earned 2.1 %, 3.4 % and 5.0 %." */
function setOfSentence(
  text: string,
  { start, end }: Range,
  decimalMark: '.' | ',' | undefined,
): ComparableSet | undefined {
  if (end - start > 4_000) return undefined;
  const sentence = text.slice(start, end);
  if (!contextShape.test(sentence) || /quartile|percentile/i.test(sentence)) return undefined;
  const percents = findPercents(sentence, { decimalMark });
  const isPercent = percents.length >= 3;
  const values = isPercent ? percents : findAmounts(sentence, { decimalMark });
  if (values.length < 3) return undefined;
  const comparables = values.slice(0, comparablesMax).flatMap((found, index): Comparable[] => {
    const value = parseRational(found.value);
    return value === undefined
      ? []
      : [{ name: `result ${index + 1}`, value, start: start + found.start, end: start + found.end }];
  });
  const indicator = normaliseName(sentence.slice(0, 300));
  return { start, end, isPercent, indicator, comparables, rejected: 0, stated: new Map() };
}
