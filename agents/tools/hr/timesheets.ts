/** Reads shifts, days of leave and weekly totals out of timesheets: lines with a date and times, with or without columns. */
import type { Document } from '../../document/document.ts';
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { normaliseName } from '../financial/line-items.ts';
import { findDates, isCalendarDay, isoDate } from '../text/dates.ts';
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { dayNumber } from './calendar.ts';
import type { Shift } from './shifts.ts';

export interface RecordedShift extends Shift {
  /** Where the line is in the text. */
  readonly line: Range;
}

export interface Timesheet {
  /** As the text names the person; "" if it names none. */
  readonly worker: string;
  readonly shifts: readonly RecordedShift[];
  /** Day numbers with leave or sickness and no times. */
  readonly neutralDays: readonly number[];
  /** "Week 12: 52 hours". */
  readonly weeklyTotals: readonly ({ readonly week: string; readonly minutes: number } & Range)[];
  /** Rows whose printed hours can be compared with what their times give. */
  readonly statedDays: readonly StatedDay[];
  /** Dates such as 03/04/2024, which were read as day first. */
  readonly ambiguousDates: number;
  /** Lines with a date and times that make no shift: an end without a start, more than 24 hours. */
  readonly unread: number;
}

export interface StatedDay extends Range {
  readonly day: number;
  readonly stated: number;
  readonly computed: number;
}

/** Shifts per person at most: two years of two a day. */
export const shiftsMax = 1_500;

/** Further persons are left out. */
export const workersMax = 60;

interface Builder {
  readonly worker: string;
  readonly shifts: RecordedShift[];
  readonly neutralDays: number[];
  readonly weeklyTotals: ({ week: string; minutes: number } & Range)[];
  readonly statedDays: StatedDay[];
  ambiguousDates: number;
  unread: number;
}

/** The cells of tables by the start of their row, empty ones included. */
export type RowCells = ReadonlyMap<number, readonly string[]>;

/** Rows by the positions of their own cells: where clock times are taken for headings, the body may be narrower than the table. */
export function gridRows(table: Table): (readonly Cell[])[] {
  const rows = [...table.headerRows, ...table.rows.map(({ cells }) => cells.filter((cell) => cell !== undefined))];
  const all = rows.flat();
  const isCounted = (rows[0] ?? []).every(({ from }, index) => from === index) && all.every(({ from }) => from < 64);
  if (!isCounted) return fullRows(table);
  const width = all.reduce((most, { from }) => Math.max(most, from + 1), 0);
  return rows.map((cells) => {
    const at = cells[0]?.start ?? table.start;
    const row = Array.from(
      { length: width },
      (_, column): Cell => ({
        text: '',
        start: at,
        end: at,
        from: column,
        to: column + 1,
      }),
    );
    for (const cell of cells) row[cell.from] = cell;
    return row;
  });
}

export function rowCellsOf({ tables }: Pick<Document, 'tables'>): RowCells {
  return new Map(
    tables.flatMap((table) =>
      gridRows(table).map((cells) => {
        const start = cells.find(({ text }) => text !== '')?.start ?? table.start;
        return [start, cells.map(({ text }) => text.trim())] as const;
      }),
    ),
  );
}

/** One per person, in the order of their first lines. */
export function readTimesheets(text: string, rows: RowCells = new Map()): Timesheet[] {
  const dates = findDates(text);
  const sheets = new Map<string, Builder>();
  let heading = '';
  let columns: Columns | undefined;
  let year: string | undefined;
  let index = 0;
  for (const { start, end } of splitLines(text)) {
    while (index < dates.length && dates[index]!.start < start) index += 1;
    if (end - start > 400 || end === start) continue;
    const line = text.slice(start, end);
    heading = workerHeading(line) ?? heading;
    const cells = rows.get(start) ?? cellsOf(line);
    columns = readColumns(cells) ?? columns;
    const known = dates[index] !== undefined && dates[index]!.end <= end ? dates[index] : undefined;
    year = known?.iso.slice(0, 4) ?? year;
    const full = known?.iso.length === 10 ? known : undefined;
    const date = isProse(line) ? undefined : (full ?? dayOfYear(line, year));
    const weekly = date === undefined ? weeklyTotal(line) : undefined;
    if (date === undefined && weekly === undefined) continue;
    const worker = columns?.worker === undefined ? heading : (cells[columns.worker]?.slice(0, 60) ?? heading);
    if (!sheets.has(worker) && sheets.size >= workersMax) continue;
    const sheet: Builder = sheets.get(worker) ?? {
      worker,
      shifts: [],
      neutralDays: [],
      weeklyTotals: [],
      statedDays: [],
      ambiguousDates: 0,
      unread: 0,
    };
    if (weekly !== undefined) {
      sheets.set(worker, sheet);
      if (sheet.weeklyTotals.length < shiftsMax) sheet.weeklyTotals.push({ ...weekly, start, end });
    } else if (date !== undefined && takeDay(sheet, { line, cells }, dayNumber(date.iso), { start, end }, columns)) {
      if (date.ambiguous) sheet.ambiguousDates += 1;
      sheets.set(worker, sheet);
    }
  }
  return [...sheets.values()];
}

