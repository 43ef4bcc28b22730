/** Withholds figures of a report that a newer message of the same thread or another place of the report does not confirm. */
import type { Document } from '../../document/document.ts';
import { type Certain, withhold } from '../left-out.ts';
import { type Impact, isRevisedEstimate } from './incident-impact.ts';
import type { IncidentDuration, IncidentReadings } from './incident-times.ts';
import { isQuotedMail } from './quoted-mail.ts';

export type Doubt = 'quoted' | 'revised' | 'different';

/** Why facts are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  quoted: 'only an older message below the newest one states them',
  revised: 'the report says that it replaces its estimates',
  different: 'the report states two different lengths',
};

export function certainImpacts(document: Document, impacts: readonly Impact[]): Certain<Impact, Doubt> {
  const current = new Set(
    impacts.flatMap(({ of, count, start }) => (isQuotedMail(document, start) ? [] : [`${of} ${count}`])),
  );
  return withhold(impacts, (impact) => {
    if (!current.has(`${impact.of} ${impact.count}`)) return 'quoted';
    return isRevisedEstimate(document, impact) ? 'revised' : undefined;
  });
}

/** A length that the report states in two ways is left out, also where it follows from two times. */
export function certainDurations({ durations, contested }: IncidentReadings): Certain<IncidentDuration, Doubt> {
  return { facts: durations, doubts: contested.map(() => 'different' as const) };
}
