/** Reads shifts, days of leave and weekly totals out of timesheets: lines with a date and times, with or without columns. */
import { normaliseName } from '../financial/line-items.ts';
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import { dayNumber, mondayOf } from './calendar.ts';
import { clockTimes, hoursCell } from './clock-times.ts';
import { HiddenPauses } from './hidden-pauses.ts';
import { type Punch, pairPunches, punchOfLine } from './punches.ts';
import { RecordDates } from './record-dates.ts';
import { labelIn, nameInTitle, severalPeople } from './record-names.ts';
import { isTotalRow, printedTotalOf } from './record-totals.ts';
import { cellsOf, type RowCells } from './row-cells.ts';
import { minutesOf, minutesPerDay, type Shift } from './shifts.ts';
import { stretchesByColumn, stretchesOfLine } from './stretches.ts';
import { belowHeadings, type Columns, readColumns } from './timesheet-columns.ts';
import { isWeekday } from './weekdays.ts';

export interface RecordedShift extends Shift {
  /** Position of the line in the text. */
  readonly line: Range;
}

export interface Timesheet {
  /** The person as named in the text; "" if none is named. */
  readonly worker: string;
  readonly shifts: readonly RecordedShift[];
  /** Day numbers with leave or sickness and no times. */
  readonly neutralDays: readonly number[];
  /** "Week 12: 52 hours". */
  readonly weeklyTotals: readonly ({ readonly week: string; readonly minutes: number } & Range)[];
  /** Rows whose printed hours can be compared with their times. */
  readonly statedDays: readonly StatedDay[];
  readonly printedDays: readonly PrintedDay[];
  readonly statedTotals: readonly StatedTotal[];
  /** Whether most printed hours differ from the times, because a column was misread. */
  readonly isUncertain: boolean;
  /** Number of dates such as 03/04/2024, which were read as day first. */
  readonly ambiguousDates: number;
  /** Lines with a date and times that form no shift: an end without a start, or more than 24 hours. */
  readonly unread: number;
}

export interface StatedDay extends Range {
  readonly day: number;
  readonly stated: number;
  readonly computed: number;
  readonly hasPause: boolean;
  /** Index of the last shift of the row. */
  readonly shift: number;
}

/** A printed total of several rows, and their sum. */
export interface StatedTotal extends Range {
  readonly stated: number;
  readonly computed: number;
  /** The day number of the Monday, if all rows are of one week. */
  readonly monday?: number;
}

/** A day with printed hours and without times. */
export interface PrintedDay extends Range {
  readonly day: number;
  readonly minutes: number;
}

/** Maximum number of shifts per person: two a day for two years. */
export const shiftsMax = 1_500;

/** Further persons are left out. */
export const workersMax = 60;

interface Builder {
  readonly worker: string;
  readonly shifts: RecordedShift[];
  readonly neutralDays: number[];
  readonly weeklyTotals: ({ week: string; minutes: number } & Range)[];
  readonly statedDays: StatedDay[];
  readonly printedDays: PrintedDay[];
  readonly statedTotals: StatedTotal[];
  /** Shifts that are in a printed total already. */
  counted: number;
  readonly pauses: HiddenPauses;
  ambiguousDates: number;
  unread: number;
}

