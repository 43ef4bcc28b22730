/**
 * Withholds figures whose reading the document does not confirm. Each test asks whether the reading accounts for everything that
 * the document prints about a figure in any layout: every word of the column's heading, one column per period, the unit, the day on
 * which the period ends. Sums do not tell: a column of exceptional items adds up, too.
 */
import { findDates } from '../text/dates.ts';
import { isAside, isSpeech } from './disclosure-certainty.ts';
import type { DocumentReading } from './document-reading.ts';
import { otherWords } from './heading-words.ts';
import { balanceItems, type LineItem, unscaledItems } from './line-items.ts';
import { endOfMonth, readPeriodWords } from './period-words.ts';
import { monthsOf } from './periods.ts';
import { absolute, compare, multiply, type Rational, rational, subtract } from './rational.ts';
import { amountCell } from './table-rows.ts';
import type { ReadFigure, ReadTable } from './table-state.ts';
import { readUnitNote } from './units.ts';

export type Doubt = 'heading' | 'column' | 'unit' | 'date' | 'sentence' | 'speech' | 'aside' | 'contradiction';

/** Why figures are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  heading: 'the heading of their column contains words that were not understood',
  column: 'their table has two columns of one period or a column without a heading',
  unit: 'the document names a unit, and none was found for their table',
  date: 'their period ends on a day that the heading of their column does not name',
  sentence: 'only a sentence states them, and tables show the item with amounts of another size',
  speech: 'only quoted speech states them',
  aside: 'only an aside in parentheses states them',
  contradiction: 'two tables show different amounts',
};

export interface CertainFigures {
  readonly tables: readonly ReadFigure[];
  readonly sentences: readonly ReadFigure[];
  readonly doubts: readonly Doubt[];
}

export function withholdDoubtful(reading: DocumentReading): CertainFigures {
  const doubtOf = tableDoubts(reading);
  const doubts: Doubt[] = [];
  const isCertain = (doubt: Doubt | undefined) => {
    if (doubt !== undefined) doubts.push(doubt);
    return doubt === undefined;
  };
  const tables = reading.figures.filter((figure) => isCertain(doubtOf(figure)));
  const confirmed = new Set(tables.map(({ item, period }) => `${item}|${period}`));
  const tabledByItem = Map.groupBy(reading.figures, ({ item }) => item);
  const sentences = reading.sentences.filter((figure) => {
    const tabled = tabledByItem.get(figure.item) ?? [];
    // A sentence about the period of a confirmed figure repeats or contradicts it.
    const isPlausible =
      tabled.length === 0 ||
      confirmed.has(`${figure.item}|${figure.period}`) ||
      tabled.some((other) => isOfOneSize(figure, other));
    if (!isPlausible) return isCertain('sentence');
    if (isSpeech(reading.document, figure.start)) return isCertain('speech');
    if (isAside(reading.document, figure.start)) return isCertain('aside');
    const isDated =
      isDayNamed(figure.period, paragraphAt(reading, figure.start), reading) || isOfNamedPart(figure, reading);
    return isCertain(isDated ? undefined : 'date');
  });
  return { tables, sentences, doubts };
}

/** The doubt about a figure of a table, if there is one. Single lines have no headings to examine. */
export function tableDoubts(reading: DocumentReading): (figure: ReadFigure) => Doubt | undefined {
  const places = new Map(reading.tables.map((read) => [read.table.start, placesOf(read, reading)]));
  const namesUnit = largestUnscaled(reading) !== undefined && scaleNote.test(reading.document.text);
  return (figure) => {
    const place = figure.table === undefined ? undefined : places.get(figure.table)?.get(figure.start);
    if (place === undefined || figure.isTagged === true) return undefined;
    if (place.doubt !== undefined) return place.doubt;
    if (namesUnit && isUnscaled(figure) && !place.hasUnit) return 'unit';
    return isDayNamed(figure.period, place.heading, reading) ? undefined : 'date';
  };
}

