/** Reads timesheets and reports each person's record against Directive 2003/88/EC. */

import type { AgentTool, Json } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { boundedBytes, place, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { bounded, type Span } from '../text/span.ts';
import { dayNumber, decimalHours, hoursText, isoOfDay, mondayOf } from './calendar.ts';
import { isAgreement } from './document-kind.ts';
import { readPersonTables } from './person-tables.ts';
import { readRecordBlocks } from './record-blocks.ts';
import {
  type RecordDoubt,
  recordDoubtReasons,
  recordDoubts,
  withoutDoubtfulRows,
  withoutHours,
} from './record-certainty.ts';
import { rowCellsOf } from './row-cells.ts';
import { limits, workingDays } from './shifts.ts';
import { readTimesheets, type Timesheet } from './timesheets.ts';
import { readTransposed } from './transposed-record.ts';
import { dayTables, printedTotals, readWeekMatrices } from './week-matrix.ts';
import { checkWorkingTime, type WorkingTimeReport } from './working-time.ts';

const workersShownMax = 8;
const weeksShownMax = 18;
const breachesShownMax = 12;
const daysShownMax = 31;
const mismatchesShownMax = 8;
const weekTableBytes = 16_000;

/** Each person's record against Directive 2003/88/EC. */
export const workingTimeTool: AgentTool = {
  name: 'working_time_2003_88',
  version: '4',
  purpose:
    'Checks timesheets against Directive 2003/88/EC: rests, weekly hours, night work. Text: a person and one line per shift with date, start, end and break.',
  run(documents) {
    const sheets = documents.map(readDocument).flatMap((document) => {
      // An agreement states hours that are to be worked.
      if (isAgreement(document)) return [];
      const doubtOf = recordDoubts(document);
      return sheetsOf(document).map((sheet) => {
        const doubt = doubtOf(sheet);
        return { document, doubt, sheet: doubt === undefined ? sheet : withoutHours(sheet) };
      });
    });
    const reports = bounded(sheets, workersShownMax).items.map(({ document, sheet, doubt }) => ({
      document,
      sheet,
      doubt,
      report:
        sheet.shifts.length === 0 || sheet.isUncertain ? undefined : checkWorkingTime(sheet.shifts, sheet.neutralDays),
      totals: totalsOf(document, sheet),
      mismatches: mismatchesOf(document, sheet).slice(0, mismatchesShownMax),
    }));
    const tables = documents.map(readDocument).map(weekTables);
    const weeks = boundedBytes(
      tables.flatMap(({ rows }) => rows),
      weekTableBytes,
    );
    const omitted = leftOut(
      [
        ...sheets.flatMap(({ doubt }) => doubt ?? []),
        ...tables.flatMap(({ omittedRows }) => Array.from({ length: omittedRows }, (): RecordDoubt => 'person')),
      ],
      recordDoubtReasons,
    );
    return toFindings(
      {
        limits_hours: snakeCased(limits),
        note: 'National law may be stricter; derogations of articles 17, 18 and 22 may apply. Days of leave and sickness are neutral (article 16(b)). Night time is taken as 23:00 to 06:00.',
        people: reports.map((person) => personJson(person)),
        people_more: Math.max(0, sheets.length - workersShownMax),
        week_tables: weeks.items,
        week_tables_more: weeks.more,
        left_out: omitted,
      },
      [
        ...reports.flatMap((person) => [...personDigest(person), ...mismatchLines(person)]),
        ...weeks.items.flatMap(({ worker, hours, stated_hours: stated, ...span }) =>
          stated === undefined || hours === undefined || stated === hours
            ? []
            : [`${worker}: printed total ${stated}, its days give ${hours} ${place(span)}`],
        ),
        ...leftOutLines(omitted),
      ],
    );
  },
};

/** The records of lines and rows, and those of tables with a column for each day. */
function sheetsOf(document: Document): Timesheet[] {
  const transposed = readTransposed(document);
  const read = [...dayTables(document).map(({ table }) => table), ...readPersonTables(document).ranges];
  const rest = read.reduce((text, { start, end }) => blankRange(text, start, end), document.text);
  return [...readTimesheets(rest, rowCellsOf(document)), ...transposed, ...readRecordBlocks(rest)];
}

function blankRange(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/gu, ' ') + text.slice(end);
}

/** Weekly tables with a column for each day. */
function weekTables(document: Document) {
  const all = [...readWeekMatrices(document), ...readPersonTables(document).rows];
  const certain = withoutDoubtfulRows(document, all);
  const rows = certain.map((row) => ({
    worker: row.worker.toWellFormed(),
    ...(row.isComplete ? { hours: hoursText(row.minutes), above_48: row.minutes > limits.weeklyAverage * 60 } : {}),
    ...(row.stated === undefined ? {} : { stated_hours: hoursText(row.stated) }),
    ...(row.monday === undefined ? {} : { monday: isoOfDay(row.monday) }),
    days: row.days.map(({ day, minutes }) => ({
      ...(day === undefined ? {} : { date: isoOfDay(day) }),
      hours: hoursText(minutes),
    })),
    ...document.spanOf(row),
  }));
  return { rows, omittedRows: all.length - certain.length };
}

