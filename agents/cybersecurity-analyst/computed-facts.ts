/** The durations of an incident from the times that a model listed and the document confirmed. */
import type { ComputedFacts } from '../agent/agent.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

/** What is measured, between which points. */
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
  const minutesAt = (point: string): number | undefined => {
    const found = points.get(point) ?? [];
    // Two starts are two incidents.
    return found.length === 1 ? minutesOf(found[0]!.value) : undefined;
  };
  return intervals.flatMap(([of, from, to]): Fact[] => {
    const [begin, end] = [minutesAt(from), minutesAt(to)];
    if (begin === undefined || end === undefined || end < begin) return [];
    return [{ kind: 'incident_duration', value: { of, minutes: Math.round(end - begin) } }];
  });
};

/** Without a year, the day belongs to any one year; an incident around a new year has none. */
function minutesOf({ date, day, time }: Readonly<Record<string, FactValue>>): number | undefined {
  const [, hours, minutes, seconds = '0'] = /^(\d\d?):(\d\d)(?::(\d\d))?$/.exec(String(time)) ?? [];
  const midnight = Date.parse(`${date ?? `2000-${day ?? '01-01'}`}T00:00Z`);
  if (hours === undefined || Number.isNaN(midnight)) return undefined;
  return midnight / 60_000 + Number(hours) * 60 + Number(minutes) + Number(seconds) / 60;
}