/** Whether two figures of an item, each for a year, differ by no more than a half: another company's or a part's would. */
function isOfOneSize(one: ReadFigure, other: ReadFigure): boolean {
  const [low, high] = [one, other].map(perYear).sort(compare) as [Rational, Rational];
  return compare(multiply(high, rational(2n)), multiply(low, rational(3n))) <= 0;
}

function perYear({ item, period, value }: ReadFigure): Rational {
  const months = balanceItems.has(item) ? 12 : monthsOf(period);
  return multiply(absolute(value), { numerator: 12n, denominator: BigInt(months) });
}

interface Place {
  readonly doubt: Doubt | undefined;
  readonly heading: string;
  readonly hasUnit: boolean;
}

/** The cells of a table's columns by their position. */
function placesOf(read: ReadTable, reading: DocumentReading): Map<number, Place> {
  const { table, columns } = read;
  const amounts = columns.map((_, column) => amountsIn(read, column, reading));
  const isReported = (column: number) =>
    column > 0 && columns[column]?.period !== undefined && !columns[column].isOther;
  const first = columns.findIndex((_, column) => isReported(column));
  // Columns of codes and notes precede the first period.
  const isUnheaded = columns.some(
    ({ period, isOther }, column) =>
      column > first && first > 0 && period === undefined && !isOther && amounts[column]!.length > 1,
  );
  const hasUnit =
    [...read.captions, ...table.columns.flatMap(({ headerCells }) => headerCells.map(({ text }) => text))].some(
      (text) => readUnitNote(text.slice(0, 300))?.zeros !== undefined,
    ) || amounts.some((texts) => texts.some(hasCents));
  const places = new Map<number, Place>();
  for (const [column, { period, zeros }] of columns.entries()) {
    const cells = (table.columns[column]?.headerCells ?? []).filter(({ start }) => !isRunningHead(reading, start));
    const texts = cells.map(({ text }) => text);
    const isRepeated = columns.some(
      (other, at) =>
        at !== column &&
        isReported(at) &&
        amounts[at]!.length > 0 &&
        isSame(other.period, period) &&
        !isPair(read, Math.min(at, column), Math.max(at, column)),
    );
    const doubt: Doubt | undefined = !isReported(column)
      ? undefined
      : isUnheaded || isRepeated
        ? 'column'
        : otherWords(texts).length > 0
          ? 'heading'
          : undefined;
    const place = { doubt, heading: texts.join(' '), hasUnit: hasUnit || zeros !== undefined };
    for (const { cells: row } of table.rows) if (row[column] !== undefined) places.set(row[column].start, place);
  }
  return places;
}

function amountsIn({ table }: ReadTable, column: number, { document }: DocumentReading): string[] {
  return table.rows.flatMap(({ cells }) => {
    const cell = cells[column];
    return cell === undefined || amountCell(cell, document.decimalMark).value === undefined ? [] : [cell.text];
  });
}

/** Two columns under one heading, of which the second prints the totals of groups. */
function isPair({ table }: ReadTable, first: number, second: number): boolean {
  const [one, other] = [first, second].map(
    (column) => table.columns[column]?.headerCells.map(({ text }) => text) ?? [],
  );
  return second === first + 1 && one!.length > 0 && isSame(one, other);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A line at the top of a page, below the number of the previous page, which the document model assigned to the headings. */
function isRunningHead({ document }: DocumentReading, at: number): boolean {
  const above = document.text
    .slice(Math.max(0, at - lineCharactersMax), at)
    .split('\n')
    .slice(0, -1);
  return pageNumber.test(above.findLast((line) => line.trim() !== '')?.trim() ?? '');
}

const lineCharactersMax = 400;
const pageNumber =
  /^[-–—]?\s?(?:page|seite|blatt|p[áa]gina|pagina)?\s?\d{1,3}(?:\s?(?:\/|of|von|sur|de|di|van)\s?\d{1,3})?\s?[-–—]?$/iu;

/** An amount with two decimals is printed in full. */
function hasCents(amount: string): boolean {
  return /[.,]\d\d\)?$/.test(amount.trim());
}

