/** The work periods and the break in one row of a time record. */
import { clockTimes, hoursCell, pauseMinutes } from './clock-times.ts';
import type { Columns } from './timesheet-columns.ts';

export interface Stretches {
  readonly stretches: readonly (readonly [number, number])[];
  readonly pause: number;
  /** Whether the row states how long the break was. */
  readonly hasPause: boolean;
}

/** The times in the columns for start and end; 'unclear' if a cell contains something else. */
export function stretchesByColumn(cells: readonly string[], columns: Columns): Stretches | 'none' | 'unclear' {
  if (columns.stretches.length === 0) {
    const isHoursOnly = columns.isPlan || columns.stated !== undefined;
    const rest = cells.filter((_, at) => !columns.excluded.has(at)).join(' | ');
    const times = clockTimes(rest);
    if (times.length === 0 || (isHoursOnly && columns.isPlan)) return 'none';
    return paired(times, pauseByColumn(cells, columns, rest));
  }
  const stretches: [number, number][] = [];
  for (const [from, to] of columns.stretches) {
    const times = from === to ? clockTimes(cells[from]!) : [cells[from]!, cells[to]!].flatMap((cell) => oneTime(cell));
    // "7:30" below "Worked" is a number of hours and not a time of day.
    if (times.length === 0 || (from === to && times.length === 1)) continue;
    if (times.length !== 2) return 'unclear';
    stretches.push([times[0]!, times[1]!]);
  }
  if (stretches.length === 0) return 'none';
  const pause = pauseByColumn(cells, columns, cells.filter((_, at) => !columns.excluded.has(at)).join(' | '));
  return pause === undefined ? 'unclear' : { stretches, ...pause };
}

function oneTime(cell: string): number[] {
  const times = clockTimes(cell, true);
  return times.length === 1 ? times : [];
}

type Pause = { readonly pause: number; readonly hasPause: boolean };

/** @returns undefined if the cell is not the length of a break */
function pauseByColumn(cells: readonly string[], columns: Columns, rest: string): Pause | undefined {
  if (columns.pauses.length > 0) {
    const ends = columns.pauses.map(([from, to]) => [...oneTime(cells[from]!), ...oneTime(cells[to]!)]);
    if (ends.some(({ length }) => length === 1)) return undefined;
    const pause = ends.reduce((sum, [from, to]) => sum + (from === undefined ? 0 : (to! - from + 1_440) % 1_440), 0);
    return { pause, hasPause: true };
  }
  if (columns.pause === undefined) return pauseOfLine(rest);
  const pause = pauseMinutes(cells[columns.pause] ?? '');
  return pause === undefined ? undefined : { pause, hasPause: true };
}

function pauseOfLine(line: string): Pause {
  const minutes = statedPause(line);
  return minutes === undefined ? { pause: 0, hasPause: false } : { pause: minutes, hasPause: true };
}

const pauseWord = String.raw`(?:breaks?|pausen?|přestávk\p{L}|prestavk\p{L}|lunch|meal|mittag\p{L}*|pausa|pauze|descanso|repas|déjeuner|comida|pranzo)`;
const noPause = new RegExp(
  String.raw`(?<!\p{L})(?:no|without|kein\p{L}*|ohne|sans|aucune|sin|geen|senza) (?:\p{L}+ )?${pauseWord}`,
  'iu',
);
const pauseBehind = new RegExp(
  String.raw`(?<![\d:.,])(\d{1,3}) ?(?:min(?:ute)?[ns]?\b\.?|['′])[ -]{0,2}(?:of |for |unpaid |paid |unbezahlte |de )?${pauseWord}`,
  'iu',
);
const halfHour = new RegExp(
  String.raw`(?:half an hour|half[- ]hour|halbe Stunde|demi-heure|media hora|mezz['’]ora)(?: \p{L}+){0,2}? ${pauseWord}|${pauseWord}(?: of)? half an hour`,
  'iu',
);
const wholeHour = new RegExp(
  String.raw`(?:an|one|1) hour(?: \p{L}+){0,2}? ${pauseWord}|${pauseWord}(?: of)? (?:an|one) hour`,
  'iu',
);
/** Up to a wider gap, behind which another figure begins. */
const pauseAhead = new RegExp(String.raw`(?<!\p{L})${pauseWord}(?!\p{L})(?:[^|;\n\t ]| (?! )){0,40}`, 'iu');