/** One per person, in the order of their first lines. */
export function readTimesheets(text: string, rows: RowCells = new Map()): Timesheet[] {
  const dates = new RecordDates(text);
  const sheets = new Map<string, Builder>();
  const punches: Punch[] = [];
  let heading = '';
  let title = '';
  let lastWorker = '';
  let columns: Columns | undefined;
  let headings: readonly string[] = [];
  for (const { start, end } of splitLines(text)) {
    if (end - start > 400 || end === start) continue;
    const line = text.slice(start, end);
    const labelled = labelIn(line);
    heading = labelled ?? heading;
    const shown = rows.get(start) ?? cellsOf(line);
    const heads = readColumns(shown);
    headings = heads === undefined ? headings : shown;
    const cells = belowHeadings(shown, headings);
    if (heads !== undefined) lastWorker = '';
    columns = heads ?? columns;
    const isTitle = cells.length <= 2 && clockTimes(line).length === 0;
    if (isTitle && labelled === undefined) title = nameInTitle(line) ?? title;
    if (labelled !== undefined) title = labelled;
    const inDates = columns?.date === undefined || heads !== undefined ? '' : (cells[columns.date] ?? '');
    // "Week of | Date | In | Out": the date is in its own column.
    const at = inDates.length < 8 ? 0 : Math.max(0, line.lastIndexOf(inDates));
    const date = isProse(line)
      ? undefined
      : (dates.dayOf(line.slice(at), start + at) ?? dates.dayOfCell(inDates, start));
    const weekly = date === undefined ? weeklyTotal(line) : undefined;
    const inColumn = columns?.worker === undefined ? '' : (cells[columns.worker]?.slice(0, 60) ?? '');
    if (date === undefined && weekly === undefined) {
      const sheet = sheets.get(columns?.worker === undefined ? title || heading : lastWorker || heading);
      if (sheet !== undefined) takeTotal(sheet, cellsOf(line), { start, end });
      continue;
    }
    // A name only in the first of several rows applies to the rows below.
    if (inColumn !== '') lastWorker = inColumn;
    const worker = columns?.worker === undefined ? title || heading : inColumn || lastWorker || heading;
    if (severalPeople.test(worker) || (!sheets.has(worker) && sheets.size >= workersMax)) continue;
    const sheet = sheets.get(worker) ?? newSheet(worker);
    if (weekly !== undefined) {
      sheets.set(worker, sheet);
      if (sheet.weeklyTotals.length < shiftsMax) sheet.weeklyTotals.push({ ...weekly, start, end });
    } else if (date !== undefined) {
      const day = dayNumber(date.iso);
      const punch =
        columns === undefined || columns.stretches.length === 0
          ? punchOfLine(line, cells, day, { start, end })
          : undefined;
      if (punch !== undefined) {
        punches.push(punch.worker === '' ? { ...punch, worker } : punch);
        continue;
      }
      if (!takeDay(sheet, { line, cells }, day, { start, end }, columns)) continue;
      if (date.ambiguous) sheet.ambiguousDates += 1;
      sheets.set(worker, sheet);
    }
  }
  addPunches(sheets, punches);
  return [...sheets.values()].map(settled);
}

export interface DayRecord {
  readonly day: number;
  readonly cells: readonly string[];
  readonly range: Range;
}

/** The record of one person whose days are given as rows. @param heads the headings of the cells */
export function readDayRecords(
  heads: readonly string[],
  days: readonly DayRecord[],
  worker: string,
): Timesheet | undefined {
  const columns = readColumns(heads);
  if (columns === undefined || severalPeople.test(worker)) return undefined;
  const sheet = newSheet(worker);
  for (const { day, cells, range } of days) takeDay(sheet, { line: cells.join(' | '), cells }, day, range, columns);
  return sheet.shifts.length + sheet.printedDays.length === 0 ? undefined : settled(sheet);
}

function newSheet(worker: string): Builder {
  return {
    worker,
    shifts: [],
    neutralDays: [],
    weeklyTotals: [],
    statedDays: [],
    printedDays: [],
    statedTotals: [],
    ambiguousDates: 0,
    unread: 0,
    counted: 0,
    pauses: new HiddenPauses(),
  };
}

