/** The query of `GET /v1/usage`. */
import { type UsageGroup, type UsageQuery, usageGroups } from '@cloister/accounts/ledger/usage';
import { bodyReader, refuseField } from '../../http/body-reader.ts';
import { choice } from '../../schema/members.ts';
import { defaulted } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';

export interface UsageCall {
  readonly query: Omit<UsageQuery, 'accountId'>;
  readonly format: 'json' | 'csv';
}

const dayMs = 86_400_000;
/** Number of days by default. */
const daysShown = 30;

export const usageQuery = Type.Object({
  to: Type.Optional(Type.String({ format: 'date' })),
  from: Type.Optional(Type.String({ format: 'date' })),
  group_by: defaulted(
    Type.String({ description: 'One or more of day, model, key, agent, separated by commas.' }),
    'day',
  ),
  format: defaulted(choice(['json', 'csv']), 'json'),
});

/**
 * `from` and `to` are UTC days, the last 30 by default; `group_by` is one or more of day, model, key and agent.
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readUsageCall(query: unknown, { now }: { now: number }): UsageCall {
  const read = bodyReader.open(usageQuery, query);
  const to = read.get('to') ?? isoDay(now);
  const lastMs = Date.parse(`${to}T00:00:00Z`);
  const from = read.get('from') ?? isoDay((Number.isNaN(lastMs) ? now : lastMs) - (daysShown - 1) * dayMs);
  return { query: { from, to, groups: readGroups(read.get('group_by')) }, format: read.get('format') };
}

function readGroups(groupBy: string): readonly UsageGroup[] {
  const names = groupBy.split(',').filter((name) => name !== '');
  const groups = usageGroups.filter((group) => names.includes(group));
  if (groups.length === new Set(names).size) return groups;
  return refuseField('group_by', `must be one or more of ${usageGroups.join(', ')}`, groupBy);
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
