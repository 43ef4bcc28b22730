/**
 * Withholds values and medicines whose reading the record does not confirm. Each test asks about the words and figures around the
 * reading, in any layout: a comparison instead of a result, a figure of the row or item that was not read, a row of words.
 */
import type { Document } from '../../document/document.ts';
import { type Certain, withhold } from '../left-out.ts';
import { indexAt, rangeAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { ReviewedLab } from './lab-flags.ts';
import { dayOfCell } from './measure-day.ts';
import type { Medication } from './medications.ts';
import type { Reading } from './vital-values.ts';

export type Doubt =
  | 'comparison'
  | 'goal'
  | 'undated'
  | 'fraction'
  | 'words'
  | 'change'
  | 'repeated'
  | 'thousands'
  | 'figures';

/** Why findings are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  comparison: 'a sentence compares with their value, as with a limit',
  goal: 'a goal, a condition or a baseline precedes their value',
  undated: 'they have no date, and other values of the same quantity have one',
  fraction: 'their sign is counted in whole numbers',
  words: 'a cell of their row contains words where other rows have values',
  change: 'an arrow to a later value follows them',
  repeated: 'they repeat a medicine that another place states with its dose',
  thousands: 'their dose may be a part of a number in thousands',
  figures: 'figures after their dose were not understood',
};

/** Without the doubtful values; a value whose date is doubtful has none. */
export function certainLabs(document: Document, labs: readonly ReviewedLab[]): Certain<ReviewedLab, Doubt> {
  const { text } = document;
  const dated = new Set(labs.flatMap(({ analyte, date }) => (date === undefined ? [] : [analyte.key])));
  const byLine = Map.groupBy(labs, ({ lab }) => lineStart(text, lab.start));
  const { facts, doubts } = withhold(labs, ({ lab, date, analyte }) => {
    if (lab.bound !== undefined && rangeAt(document.tables, lab.start) === undefined) return 'comparison';
    if (goal.test(text.slice(Math.max(0, lab.start - 14), lab.start))) return 'goal';
    if (date === undefined && dated.has(analyte.key)) return 'undated';
    return isChange(text, lab.end) ? 'change' : undefined;
  });
  const isDated = ({ lab }: ReviewedLab) =>
    lab.date === undefined ||
    isRowOfDay(document, lab) ||
    !hasUnreadFigure(text, lab.start, byLine.get(lineStart(text, lab.start)) ?? []);
  return { facts: facts.map((reviewed) => (isDated(reviewed) ? reviewed : withoutDate(reviewed))), doubts };
}

/** Without the doubtful readings. */
export function certainVitals(document: Document, readings: readonly Reading[]): Certain<Reading, Doubt> {
  const { text } = document;
  return withhold(readings, ({ sign, value, start, end }) => {
    if (wholeSigns.has(sign) && !Number.isInteger(value)) return 'fraction';
    if (isRowOfWords(document, start)) return 'words';
    return isChange(text, end) ? 'change' : undefined;
  });
}

function withoutDate<Fact extends { readonly date?: string | undefined }>({
  date: _,
  ...rest
}: Fact): Omit<Fact, 'date'> {
  return rest;
}

export function certainMedications({ text }: Document, medications: readonly Medication[]): Certain<Medication, Doubt> {
  const withDose = new Set(medications.flatMap(({ drug, dose }) => (dose === undefined ? [] : [drug.name])));
  return withhold(medications, (medication, index) => {
    const { drug, status, dose, schedule, asNeeded, start, end } = medication;
    const item = itemOf(text, { start, end }, medications[index + 1]?.start);
    if (status === 'mentioned' || status === 'allergy') return undefined;
    if (status === 'current' && dose === undefined && schedule === undefined && withDose.has(drug.name))
      return 'repeated';
    if (dose === undefined) return undefined;
    if (inThousands(item, dose.value)) return 'thousands';
    const isComplete = status !== 'current' || schedule !== undefined || asNeeded;
    return isComplete || figuresIn(item).every((figure) => figure === dose.value) ? undefined : 'figures';
  });
}

const lineCharactersMax = 300;
const itemCharactersMax = 120;

const wholeSigns: ReadonlySet<string> = new Set(['pulse', 'systolic', 'diastolic', 'respiratory-rate', 'spo2']);
const goal =
  /(?<!\p{L})(?:target|goal|aim|ziel\p{L}*|objecti\p{L}*|objetivo|obiettivo|streef\p{L}*|if|wenn|falls|si|se|als|bei|pause|hold|limit\p{L}*|baseline|b\/l)[ :]{1,2}$/iu;
const arrow = /^\s?(?:-{1,2}>|→|=>|⇒)\s?\d/u;

function isChange(text: string, end: number): boolean {
  return arrow.test(text.slice(end, end + 8));
}

/** A cell of several words between the first and the last two columns: "no colabora" in the place of a blood pressure. */
function isRowOfWords(document: Document, at: number): boolean {
  const rows = rangeAt(document.tables, at)?.rows;
  const row = rows?.[indexAt(rows, at) ?? -1];
  return (
    row !== undefined &&
    at < row.end &&
    row.cells.slice(2, -2).some((cell) => cell !== undefined && /\p{L}{2,}\s+\p{L}{2,}/u.test(cell.text))
  );
}

/** Whether a cell of the line, and no cell of another day, is the day of the value: no other column gives it one. */
function isRowOfDay(document: Document, { start, date }: { start: number; date?: string }): boolean {
  const from = lineStart(document.text, start);
  const cells = document.text
    .slice(from, from + lineCharactersMax)
    .split('\n', 1)[0]!
    .split('\t');
  const days = cells.flatMap((cell, at) => (at === 0 || dayShape.test(cell) ? (dayOfCell(document, cell) ?? []) : []));
  return cells.length > 1 && days[0] === date && new Set(days).size === 1;
}

/** A cell that begins with a day and no other number: "5.8" is a value. */
const dayShape =
  /^\s*(?:\d{1,4}[./-]\d{1,2}[./-]\d|\d{1,2}\/\d{1,2}(?!\d)|\d{1,2}\.\d{1,2}\.(?!\d)|\d{1,2}\.? \p{L}{3}|\p{L}{3,9}\.? \d)/u;

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The words of a medicine up to the next one, on its line. */
function itemOf(text: string, { start, end }: Range, next: number | undefined): string {
  const line = text.indexOf('\n', end);
  return text.slice(
    start,
    Math.max(end, Math.min(next ?? text.length, line === -1 ? text.length : line, end + itemCharactersMax)),
  );
}

function figuresIn(item: string): number[] {
  return [...item.matchAll(/\d+(?:[.,]\d+)?/gu)].map(([figure]) => Number(figure.replace(',', '.')));
}

function inThousands(item: string, value: number): boolean {
  return [...item.matchAll(/(?<![\d.,])(\d{1,3})[.,]\d{3}(?!\d)/gu)].some(
    ([, thousands]) => Number(thousands) === value,
  );
}

/** Whether a line with dated values has a number that no value or range of the line has: its columns may be those of other dates. */
function hasUnreadFigure(text: string, at: number, labs: readonly ReviewedLab[]): boolean {
  const start = lineStart(text, at);
  const end = text.indexOf('\n', at);
  const line = text.slice(start, Math.min(end === -1 ? text.length : end, start + 4 * lineCharactersMax));
  const read = new Set(labs.flatMap(({ lab }) => [lab.writtenNumber, lab.writtenRange?.low, lab.writtenRange?.high]));
  // Powers and "1.73 m²" are parts of units.
  const figures = line
    .replace(/10\s?[\^*⁰-⁹]\S*|\/1[.,]73/gu, ' ')
    .matchAll(/(?<![\p{L}\d.,^])\d+(?:[.,]\d+)?(?![\d\p{L}])/gu);
  return [...figures].some(
    ([figure]) =>
      !read.has(Number(figure.replace(',', '.'))) && !read.has(Number(figure.replace(/[.,](?=\d{3}$)/, ''))),
  );
}
