/** Periods as a document gives them: a count and a unit. 72 hours are not 3 days. */
import type { FoundDuration } from '../text/durations.ts';
import type { Range } from '../text/span.ts';

export interface Period {
  readonly count: number;
  /** "hour", "day", "business day", "week", "month", "year"; "business hour" and "minute" also occur. */
  readonly unit: string;
}

export interface FoundPeriod extends Range {
  readonly period: Period;
}

/** A quarter counts as three months. */
export function periodOf({ count, unit, business }: FoundDuration): Period {
  if (unit === 'quarter') return { count: Number(count) * 3, unit: 'month' };
  return { count: Number(count), unit: business ? `business ${unit}` : unit };
}

/** "72 hours", "1 business day". */
export function shownPeriod({ count, unit }: Period): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
