/** Shifts, the days that they form, and the limits that apply to them. */

/** In minutes. */
export const minutesPerDay = 1_440;
export const hour = 60;

/** Minutes are counted from 1970-01-01. */
export interface Shift {
  readonly start: number;
  readonly end: number;
  /** Unpaid breaks inside the shift. */
  readonly breakMinutes: number;
}

/** The limits of the directive, in hours unless named otherwise. */
export const limits = {
  weeklyAverage: 48,
  dailyRest: 11,
  weeklyRest: 24,
  breakAfter: 6,
  nightDaily: 8,
  referenceWeeks: 17,
} as const;

export interface WorkingDay {
  /** The day on which the first shift begins. */
  readonly day: number;
  readonly start: number;
  readonly end: number;
  readonly worked: number;
  /** Breaks inside shifts, and gaps between shifts of the day. */
  readonly pauses: number;
}

/** In the order of the calendar. */
export function workingDays(shifts: readonly Shift[]): WorkingDay[] {
  const byDay = new Map<number, Shift[]>();
  for (const shift of shifts) {
    const day = Math.floor(shift.start / minutesPerDay);
    byDay.set(day, [...(byDay.get(day) ?? []), shift]);
  }
  return [...byDay]
    .sort(([a], [b]) => a - b)
    .map(([day, own]) => {
      const start = Math.min(...own.map((shift) => shift.start));
      const end = Math.max(...own.map((shift) => shift.end));
      const worked = own.reduce((sum, shift) => sum + minutesOf(shift), 0);
      return { day, start, end, worked, pauses: Math.max(0, end - start - worked) };
    });
}

/** Worked, breaks taken off. */
export function minutesOf({ start, end, breakMinutes }: Shift): number {
  return Math.max(0, end - start - breakMinutes);
}
