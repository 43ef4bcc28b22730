/** Queries usage: sums by day, model, key and agent, and single rows. */
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { AccountError } from '../base/errors.ts';
import type { Tables } from '../base/tables.ts';

export const usageGroups = ['day', 'model', 'key', 'agent'] as const;
export type UsageGroup = (typeof usageGroups)[number];

export interface UsageQuery {
  readonly accountId: string;
  /** First and last UTC day, `YYYY-MM-DD`; at most `usageDaysMax` days. */
  readonly from: string;
  readonly to: string;
  readonly groups: readonly UsageGroup[];
}

export interface UsageSum {
  /** `day`, `model`, `key` and `agent` are present if the query groups by them. */
  readonly day?: string;
  readonly model?: string;
  /** The key's id. */
  readonly key?: string;
  /** The agent's slug; null for requests that a model answered without an agent. */
  readonly agent?: string | null;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly images: number;
  readonly steps: number;
  /** Micro-dollars. */
  readonly price: number;
}

/** The usage of one request. */
export interface UsageRow {
  readonly id: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly model: string;
  /** Unix seconds. */
  readonly at: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly images: number;
  readonly steps: number;
  /** Micro-dollars. */
  readonly price: number;
  readonly finishReason: string;
}

export const usageDaysMax = 366;

/** Finish reason of a request whose process died: nothing was charged for it. */
export const lostReason = 'lost';

const dayS = 86_400;

/** Sums usage, sorted by the groups. @throws {AccountError} ERR_RANGE_INVALID */
export async function sumUsage(db: Kysely<Tables>, { accountId, from, to, groups }: UsageQuery): Promise<UsageSum[]> {
  const [first, last] = [parseDay(from), parseDay(to)];
  if (last < first || last - first >= usageDaysMax) {
    throw new AccountError(
      'ERR_RANGE_INVALID',
      `\`to\` must not be before \`from\`, and must be less than ${usageDaysMax} days after it`,
    );
  }
  const chosen = usageGroups.filter((group) => groups.includes(group));
  const rows = await db
    .selectFrom('usage')
    .select(({ fn }) => fn.countAll<number>().as('requests'))
    .select(countColumns.map((column) => total(column)))
    .select(chosen.map((group) => groupColumns[group].as(group)))
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`at >= ${first * dayS} and at < ${(last + 1) * dayS}`)
    .$if(chosen.length > 0, (query) => query.groupBy(chosen.map((group) => groupColumns[group])))
    .$castTo<SumRow>()
    .execute();
  return (
    rows
      .filter(({ requests }) => requests > 0)
      // Sort here, because SQLite and PostgreSQL order strings differently.
      .sort(
        (a, b) =>
          before(a.day, b.day) ||
          before(a.model, b.model) ||
          before(a.key, b.key) ||
          before(a.agent ?? '', b.agent ?? ''),
      )
      .map((row) => ({
        ...(row.day === undefined ? {} : { day: formatDay(row.day) }),
        ...(row.model === undefined ? {} : { model: row.model }),
        ...(row.key === undefined ? {} : { key: row.key }),
        ...(row.agent === undefined ? {} : { agent: row.agent }),
        requests: row.requests,
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        images: row.images,
        steps: row.steps,
        price: row.price,
      }))
  );
}

/** Reads an account's rows of a UTC day in the order of hashing: by time, then id. @throws {AccountError} ERR_RANGE_INVALID */
export async function readUsageDay(
  db: Kysely<Tables>,
  { accountId, day }: { accountId: string; day: string },
): Promise<UsageRow[]> {
  const first = parseDay(day) * dayS;
  const rows = await db
    .selectFrom('usage')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('at', '>=', first)
    .where('at', '<', first + dayS)
    .execute();
  // Sort here, because SQLite and PostgreSQL order strings differently.
  return rows.map(toUsageRow).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** Finds the row of a request, preferring a late settlement over the row of the sweep. Undefined if the account has no such request. */
export async function findUsageRow(
  db: Kysely<Tables>,
  { accountId, requestId }: { accountId: string; requestId: string },
): Promise<UsageRow | undefined> {
  const rows = await db
    .selectFrom('usage')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('account_id', '=', accountId)
    .execute();
  const row = rows.find(({ finish_reason }) => finish_reason !== lostReason) ?? rows[0];
  return row && toUsageRow(row);
}

/** `2026-11-21` → days since 1970. @throws {AccountError} ERR_RANGE_INVALID */
export function parseDay(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts the 31st of every month.
  if (!Number.isNaN(ms) && formatDay(ms / 1000 / dayS) === text) return ms / 1000 / dayS;
  throw new AccountError('ERR_RANGE_INVALID', 'a day is written YYYY-MM-DD');
}

/** The inverse of `parseDay`. */
export function formatDay(day: number): string {
  return new Date(day * dayS * 1000).toISOString().slice(0, 10);
}

const countColumns = ['prompt_tokens', 'completion_tokens', 'images', 'steps', 'price'] as const;
type CountColumn = (typeof countColumns)[number];
type SumRow = { requests: number; day?: number; model?: string; key?: string; agent?: string | null } & Record<
  CountColumn,
  number
>;

const groupColumns: Readonly<Record<UsageGroup, RawBuilder<unknown>>> = {
  day: sql`at / ${sql.lit(dayS)}`,
  model: sql`model`,
  key: sql`key_id`,
  agent: sql`agent`,
};

function total<Column extends CountColumn>(column: Column) {
  return sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column);
}

function before<Value extends number | string>(a: Value | undefined, b: Value | undefined): number {
  return a === b || a === undefined || b === undefined ? 0 : a < b ? -1 : 1;
}

function toUsageRow(row: Tables['usage']): UsageRow {
  return {
    id: row.id,
    requestId: row.request_id,
    keyId: row.key_id,
    model: row.model,
    at: row.at,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    images: row.images,
    steps: row.steps,
    price: row.price,
    finishReason: row.finish_reason,
  };
}
