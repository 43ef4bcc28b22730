/** Daily rest, breaks and weekly rest: articles 3, 4 and 5 of Directive 2003/88/EC. */
import { hoursText, isoOfDay, mondayOf } from './calendar.ts';
import { hour, limits, minutesPerDay, type Shift, type WorkingDay } from './shifts.ts';

export interface Breach {
  readonly rule: 'daily_rest' | 'spread_over_13_hours' | 'break' | 'weekly_rest' | 'weekly_rest_35';
  readonly article: string;
  /** The day of the breach, or the Monday of its week. */
  readonly date: string;
  /** The recorded duration, in hours and minutes. */
  readonly recorded: string;
  readonly required: string;
}

/** Checks each working day, and the rest until the next one. */
export function dailyBreaches(days: readonly WorkingDay[]): Breach[] {
  return days.flatMap((day, index) => {
    const next = days[index + 1];
    const breaches: Breach[] = [];
    const rest = next === undefined ? undefined : next.start - day.end;
    if (rest !== undefined && rest < limits.dailyRest * hour) {
      breaches.push(breach('daily_rest', '3', next!.day, rest, '11:00 between two working days'));
    }
    if (day.end - day.start > 13 * hour) {
      breaches.push(
        breach(
          'spread_over_13_hours',
          '3',
          day.day,
          day.end - day.start,
          'at most 13:00 from first start to last end, for 11:00 of rest in 24',
        ),
      );
    }
    if (day.worked > limits.breakAfter * hour && day.pauses === 0) {
      breaches.push(
        breach('break', '4', day.day, day.worked, 'a break, because the day is longer than 6:00; none is recorded'),
      );
    }
    return breaches;
  });
}

function breach(rule: Breach['rule'], article: string, day: number, minutes: number, required: string): Breach {
  return { rule, article, date: isoOfDay(day), recorded: hoursText(Math.max(0, minutes)), required };
}

/** Calendar weeks that are completely inside the record. A rest period belongs to the week of its midpoint. */
export function weeklyBreaches(shifts: readonly Shift[], from: number, to: number): Breach[] {
  const sorted = [...shifts].sort((a, b) => a.start - b.start);
  const longest = new Map<number, number>();
  let freeFrom = from * minutesPerDay;
  const rest = (until: number) => {
    const monday = mondayOf(Math.floor((freeFrom + until) / 2 / minutesPerDay));
    longest.set(monday, Math.max(longest.get(monday) ?? 0, until - freeFrom));
  };
  for (const shift of sorted) {
    if (shift.start > freeFrom) rest(shift.start);
    freeFrom = Math.max(freeFrom, shift.end);
  }
  rest((to + 1) * minutesPerDay);
  return fullWeeks(from, to).flatMap((monday) => {
    const minutes = longest.get(monday) ?? 0;
    // A rest period of a week or more leaves the weeks inside it without a separate one.
    if (!sorted.some((shift) => shift.end > monday * minutesPerDay && shift.start < (monday + 7) * minutesPerDay))
      return [];
    if (minutes < limits.weeklyRest * hour) {
      return [
        breach('weekly_rest', '5', monday, minutes, '24:00 without interruption in seven days, plus the daily 11:00'),
      ];
    }
    if (minutes < (limits.weeklyRest + limits.dailyRest) * hour) {
      return [
        breach(
          'weekly_rest_35',
          '5',
          monday,
          minutes,
          '35:00; 24:00 only for objective, technical or work organisation reasons',
        ),
      ];
    }
    return [];
  });
}

/** Mondays of the calendar weeks that are completely between two days. */
export function fullWeeks(from: number, to: number): number[] {
  const weeks: number[] = [];
  for (let monday = mondayOf(from + 6); monday + 6 <= to; monday += 7) weeks.push(monday);
  return weeks;
}