interface Mismatch extends Span {
  readonly date?: string;
  readonly stated: string;
  readonly computed: string;
}

/** Printed hours that differ from the times. If most rows differ, the column counts something else. */
function mismatchesOf(document: Document, { worker, statedDays, statedTotals, shifts }: Timesheet): Mismatch[] {
  const wrong = statedDays.filter(({ stated, computed }) => Math.abs(stated - computed) > 1);
  const isOther = wrong.length * 2 > statedDays.length;
  const days = (isOther ? [] : wrong).map(({ day, stated, computed, start, end }) => ({
    date: isoOfDay(day),
    stated: hoursText(stated),
    computed: hoursText(computed),
    ...document.spanOf({ start, end }),
  }));
  const totals = isOther
    ? []
    : statedTotals
        .filter(({ stated, computed }) => Math.abs(stated - computed) > 1 && !isMisread(stated, computed))
        .map(({ stated, computed, monday, start, end }) => ({
          ...(monday === undefined ? {} : { date: isoOfDay(monday) }),
          stated: hoursText(stated),
          computed: hoursText(computed),
          ...document.spanOf({ start, end }),
        }));
  const total = worker === '' ? undefined : printedTotals(document).get(worker);
  const sum = workingDays(shifts).reduce((minutes, { worked }) => minutes + worked, 0);
  if (
    total === undefined ||
    isOther ||
    shifts.length === 0 ||
    Math.abs(total.minutes - sum) <= 1 ||
    isMisread(total.minutes, sum)
  )
    return [...days, ...totals];
  return [
    ...days,
    ...totals,
    { stated: hoursText(total.minutes), computed: hoursText(sum), ...document.spanOf(total) },
  ];
}

/** A gap of more than a quarter is more likely a row that was not read than an error of the record. */
function isMisread(stated: number, computed: number): boolean {
  return Math.abs(stated - computed) * 4 > stated;
}

function mismatchLines({ sheet, mismatches }: Person): string[] {
  return mismatches
    .slice(0, 4)
    .map(
      ({ date, stated, computed, ...span }) =>
        `${sheet.worker.slice(0, 40)}${date === undefined ? '' : `, ${date}`}: ${stated} printed, the times give ${computed} ${place(span)}`,
    );
}

interface Person {
  readonly document: Document;
  readonly sheet: Timesheet;
  readonly doubt: RecordDoubt | undefined;
  readonly report: WorkingTimeReport | undefined;
  readonly totals: ReturnType<typeof totalsOf>;
  readonly mismatches: readonly Mismatch[];
}

function personJson({ document, sheet, doubt, report, totals, mismatches }: Person): { readonly [key: string]: Json } {
  return {
    worker: sheet.worker.toWellFormed(),
    message: document.message,
    unread_lines: sheet.unread,
    ambiguous_dates: sheet.ambiguousDates,
    ...(report === undefined ? {} : { record: reportJson(document, sheet, report) }),
    ...(totals === undefined ? {} : { stated_weeks: totals }),
    ...(doubt !== undefined
      ? { uncertain: `${recordDoubtReasons[doubt]}: no hours are given` }
      : sheet.isUncertain
        ? { uncertain: 'most printed hours differ from the times of their rows: no hours are given' }
        : {}),
    days: daysOf(sheet),
    ...(sheet.shifts.length === 0 && sheet.printedDays.length > 0 ? { printed_weeks: printedWeeks(sheet) } : {}),
    mismatches: mismatches.map((mismatch) => ({ ...mismatch })),
  };
}

function daysOf({ isUncertain, shifts, printedDays }: Timesheet) {
  if (isUncertain) return [];
  const known = workingDays(shifts).map(({ day, worked }) => ({ day, minutes: worked }));
  return (known.length > 0 ? known : printedDays)
    .slice(0, daysShownMax)
    .map(({ day, minutes }) => ({ date: isoOfDay(day), hours: hoursText(minutes) }));
}

/** Sums of printed hours by day, without times. */
function printedWeeks({ printedDays }: Timesheet) {
  const weeks = new Map<number, number>();
  for (const { day, minutes } of printedDays) weeks.set(mondayOf(day), (weeks.get(mondayOf(day)) ?? 0) + minutes);
  return [...weeks].slice(0, weeksShownMax).map(([monday, minutes]) => ({
    monday: isoOfDay(monday),
    hours: hoursText(minutes),
    above_48: minutes > limits.weeklyAverage * 60,
  }));
}