/** Minutes of the break that a line names: "lunch 30 min", "45 minutes break", "half an hour for lunch", "no break". */
function statedPause(line: string): number | undefined {
  if (noPause.test(line)) return 0;
  const behind = pauseBehind.exec(line)?.[1];
  if (behind !== undefined) return Number(behind);
  if (halfHour.test(line)) return 30;
  if (wholeHour.test(line)) return 60;
  const ahead = pauseAhead.exec(line)?.[0];
  return ahead === undefined ? undefined : (pauseMinutes(ahead.replace(/\(.*$/u, '')) ?? 0);
}

/** A line without columns, or one with more or fewer cells than its heading. */
export function stretchesOfLine(
  line: string,
  cells: readonly string[],
  columns: Columns | undefined,
): Stretches | 'none' | 'unclear' {
  const rest = withColons(line.replace(pauseAhead, ''));
  const times = clockTimes(rest);
  if (times.length === 0) return 'none';
  // In a table, the cells of a row with another width cannot be assigned to columns.
  if (columns !== undefined && cells.length >= 3 && cells.length !== columns.count) return 'unclear';
  const proven = times.length === 2 ? provenPause(line, times) : undefined;
  return paired(times, proven ?? pauseOfLine(line));
}

const unmarked =
  /(?<![\d:.,/-])(?:([01]?\d|2[0-4])\.([0-5]\d) ?[-–—] ?([01]?\d|2[0-4])\.([0-5]\d)|(?!(?:19|20)\d\d ?[-–—] ?(?:19|20)\d\d)([01]\d|2[0-4])([0-5]\d) ?[-–—] ?([01]\d|2[0-4])([0-5]\d))(?![\d:/]|,\d|\.\d|\.-)/gu;

/** "07.00-15.30" and "0700-1530", behind the date of a row. */
function withColons(line: string): string {
  return line.replace(unmarked, (...match) => {
    const [from, fromMinutes, to, toMinutes] = match.slice(1, 9).filter((part) => part !== undefined);
    return `${from}:${fromMinutes}-${to}:${toMinutes}`;
  });
}

const figuresBehind =
  /\d[:.h]\d\d(?: ?[ap]\.?m\.?)?[ |\t]{1,20}(\d{1,3}|\d{1,2}:\d\d)[ |\t]{1,20}(\d{1,2}(?:[.,:]\d{1,2})?)[ |\t]{0,4}$/iu;

/** "08:30 17:00 30 8.00": the first figure is the break if the second one is the hours that are left. */
function provenPause(line: string, [from, to]: readonly number[]): Pause | undefined {
  const [, first, second] = figuresBehind.exec(line) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const pause = first.includes(':') ? hoursCell(first) : Number(first);
  const hours = hoursCell(second);
  if (pause === undefined || hours === undefined || pause > 180) return undefined;
  const span = (to! - from! + 1_440) % 1_440;
  return Math.abs(span - pause - hours) <= 1 ? { pause, hasPause: true } : undefined;
}

/** A third or fifth time is a total of the day. */
function paired(times: readonly number[], pause: Pause | undefined): Stretches | 'unclear' {
  const pairs = Math.min(3, Math.floor(times.length / 2));
  if (pairs === 0 || pause === undefined) return 'unclear';
  const stretches = Array.from({ length: pairs }, (_, nth) => [times[nth * 2]!, times[nth * 2 + 1]!] as const);
  return isInOrder(stretches) ? { stretches, ...pause } : 'unclear';
}

/** Whether each period begins after the previous one, within a day: "18:00 06:00 1:00 11:00" ends with a break and a total. */
function isInOrder(stretches: readonly (readonly [number, number])[]): boolean {
  const span = (from: number, to: number) => (to - from + 1_440) % 1_440;
  let passed = 0;
  for (const [index, [from, to]] of stretches.entries()) {
    passed += (index === 0 ? 0 : span(stretches[index - 1]![1], from)) + span(from, to);
  }
  return stretches.length === 1 || passed <= 1_440;
}
