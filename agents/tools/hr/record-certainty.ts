/**
 * Withholds the hours of a person whose time record does not confirm their reading: the rows belong to several people, the hours are
 * more than a day can have, or the rows print other hours than their times give.
 */
import type { Document } from '../../document/document.ts';
import { splitLines } from '../text/lines.ts';
import { indexAt } from '../text/ranges.ts';
import { clockTimes } from './clock-times.ts';
import { hour, minutesOf, minutesPerDay, workingDays } from './shifts.ts';
import type { RecordedShift, Timesheet } from './timesheets.ts';
import type { WeekRow } from './week-matrix.ts';

export type RecordDoubt = 'person' | 'overlap' | 'length' | 'figures';

/** Why hours are left out, for readers of the report. */
export const recordDoubtReasons: Readonly<Record<RecordDoubt, string>> = {
  person: 'their rows may be those of several people, or of no person',
  overlap: 'the shifts of one person overlap',
  length: 'a day has more than 16 hours',
  figures: 'the rows print other hours than their times give',
};

const dayHoursMax = 16;

/** @returns a function that gives the doubt about a record of the document, if there is one */
export function recordDoubts({ text }: Pick<Document, 'text'>): (sheet: Timesheet) => RecordDoubt | undefined {
  const labels = labelLines(text);
  return ({ shifts, statedDays, isUncertain }) => {
    if (shifts.length === 0 || isUncertain) return undefined;
    if (isOfSeveral(labels, shifts)) return 'person';
    if (hasOverlap(shifts)) return 'overlap';
    if (workingDays(shifts).some(({ worked }) => worked > dayHoursMax * hour)) return 'length';
    return isDenied(text, shifts, new Set(statedDays.map(({ start }) => start))) ? 'figures' : undefined;
  };
}

/** The record of a person without any hours. */
export function withoutHours(sheet: Timesheet): Timesheet {
  const none = { shifts: [], neutralDays: [], weeklyTotals: [], statedDays: [], printedDays: [], statedTotals: [] };
  return { ...sheet, ...none, isUncertain: true };
}

/** The rows of weekly tables that stand for one person each. */
export function withoutDoubtfulRows({ tables }: Document, rows: readonly WeekRow[]): readonly WeekRow[] {
  const keyOf = ({ worker, start, monday }: WeekRow) => `${indexAt(tables, start)} ${worker} ${monday}`;
  const counts = Map.groupBy(rows, keyOf);
  return rows.filter(
    (row) => counts.get(keyOf(row))!.length === 1 && !/\d/u.test(row.worker.replace(/\([^()]*\)/gu, '')),
  );
}

interface LabelLine {
  readonly start: number;
  readonly end: number;
  /** Of the first line with this label. */
  readonly firstStart: number;
}

/** "AGENT : KONATE Ibrahim": lines that begin with a label. */
function labelLines(text: string): LabelLine[] {
  const firstStarts = new Map<string, number>();
  return splitLines(text).flatMap(({ start, end }) => {
    const shown = text.slice(start, Math.min(end, start + 80));
    const label = /^[\s#*|]{0,8}(\p{L}[\p{L} ]{0,20}?)[ \t]{0,4}:[ \t]{0,4}\p{L}/u.exec(shown)?.[1];
    if (label === undefined) return [];
    const name = label.toLowerCase();
    const firstStart = firstStarts.get(name) ?? start;
    firstStarts.set(name, firstStart);
    return [{ start, end, firstStart }];
  });
}

/** Whether a label above the first row is repeated between the rows: each of these lines begins the record of another person. */
function isOfSeveral(labels: readonly LabelLine[], shifts: readonly RecordedShift[]): boolean {
  const starts = shifts.map(({ line }) => line.start);
  const first = starts.reduce((least, start) => Math.min(least, start));
  const last = starts.reduce((most, start) => Math.max(most, start));
  const next = (indexAt(labels, first) ?? -1) + 1;
  return labels.slice(next, next + labelsMax).some((label) => label.start < last && label.firstStart < first);
}

/** Maximum number of labels examined between the rows of one record: the records of many people can enclose the same lines. */
const labelsMax = 100;

function hasOverlap(shifts: readonly RecordedShift[]): boolean {
  const sorted = [...shifts].sort((one, other) => one.start - other.start);
  return (
    sorted.some(({ start }, index) => index > 0 && start < sorted[index - 1]!.end) ||
    // The second period of a row before the first: a break and hours that were read as times of day.
    shifts.some(({ start, line }, index) => {
      const before = shifts[index - 1];
      return before?.line.start === line.start && start < before.end;
    })
  );
}

/**
 * Whether many rows print hours, and none of them is what the times of the row give. A few such rows are misprints, if their column is
 * known to be the hours worked.
 * @param compared the rows whose hours are in such a column
 */
function isDenied(text: string, shifts: readonly RecordedShift[], compared: ReadonlySet<number>): boolean {
  let confirmed = 0;
  let denied = 0;
  let unknown = 0;
  for (const own of Map.groupBy(shifts, ({ line }) => line.start).values()) {
    const { start, end } = own[0]!.line;
    const worked = own.reduce((sum, shift) => sum + minutesOf(shift), 0);
    const times = new Set(own.flatMap((shift) => [shift.start % minutesPerDay, shift.end % minutesPerDay]));
    const { clock, decimal } = hoursIn(text.slice(start, end), times);
    const rest = clock.filter((minutes) => !times.has(minutes));
    const isBreakRead = own.some(({ breakMinutes }) => breakMinutes > 0);
    if (!isBreakRead && hasUnreadBreak([...rest, ...decimal], worked)) {
      denied += 1;
      unknown += 1;
    } else if ([...rest, ...decimal].some((minutes) => Math.abs(minutes - worked) <= 1)) confirmed += 1;
    // Shorter times are breaks; several further times may be planned ones.
    else if ([...(rest.length === 1 ? rest : []), ...decimal].some((minutes) => minutes >= 2 * hour)) {
      denied += 1;
      if (!compared.has(start)) unknown += 1;
    }
  }
  return (denied > 1 && denied >= confirmed) || (unknown > 0 && unknown * 2 >= confirmed);
}

/** "19h00 07h00 1h00 11h00": the row prints a break and the hours that are left of those read. */
function hasUnreadBreak(figures: readonly number[], worked: number): boolean {
  return figures.some(
    (pause) =>
      pause > 0 &&
      pause <= breakMax &&
      figures.some((hours) => hours >= 2 * hour && Math.abs(worked - pause - hours) <= 1),
  );
}

const breakMax = 2 * hour;

/** In minutes, other than the times read: the times of day or hours such as "8:15" of a row, and those such as "8.25". */
function hoursIn(
  row: string,
  times: ReadonlySet<number>,
): { readonly clock: readonly number[]; readonly decimal: readonly number[] } {
  const shown = row.replace(/\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}\.\d{1,2}\.(?!\d)/gu, ' ');
  const decimal = [...shown.matchAll(/(?<![\d.,:/])(\d{1,2})[.,](\d{1,2})(?![\d.,:/])/gu)].flatMap(([, hours, part]) =>
    // "9.00" and "17.30" may be the times of the row.
    part!.length === 2 && times.has(Number(hours) * hour + Number(part))
      ? []
      : [Number(hours) * hour + Math.round(Number(`0.${part}`) * hour)],
  );
  return { clock: clockTimes(shown), decimal };
}
