/** The durations of an incident from the times that a model listed and the document confirmed. */
import type { ComputedFacts } from '../agent/agent.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

/** The measure, and the two points between which it lasts. */
const intervals = [
  ['impact', 'start', 'mitigation'],
  ['detection', 'start', 'detection'],
  ['mitigation', 'detection', 'mitigation'],
] as const;

export const computedFacts: ComputedFacts = (listed) => {
  const points = Map.groupBy(
    listed.filter(({ kind }) => kind === 'time_point'),
    ({ value }) => value.point,
  );
  // Two starts are two incidents.
  const onlyPoint = (name: string) => (points.get(name)?.length === 1 ? points.get(name)![0]!.value : undefined);
  return intervals.flatMap(([of, from, to]): Fact[] => {
    const [begin, end] = [onlyPoint(from), onlyPoint(to)];
    if (begin === undefined || end === undefined || dayForm(begin) !== dayForm(end)) return [];
    const minutes = minutesOf(end) - minutesOf(begin);
    return minutes >= 0 ? [{ kind: 'incident_duration', value: { of, minutes: Math.round(minutes) } }] : [];
  });
};

type Values = Readonly<Record<string, FactValue>>;

/** Times with a date are not compared with times that have only a day, or none. */
function dayForm({ date, day }: Values): string {
  return date !== undefined ? `date ${String(date).length}` : day !== undefined ? 'day' : 'none';
}

/** Without a year, the day belongs to any one year. @returns NaN without a whole date and a time */
function minutesOf({ date, day, time }: Values): number {
  const [, hours, minutes, seconds = '0'] = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(String(time)) ?? [];
  if (date !== undefined && String(date).length < 10) return Number.NaN;
  const midnight = Date.parse(`${date ?? `2000-${day ?? '01-01'}`}T00:00Z`);
  return midnight / 60_000 + Number(hours) * 60 + Number(minutes) + Number(seconds) / 60;
}