/** The printed total below the rows of a person, and the sum of the shifts since the previous total. */
function takeTotal(sheet: Builder, cells: readonly string[], { start, end }: Range): void {
  if (!isTotalRow(cells) || sheet.shifts.length === sheet.counted) return;
  const minutes = printedTotalOf(cells, sheet.worker);
  const own = sheet.shifts.slice(sheet.counted);
  const computed = own.reduce((sum, shift) => sum + minutesOf(shift), 0);
  const mondays = new Set(own.map((shift) => mondayOf(Math.floor(shift.start / minutesPerDay))));
  const [monday] = mondays;
  sheet.counted = sheet.shifts.length;
  if (minutes !== undefined)
    sheet.statedTotals.push({
      stated: minutes,
      computed,
      ...(monday !== undefined && mondays.size === 1 ? { monday } : {}),
      start,
      end,
    });
}

function addPunches(sheets: Map<string, Builder>, punches: readonly Punch[]): void {
  for (const { worker, from, to, start, end } of pairPunches(punches)) {
    if (severalPeople.test(worker) || (!sheets.has(worker) && sheets.size >= workersMax)) continue;
    const sheet = sheets.get(worker) ?? newSheet(worker);
    sheets.set(worker, sheet);
    if (sheet.shifts.length < shiftsMax)
      sheet.shifts.push({ start: from, end: to, breakMinutes: 0, line: { start, end } });
  }
}

/** Records have few words; "on 4 March we met from 10:00 to 11:30 in the office" is not a shift. */
const recordWordsMax = 10;
/** Lines that begin with a weekday may describe the break in words. */
const diaryWordsMax = 16;

function isProse(line: string): boolean {
  const first = /^\W{0,6}(\p{L}{2,10})/u.exec(line)?.[1] ?? '';
  return (line.match(/\p{L}{2,}/gu)?.length ?? 0) > (isWeekday(first) ? diaryWordsMax : recordWordsMax);
}

const neutralShape =
  /\b(?:annual leave|paid leave|on leave|sick|sick leave|vacation|holiday|urlaub|krank|dovolena|nemoc|conge|maladie|vac|vacaciones|permiso|baja|festivo|ferie|malattia|vakantie|verlof|ziek)\b/;

/** The state of a row that does not count: entered twice, cancelled. */
const isWithdrawn =
  /^(?:vervallen|verwijderd|storno|storniert|gelöscht|ungültig|cancelled|canceled|void(?:ed)?|deleted|duplicate|annulée?|supprimée?|anulad[oa]|annullat[oa]|ogiltig|anulowan\p{L})$/iu;

/** @returns whether the line belongs to a timesheet */
function takeDay(
  sheet: Builder,
  { line, cells }: { readonly line: string; readonly cells: readonly string[] },
  day: number,
  range: Range,
  columns: Columns | undefined,
): boolean {
  if (isTotalRow([line]) || cells.some((cell) => isWithdrawn.test(cell.trim()))) return false;
  const fits = columns !== undefined && cells.length === columns.count;
  const read = fits ? stretchesByColumn(cells, columns) : stretchesOfLine(line, cells, columns);
  const stated = fits ? statedMinutes(cells, columns) : undefined;
  if (read === 'none') {
    if (neutralShape.test(normaliseName(line))) {
      if (sheet.neutralDays.length < shiftsMax) sheet.neutralDays.push(day);
      return true;
    }
    const isDay =
      fits &&
      stated !== undefined &&
      stated > 0 &&
      stated <= 1_440 &&
      columns.stretches.every(([from, to]) => from === to);
    if (isDay) addPrinted(sheet, { day, minutes: stated, ...range });
    return isDay;
  }
  if (read === 'unclear' || sheet.shifts.length >= shiftsMax) {
    sheet.unread += 1;
    return sheet.shifts.length > 0;
  }
  const hidden = fits && !read.hasPause ? sheet.pauses.ofRow(cells, columns, read.stretches, stated) : undefined;
  const pause = hidden ?? read.pause;
  const hasPause = read.hasPause || hidden !== undefined;
  let computed = 0;
  for (const [index, [from, until]] of read.stretches.entries()) {
    const start = day * 1_440 + from;
    const end = day * 1_440 + (until > from ? until : until + 1_440);
    // A break belongs to the first work period that is long enough for it.
    const breakMinutes = index === 0 && pause < end - start ? pause : 0;
    computed += end - start - breakMinutes;
    sheet.shifts.push({ start, end, breakMinutes, line: range });
  }
  if (stated !== undefined)
    sheet.statedDays.push({ day, stated, computed, hasPause, shift: sheet.shifts.length - 1, ...range });
  return true;
}