function reportJson(
  document: Document,
  { shifts }: Timesheet,
  { weeks, breaches, ...rest }: WorkingTimeReport,
): { readonly [key: string]: Json } {
  const shownWeeks = bounded(weeks, weeksShownMax);
  const shownBreaches = bounded(breaches, breachesShownMax);
  return {
    ...snakeCased(rest),
    weeks: shownWeeks.items.map(snakeCased),
    weeks_more: shownWeeks.more,
    breaches: shownBreaches.items.map((entry) => ({ ...snakeCased(entry), ...lineOf(document, shifts, entry.date) })),
    breaches_more: shownBreaches.more,
  };
}

/** The line of the first shift on or after that day: weeks are named by their Monday. */
function lineOf(document: Document, shifts: Timesheet['shifts'], date: string) {
  const from = dayNumber(date) * 1_440;
  const first = shifts
    .filter(({ start }) => start >= from)
    .reduce<Timesheet['shifts'][number] | undefined>(
      (a, b) => (a === undefined || b.start < a.start ? b : a),
      undefined,
    );
  return first === undefined ? undefined : document.spanOf(first.line);
}

/** Converts `averageAbove48` to `average_above_48`, the naming of all JSON in the API. */
function snakeCased(values: Readonly<Record<string, Json>> | object): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`),
      value,
    ]),
  );
}

/** Average and maximum of weeks that the text states as totals. */
function totalsOf(document: Document, { weeklyTotals }: Timesheet) {
  if (weeklyTotals.length === 0) return undefined;
  const sum = weeklyTotals.reduce((total, { minutes }) => total + minutes, 0);
  return {
    count: weeklyTotals.length,
    average_hours: decimalHours(sum, 1, weeklyTotals.length),
    average_above_48: sum > limits.weeklyAverage * 60 * weeklyTotals.length,
    weeks_above_48: weeklyTotals.filter(({ minutes }) => minutes > limits.weeklyAverage * 60).length,
    weeks: weeklyTotals
      .slice(0, weeksShownMax)
      .map((total) => ({ week: total.week, hours: hoursText(total.minutes), ...document.spanOf(total) })),
  };
}

function personDigest({ document, sheet, report, totals }: Person): string[] {
  const who = sheet.worker === '' ? 'The record' : sheet.worker.slice(0, 40);
  const lines: string[] = [];
  if (sheet.ambiguousDates > 0) {
    lines.push(`${who}: day and month are ambiguous in ${sheet.ambiguousDates} dates; read as day first`);
  }
  if (report !== undefined) {
    lines.push(
      `${who}, ${report.from} to ${report.to}: ${report.shifts} shifts, ${report.workedHours} hours, average ${report.averageWeeklyHours} a week, ${report.averageAbove48 ? 'above' : 'not above'} 48 (art. 6)${report.highest17WeekAverage === undefined ? '; the record is shorter than the reference period of up to four months (art. 16(b))' : `; highest over 17 weeks ${report.highest17WeekAverage}`}`,
    );
    for (const { rule, article, date, recorded, required } of report.breaches.slice(0, 10)) {
      const line = lineOf(document, sheet.shifts, date);
      const where = line === undefined ? '' : ` ${place(line)}`;
      lines.push(
        `${who}, ${date}: ${rule.replaceAll('_', ' ')} (art. ${article}): ${recorded} recorded; required ${required}${where}`,
      );
    }
    if (report.breaches.length === 0)
      lines.push(
        `${who}: no breach of daily rest, breaks or weekly rest in the record (${report.weeksChecked} whole weeks checked)`,
      );
    const long = report.weeks.filter(({ above48 }) => above48);
    if (long.length > 0) {
      const list = long.slice(0, 6).map(({ monday, hours }) => `${monday} ${hours}`);
      lines.push(`${who}: ${long.length} weeks above 48 hours (Mondays): ${list.join(', ')}`);
    }
    if (report.nightShifts > 0) {
      lines.push(
        `${who}: ${report.nightShifts} shifts with 3 hours or more at night; ${report.nightWorkerDailyAverage} hours a day on average against 8 for night workers (art. 8(a)); ${report.nightShiftsOver8Hours} longer than 8 hours (art. 8(b), hazardous work)`,
      );
    }
  }
  if (report !== undefined && report.overlaps > 0) {
    lines.push(`${who}: ${report.overlaps} shifts overlap the previous one: their hours are counted twice`);
  }
  if (totals !== undefined) {
    lines.push(
      `${who}: ${totals.count} stated weeks, average ${totals.average_hours} hours, ${totals.weeks_above_48} weeks above 48 (the limit is on the average)`,
    );
  }
  return lines;
}