function isUnscaled({ item, zeros }: ReadFigure): boolean {
  return zeros === 0 && !unscaledItems.has(item) && !shareCounts.has(item);
}

const shareCounts: ReadonlySet<LineItem> = new Set<LineItem>(['shares_outstanding', 'shares_basic', 'shares_diluted']);

/** The largest amount without a unit, if it is so small that it may be in thousands or millions. */
function largestUnscaled({ figures }: DocumentReading): Rational | undefined {
  const amounts = figures.filter(isUnscaled).map(({ value }) => absolute(value));
  const largest = amounts.reduce<Rational | undefined>(
    (before, amount) => (before === undefined || compare(amount, before) > 0 ? amount : before),
    undefined,
  );
  return largest !== undefined && compare(largest, rational(1_000_000n)) < 0 ? largest : undefined;
}

/** Whether no note names a unit and the amounts are so small that they may be in thousands or millions. */
export function isUnitDoubtful(reading: DocumentReading): boolean {
  return reading.zeros.length === 0 && largestUnscaled(reading) !== undefined;
}

const scale =
  "(?:thousands?|millions?|billions?|tausend|tsd|millionen|mio|mrd|mln|milliers|milliards|miles|millones|migliaia|milioni|duizend(?:en)?|miljoen(?:en)?|tusen(?:tal)?|tusinde?|miljoner|millioner|milj|milhares|milh[õo]es|tys|['’]?000s?|bn)";
const money =
  '(?:[$€£¥]|z[łl]|pln|kr|eur|usd|gbp|chf|cad|sek|nok|dkk|jpy|czk|euros?|dollars?|pounds|francs?|franken|yen|kron\\p{L}{0,3})';
/** "In thousands", "CAD thousands", "thousands of euros", "TEUR", "£m"; not "thousands of customers". */
const scaleNote = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:(?:in|en)|${money}) ?${scale}|${scale} (?:of |de |di |d['’])?(?:us |canadian |swiss )?${money}|[tkm](?:eur|usd|gbp|chf|cad|sek|nok|dkk|pln|kr)|t\\.kr\\.?|(?:en|em|i|w|v) ${scale}|[tkm][€$£]|[€$£][km])(?![\\p{L}\\d])`,
  'iu',
);

/** A period of whole months or weeks needs no further evidence; any other day must be in the heading or paragraph itself. */
function isDayNamed(period: string, text: string, { document }: DocumentReading): boolean {
  const end = /\d{4}-\d\d-\d\d$/.exec(period)?.[0];
  if (end === undefined || end === endOfMonth(Number(end.slice(0, 4)), Number(end.slice(5, 7)))) return true;
  return (
    readPeriodWords(text).end === end || findDates(text).some(({ iso }) => iso === end) || weeks.test(document.text)
  );
}

/** "Third quarter of 2025": a part of the year whose last day a heading of the document names. */
function isOfNamedPart({ period, start }: ReadFigure, { document, calendar }: DocumentReading): boolean {
  const isNamed = calendar.days?.some((day) => period.endsWith(day)) === true;
  return isNamed && readPeriodWords(document.text.slice(Math.max(0, start - partReach), start)).part !== undefined;
}

const partReach = 120;

function paragraphAt({ document }: DocumentReading, at: number): string {
  const block = document.blocks.find((each) => each.kind !== 'table' && at >= each.start && at < each.end);
  return block === undefined
    ? ''
    : document.text.slice(block.start, Math.min(block.end, block.start + paragraphCharactersMax));
}

const paragraphCharactersMax = 2_000;

const weeks = /(?<!\p{L})(?:weeks?|wochen|semaines|semanas|settimane|weken)(?!\p{L})/iu;

/** Two tables whose amounts differ by more than this do not differ by a misprint: at least one of them shows another subject. */
const contradictionMin: Rational = { numerator: 12n, denominator: 100n };

export function isContradiction(used: Rational, other: Rational): boolean {
  return compare(absolute(subtract(used, other)), multiply(absolute(used), contradictionMin)) > 0;
}