/** Records have few words; "on 4 March we met from 10:00 to 11:30 in the office" is no shift. */
const recordWordsMax = 10;

function isProse(line: string): boolean {
  return (line.match(/\p{L}{2,}/gu)?.length ?? 0) > recordWordsMax;
}

/** "Mon 04.03. 08:00-17:00", in the year that was named last. */
function dayOfYear(line: string, year: string | undefined): { iso: string; ambiguous: boolean } | undefined {
  const match = /^[\s|*-]{0,6}(?:\p{L}{2,10}[.,]{0,2}[ |]{1,3})?(\d{1,2})\. ?(\d{1,2})\.(?!\d)/u.exec(line);
  if (match === null || year === undefined) return undefined;
  const [day, month] = [Number(match[1]), Number(match[2])];
  return isCalendarDay(Number(year), month, day)
    ? { iso: isoDate(Number(year), month, day), ambiguous: false }
    : undefined;
}

/** Which cells of a table hold what. */
interface Columns {
  readonly worker: number | undefined;
  readonly pause: number | undefined;
  /** Totals, which are no times of day. */
  readonly totals: readonly number[];
  /** Hours worked in the row, as printed. */
  readonly stated: number | undefined;
  readonly count: number;
}

/** Lines of CSV with four cells or more; "a, b" has a blank after its comma. */
const commas = /^(?:"[^"]*"|[^,;|\t"\n]*)(?:,(?! )(?:"[^"]*"|[^,;|\t"\n]*)){3}/;

function commaCells(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, bare] of line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,"]*))/g))
    cells.push((quoted ?? bare ?? '').trim());
  return cells;
}

function cellsOf(line: string): string[] {
  if (commas.test(line)) return commaCells(line);
  const mark = line.includes('|') ? '|' : line.includes('\t') ? '\t' : line.includes(';') ? ';' : undefined;
  const cells = mark === undefined ? line.trim().split(/ {2,20}/) : line.split(mark).map((cell) => cell.trim());
  return mark === '|' && cells[0] === '' ? cells.slice(1, cells.at(-1) === '' ? -1 : undefined) : cells;
}

const dateHeading = /^(?:date|day|datum|tag|den|jour|date worked)$/;
const breakHeading = /^(?:breaks?|pausen?|prestavk[ay]|rest break|unpaid break)\b/;
const totalHeading =
  /^(?:hours?|total|sum|net|paid|overtime|worked|hodiny|celkem|prescas|stunden|gesamt|netto|uberstunden|heures|horas|ore|uren|totaal|totale)\b/;
const statedHeading =
  /^(?:hours?(?: worked)?|total(?: hours)?|net(?: hours)?|worked|hodiny|celkem|stunden|gesamt|netto|heures|horas|ore|uren|totaal|totale)(?: h)?$/;
const workerHeadingShape =
  /^(?:employee|worker|name|employee name|staff member|operative|driver|werknemer|medewerker|naam|trabajador|trabajadora|empleado|nombre|dipendente|nome|mitarbeiter|mitarbeiterin|arbeitnehmer|zamestnanec|jmeno|salarie|nom)$/;

function readColumns(row: readonly string[]): Columns | undefined {
  const cells = row.map((cell) => normaliseName(cell.slice(0, 80)));
  if (cells.length < 3 || !cells.some((cell) => dateHeading.test(cell))) return undefined;
  const all = (shape: RegExp) => cells.flatMap((cell, index) => (shape.test(cell) ? [index] : []));
  return {
    worker: all(workerHeadingShape)[0],
    pause: all(breakHeading)[0],
    totals: all(totalHeading),
    stated: all(statedHeading)[0],
    count: cells.length,
  };
}

function workerHeading(line: string): string | undefined {
  const match =
    /^[\s#*]{0,8}(?:(?:Employee|Worker|Staff)(?: name)?|Name|Operative|Driver|Guard|Watchman|Nurse|Carer|Consultant|Contractor|Mitarbeiter(?:in)?|Arbeitnehmer(?:in)?|Zam[ěe]stnanec|Salari[ée]e?|Nom|Trabajador(?:a)?|Empleado|Werknemer|Medewerker|Naam|Dipendente|Lavoratore)[ \t]{0,4}:[ \t]{0,4}([^|;\t]{1,60})/iu.exec(
      line,
    );
  return match?.[1]?.replaceAll('*', '').split(/ {2}/, 1)[0]?.trim();
}

const timeShape = /(?<![\d:.,])([01]?\d|2[0-4])(?::|h)([0-5]\d)(?!\d|:\d)(?:[ \u00a0]?([ap])\.?m\b)?/gi;
const neutralShape =
  /\b(?:annual leave|paid leave|on leave|sick|sick leave|vacation|holiday|urlaub|krank|dovolena|nemoc|conge|maladie)\b/;