/** Several rows of a day are its tasks. */
function addPrinted({ worker, printedDays: days }: Builder, added: PrintedDay): void {
  const last = days.at(-1);
  if (worker !== '' && last?.day === added.day)
    days[days.length - 1] = { ...last, minutes: last.minutes + added.minutes };
  else if (days.length < shiftsMax) days.push(added);
}

function statedMinutes(cells: readonly string[], { stated, isInMinutes }: Columns): number | undefined {
  if (stated === undefined) return undefined;
  const cell = (cells[stated] ?? '').trim();
  return isInMinutes ? (/^\d{1,4}$/u.test(cell) ? Number(cell) : undefined) : hoursCell(cell);
}

/** Whether shifts without a name overlap: the rows are then those of several people, in a column that was not recognised. */
function isOfSeveral({ worker, shifts }: Builder): boolean {
  if (worker !== '') return false;
  const sorted = [...shifts].sort((one, other) => one.start - other.start);
  return sorted.some(({ start }, index) => index > 0 && start < sorted[index - 1]!.end);
}

/** Whether most rows differ from the printed hours: because of a break without a column, or a misread column. */
function settled(sheet: Builder): Timesheet {
  const { statedDays, shifts, pauses } = sheet;
  if (pauses.uncertainRows * 2 > shifts.length || isOfSeveral(sheet)) return { ...sheet, isUncertain: true };
  const differ = statedDays.filter(({ stated, computed }) => Math.abs(stated - computed) > 1);
  if (differ.length * 2 <= statedDays.length) return { ...sheet, isUncertain: false };
  const areBreaks = statedDays.every(
    ({ stated, computed, hasPause }) => !hasPause && stated <= computed + 1 && computed - stated <= 120,
  );
  if (!areBreaks) return { ...sheet, isUncertain: true };
  const less = new Map(statedDays.map(({ shift, stated, computed }) => [shift, Math.max(0, computed - stated)]));
  return {
    ...sheet,
    isUncertain: false,
    shifts: shifts.map((shift, at) => ({ ...shift, breakMinutes: shift.breakMinutes + (less.get(at) ?? 0) })),
    statedDays: statedDays.map((day) => ({ ...day, computed: day.stated })),
  };
}

const planWords =
  /\b(?:soll|planned|plan|scheduled|rostered|target|contracted|geplant|budget|prévue?s?|previst[oa]s?|gepland)\b/iu;

function weeklyTotal(line: string): { week: string; minutes: number } | undefined {
  const match =
    /^[\s|*-]{0,8}((?:Week|Wk|KW|Woche|T[ýy]den|Semaine)[ \t.]{0,3}\d{1,2}(?:[/ ]\d{4})?)[^\d\n]{1,40}(\d{1,3})(?:[.,:](\d{1,2}))?[ \t]{0,2}(?:\||h\b|hours?\b|hrs?\b|hod|std|stunden|heures)/iu.exec(
      line,
    );
  if (match === null) return undefined;
  // "KW 10: Soll 40,00 h, Ist 38,50 h": it is not certain which of several figures are the hours worked.
  const rest = line.slice(match[0].length);
  if (/\d{1,3}[.,:]\d{1,2}/.test(rest) || planWords.test(line)) return undefined;
  const isClock = /:\d{2}/.test(match[0]);
  const fraction = match[3] === undefined ? 0 : isClock ? Number(match[3]) : Math.round(Number(`0.${match[3]}`) * 60);
  return { week: match[1]!.trim(), minutes: Number(match[2]) * 60 + fraction };
}
