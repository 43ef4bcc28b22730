/** Years of records without one, from the dated records of the same text: syslog next to an access log. */
import { type LogRecord, recordOf } from './log-record.ts';

const dayMs = 86_400_000;
/** A record is of the year in which its day is this near to a dated record; other years are at least ten months away. */
const nearDays = 45;

/** Records whose year no dated record determines stay without one. */
export function withYears(records: readonly LogRecord[]): readonly LogRecord[] {
  const days = [...new Set(records.flatMap(({ time }) => time?.date ?? []))]
    .map(dayNumber)
    .sort((one, other) => one - other);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return records;
  const years = new Set([first, last].flatMap((day) => [-1, 0, 1].map((step) => yearOf(day) + step)));
  const known = new Map<string, string | undefined>();
  const dateOf = (day: string) => {
    if (!known.has(day)) known.set(day, nearDate(day, years, days));
    return known.get(day);
  };
  return records.map((record) => {
    const { time } = record;
    const date = time?.day === undefined ? undefined : dateOf(time.day);
    return date === undefined ? record : recordOf({ ...record, time: { date, time: time!.time } });
  });
}

function nearDate(day: string, years: ReadonlySet<number>, days: readonly number[]): string | undefined {
  const near = [...years]
    .map((year) => `${year}-${day}`)
    .filter((date) => {
      const at = dayNumber(date);
      return !Number.isNaN(at) && days.some((other) => Math.abs(other - at) <= nearDays);
    });
  return near.length === 1 ? near[0] : undefined;
}

const dayNumber = (date: string): number => Date.parse(date) / dayMs;
const yearOf = (day: number): number => new Date(day * dayMs).getUTCFullYear();