/** @returns whether the line belongs to a timesheet */
function takeDay(
  sheet: Builder,
  { line, cells }: { readonly line: string; readonly cells: readonly string[] },
  day: number,
  range: Range,
  columns: Columns | undefined,
): boolean {
  const fits = columns !== undefined && cells.length === columns.count;
  const pauseCell = fits && columns.pause !== undefined ? cells[columns.pause] : undefined;
  const rest = fits ? cells.filter((_, at) => at !== columns.pause && !columns.totals.includes(at)).join(' | ') : line;
  const pauseText = /\b(?:break|pause|přestávka|prestavka|lunch)\b[^|;\n]{0,40}/iu.exec(rest)?.[0] ?? '';
  const times = [...rest.replace(pauseText, '').matchAll(timeShape)].map(minutesOfDay);
  if (times.length === 0) {
    if (!neutralShape.test(normaliseName(line))) return false;
    if (sheet.neutralDays.length < shiftsMax) sheet.neutralDays.push(day);
    return true;
  }
  // A fifth or third time is a total of the day.
  const pairs = Math.floor(times.length / 2);
  if (pairs === 0 || sheet.shifts.length >= shiftsMax) {
    sheet.unread += 1;
    return sheet.shifts.length > 0;
  }
  const pause = pauseMinutes(pauseCell ?? pauseText);
  let computed = 0;
  for (let pair = 0; pair < Math.min(pairs, 3); pair += 1) {
    const from = times[pair * 2]!;
    const until = times[pair * 2 + 1]!;
    const start = day * 1_440 + from;
    const end = day * 1_440 + (until > from ? until : until + 1_440);
    // A pause belongs to the first stretch that is long enough for it.
    const breakMinutes = pair === 0 && pause < end - start ? pause : 0;
    computed += end - start - breakMinutes;
    sheet.shifts.push({ start, end, breakMinutes, line: range });
  }
  const stated = fits && columns.stated !== undefined ? hoursCell(cells[columns.stated] ?? '') : undefined;
  if (stated !== undefined) sheet.statedDays.push({ day, stated, computed, ...range });
  return true;
}

function minutesOfDay(match: RegExpMatchArray): number {
  const half = match[3]?.toLowerCase();
  const hour = Number(match[1]);
  const adjusted = half === 'p' && hour < 12 ? hour + 12 : half === 'a' && hour === 12 ? 0 : hour;
  return adjusted * 60 + Number(match[2]);
}

/** "30", "30 min", "0:30", "0.5 h", "12:00-12:30". */
function pauseMinutes(text: string): number {
  const times = [...text.matchAll(timeShape)].map(minutesOfDay);
  if (times.length >= 2) return Math.max(0, times[1]! - times[0]!);
  if (times.length === 1) return times[0]!;
  const hours = /(\d{1,2})(?:[.,](\d{1,2}))?[ \u00a0]?(?:h|hours?|hod|std|stunden?)\b/iu.exec(text);
  if (hours !== null) return Number(hours[1]) * 60 + Math.round(Number(`0.${hours[2] ?? '0'}`) * 60);
  const minutes = /\d{1,3}/.exec(text);
  return minutes === null ? 0 : Number(minutes[0]);
}

/** Minutes of "8:15", "8h15", "8.25", "8,25 h"; undefined for codes and dashes. */
export function hoursCell(text: string): number | undefined {
  const match = /^[|\s]{0,4}(\d{1,3})(?:([:h.,])(\d{1,2}))?\s?(?:h|hrs?|hours|std\.?)?[|\s]{0,4}$/iu.exec(text);
  if (match === null) return undefined;
  const [, hours, mark, rest = ''] = match;
  const isClock = mark === ':' || mark?.toLowerCase() === 'h';
  return Number(hours) * 60 + (isClock ? Number(rest) : Math.round(Number(`0.${rest || '0'}`) * 60));
}

function weeklyTotal(line: string): { week: string; minutes: number } | undefined {
  const match =
    /^[\s|*-]{0,8}((?:Week|Wk|KW|Woche|T[ýy]den|Semaine)[ \t.]{0,3}\d{1,2}(?:[/ ]\d{4})?)[^\d\n]{1,40}(\d{1,3})(?:[.,:](\d{1,2}))?[ \t]{0,2}(?:\||h\b|hours?\b|hrs?\b|hod|std|stunden|heures)/iu.exec(
      line,
    );
  if (match === null) return undefined;
  const isClock = /:\d{2}/.test(match[0]);
  const fraction = match[3] === undefined ? 0 : isClock ? Number(match[3]) : Math.round(Number(`0.${match[3]}`) * 60);
  return { week: match[1]!.trim(), minutes: Number(match[2]) * 60 + fraction };
}
