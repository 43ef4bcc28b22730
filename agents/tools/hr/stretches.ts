/** The work periods and the break in one row of a time record. */
import { clockTimes, pauseMinutes } from './clock-times.ts';
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
  const text = pauseWords.exec(line)?.[0];
  return text === undefined ? { pause: 0, hasPause: false } : { pause: pauseMinutes(text) ?? 0, hasPause: true };
}

const pauseWords = /\b(?:break|pause|přestávka|prestavka|lunch)\b[^|;\n]{0,40}/iu;

/** A line without columns, or one with more or fewer cells than its heading. */
export function stretchesOfLine(
  line: string,
  cells: readonly string[],
  columns: Columns | undefined,
): Stretches | 'none' | 'unclear' {
  const rest = line.replace(pauseWords, '');
  const times = clockTimes(rest);
  if (times.length === 0) return 'none';
  // In a table, the cells of a row with another width cannot be assigned to columns.
  if (columns !== undefined && cells.length >= 3 && cells.length !== columns.count) return 'unclear';
  return paired(times, pauseOfLine(line));
}

/** A third or fifth time is a total of the day. */
function paired(times: readonly number[], pause: Pause | undefined): Stretches | 'unclear' {
  const pairs = Math.min(3, Math.floor(times.length / 2));
  if (pairs === 0 || pause === undefined) return 'unclear';
  return {
    stretches: Array.from({ length: pairs }, (_, nth) => [times[nth * 2]!, times[nth * 2 + 1]!] as const),
    ...pause,
  };
}
