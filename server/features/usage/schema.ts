/** Reads the query of `GET /v1/usage`. */
import { type UsageGroup, type UsageQuery, usageGroups } from '@cloister/accounts/ledger/usage';
import { Fields } from '../../http/fields.ts';

export interface UsageCall {
  readonly query: Omit<UsageQuery, 'accountId'>;
  readonly format: 'json' | 'csv';
}

const dayMs = 86_400_000;
/** Days that are shown where the query names none. */
const daysShown = 30;

/**
 * `from` and `to` are UTC days, the last 30 by default; `group_by` is one or more of day, model and key, `day` by default.
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readUsageCall(query: unknown, { now }: { now: number }): UsageCall {
  const fields = new Fields(query);
  const to = fields.optionalText('to') ?? isoDay(now);
  const lastMs = Date.parse(`${to}T00:00:00Z`);
  const from = fields.optionalText('from') ?? isoDay((Number.isNaN(lastMs) ? now : lastMs) - (daysShown - 1) * dayMs);
  return {
    query: { from, to, groups: readGroups(fields) },
    format: fields.choice('format', ['json', 'csv']) ?? 'json',
  };
}

function readGroups(fields: Fields): readonly UsageGroup[] {
  const names = (fields.optionalText('group_by') ?? 'day').split(',').filter((name) => name !== '');
  const groups = usageGroups.filter((group) => names.includes(group));
  if (groups.length !== new Set(names).size)
    fields.refuse('group_by', `must be one or more of ${usageGroups.join(', ')}`);
  return groups;
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
