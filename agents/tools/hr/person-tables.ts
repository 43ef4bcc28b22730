/** Hours by person in other forms than a column for each day: a column for each person, a row for each week, a list by name. */
import type { Document } from '../../document/document.ts';
import type { Cell } from '../../document/table.ts';
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { dayNumber, mondayOf } from './calendar.ts';
import { hoursCell } from './clock-times.ts';
import { namedWeeks, RecordDates } from './record-dates.ts';
import { isName, severalPeople } from './record-names.ts';
import { gridRows } from './row-cells.ts';
import { isPersonHeading, isTimeHeading, timeRole } from './timesheet-columns.ts';
import { type WeekRow, withDays } from './week-matrix.ts';
import { weekdaysOf } from './weekdays.ts';

export interface PersonTables {
  readonly rows: readonly WeekRow[];
  /** The tables and lines read. */
  readonly ranges: readonly Range[];
}

export function readPersonTables(document: Document): PersonTables {
  const dates = new RecordDates(document.text);
  const tables = document.tables.map((table) => ({
    range: { start: table.start, end: table.end },
    rows: tableRows(gridRows(table), dates),
  }));
  const lists = listRows(document);
  const read = tables.filter(({ rows }) => rows.length > 0);
  return {
    rows: [...read.flatMap(({ rows }) => rows), ...lists],
    ranges: [...read.map(({ range }) => range), ...lists],
  };
}

const weekHeading =
  /^(?:week|week (?:commencing|ending|beginning|of|starting|no|number)|w[ce]|w\/[ce]|kw|woche|kalenderwoche|semaine|semana|settimana|vecka|uge|uke|tydzien|tyden)\b/iu;

function tableRows(rows: readonly (readonly Cell[])[], dates: RecordDates): WeekRow[] {
  const [header, ...body] = rows;
  const heads = header?.map(({ text }) => text.trim()) ?? [];
  const time = heads.findIndex((head) => weekHeading.test(head) || timeRole(head) === 'date');
  if (time < 0) return [];
  const isWeekly = weekHeading.test(heads[time]!);
  const people = heads.flatMap((head, column) =>
    column !== time && isName(head) && !isTimeHeading(head) ? [column] : [],
  );
  const hasTimes = heads.some((head, column) => column !== time && /start|end|range|pause/u.test(timeRole(head)));
  if (people.length >= 2 && !hasTimes)
    return people.flatMap((column) => columnRows(body, { column, time, isWeekly }, heads, dates));
  const person = heads.findIndex(isPersonHeading);
  const worked = heads.findIndex((head) => timeRole(head) === 'worked');
  const isOfTimes = heads.some((head) => /start|end|range/u.test(timeRole(head)));
  if (!isWeekly || person < 0 || worked < 0 || isOfTimes) return [];
  return body.flatMap((row) => weekOf(row, row[person]?.text.trim() ?? '', { column: worked, time }, dates) ?? []);
}

interface Columns {
  readonly column: number;
  readonly time: number;
}

/** The hours of one person below their name. */
function columnRows(
  body: readonly (readonly Cell[])[],
  { column, time, isWeekly }: Columns & { readonly isWeekly: boolean },
  heads: readonly string[],
  dates: RecordDates,
): WeekRow[] {
  const worker = heads[column]!;
  if (isWeekly) return body.flatMap((row) => weekOf(row, worker, { column, time }, dates) ?? []);
  const days = body.flatMap((row) => {
    const minutes = hoursCell(row[column]?.text ?? '');
    const day = dayOf(row[time], dates);
    return day === undefined || minutes === undefined || minutes === 0 || minutes > 1_440
      ? []
      : [{ day, minutes, row }];
  });
  return [...Map.groupBy(days, ({ day }) => mondayOf(day)).values()].map((own) => ({
    ...withDays(own, false),
    worker,
    stated: undefined,
    start: own[0]!.row[0]!.start,
    end: own[0]!.row.at(-1)!.end,
  }));
}

/** The hours of one person in one week. */
function weekOf(
  row: readonly Cell[],
  worker: string,
  { column, time }: Columns,
  dates: RecordDates,
): WeekRow | undefined {
  const minutes = hoursCell(row[column]?.text ?? '');
  const cell = row[time];
  const day = dayOf(cell, dates) ?? (cell === undefined ? undefined : namedWeeks(cell.text, [])[0]?.monday);
  if (minutes === undefined || minutes === 0 || day === undefined || !isName(worker)) return undefined;
  const range = { start: row[0]!.start, end: row.at(-1)!.end };
  return { worker, monday: mondayOf(day), days: [], minutes, isComplete: true, stated: undefined, ...range };
}

function dayOf(cell: Cell | undefined, dates: RecordDates): number | undefined {
  const day = cell === undefined || cell.text === '' ? undefined : dates.dayOf(cell.text, cell.start);
  return day === undefined || day.ambiguous ? undefined : dayNumber(day.iso);
}

const listLine = /^[\s*•-]{0,6}([^:|\t\d]{3,50})[:|\t][ \t]{0,4}(\p{L}{2,10}\.?[ \t]{1,3}[^\n]{12,200})$/u;
const entry = /^(\p{L}{2,10})\.?[ \t:]{1,3}(\S.{0,12})$/u;

/** "Lena Groß: Mo 8,0 | Di 8,5 | Mi frei": the days of a person in one line. */
function listRows({ text, dates }: Document): WeekRow[] {
  const weeks = namedWeeks(
    text,
    dates.filter(({ ambiguous }) => !ambiguous),
  );
  return splitLines(text).flatMap(({ start, end }) => {
    if (end - start > 260 || end - start < 20) return [];
    const [, worker = '', rest = ''] = listLine.exec(text.slice(start, end)) ?? [];
    const monday = weeks.findLast((week) => week.start < start)?.monday;
    if (monday === undefined || !isName(nameOf(worker.trim())) || severalPeople.test(worker)) return [];
    const parts = rest.split(/[|;\t]|,\s|\s=\s?| {2,}/u).map((part) => part.trim());
    const days = parts.flatMap((part) => {
      const [, word = '', value = ''] = entry.exec(part) ?? [];
      const [weekday] = weekdaysOf(word);
      const minutes = hoursCell(value);
      return weekday === undefined || minutes === undefined || minutes === 0
        ? []
        : [{ day: monday + weekday, minutes }];
    });
    const total = parts.flatMap((part) => totalIn(part)).at(-1);
    const isSeries = days.every(({ day }, at) => at === 0 || days[at - 1]!.day < day);
    return days.length < 2 || !isSeries
      ? []
      : [{ ...withDays(days, total !== undefined), worker: nameOf(worker.trim()), stated: total, start, end }];
  });
}

/** "43" behind "=", "total 43 h". */
function totalIn(part: string): number[] {
  const [, figure] =
    /^(?:(?:total|sum|summe|gesamt|totale?|totaal|suma|razem|i alt|totalt)[ :=]{0,3})?(\S.{0,10})$/iu.exec(part) ?? [];
  const minutes = figure === undefined ? undefined : hoursCell(figure);
  return minutes === undefined ? [] : [minutes];
}

/** "Foreman R. Nast" is named R. Nast. */
const nameOf = (worker: string) =>
  worker.replace(
    /^(?:foreman|labourer|driver|operator|nurse|carer|cook|guard|mr|mrs|ms|herr|frau|m\.|mme|sr\.?|sra\.?|dhr\.?|mevr\.?)\.? /iu,
    '',
  );
