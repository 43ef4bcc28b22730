/** The usage of all accounts in a calendar month, for the operator's books. */
import { type Kysely, sql } from 'kysely';
import { AccountError } from '../base/errors.ts';
import type { Tables } from '../base/tables.ts';

export const monthGroups = ['account', 'model', 'key', 'agent'] as const;
export type MonthGroup = (typeof monthGroups)[number];

export interface MonthUsage {
  /** Name, model, key id and agent are present if the usage is grouped by them. */
  readonly account?: string;
  readonly model?: string;
  readonly key?: string;
  /** Null for requests that a model answered without an agent. */
  readonly agent?: string | null;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly images: number;
  readonly steps: number;
  /** Micro-dollars. */
  readonly price: number;
}

/** Unix seconds: `from` inclusive, `to` exclusive. @param month UTC, `YYYY-MM` · @throws {AccountError} ERR_RANGE_INVALID */
export function monthRange(month: string): { from: number; to: number } {
  const match = /^(\d{4})-(\d\d)$/.exec(month);
  const [year, number] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || number < 1 || number > 12 || year < 1970) {
    throw new AccountError('ERR_RANGE_INVALID', 'a month is written YYYY-MM');
  }
  return { from: Date.UTC(year, number - 1) / 1000, to: Date.UTC(year, number) / 1000 };
}

/**
 * Sums the usage of a month, sorted by the groups.
 * @param query.account the name of one account; all by default · @throws {AccountError} ERR_RANGE_INVALID
 */
export async function sumMonth(
  db: Kysely<Tables>,
  { month, account, groups }: { month: string; account?: string | undefined; groups: readonly MonthGroup[] },
): Promise<MonthUsage[]> {
  const { from, to } = monthRange(month);
  const chosen = monthGroups.filter((group) => groups.includes(group));
  const total = (column: 'prompt_tokens' | 'completion_tokens' | 'images' | 'steps' | 'price') =>
    sql<number>`coalesce(sum(${sql.ref(`usage.${column}`)}), 0)`;
  const rows = await db
    .selectFrom('usage')
    .innerJoin('accounts', 'accounts.id', 'usage.account_id')
    .select(({ fn }) => fn.countAll<number>().as('requests'))
    .select([
      total('prompt_tokens').as('promptTokens'),
      total('completion_tokens').as('completionTokens'),
      total('images').as('images'),
      total('steps').as('steps'),
      total('price').as('price'),
    ])
    .select(chosen.map((group) => columns[group].as(group)))
    .where('usage.at', '>=', from)
    .where('usage.at', '<', to)
    .$if(account !== undefined, (query) => query.where('accounts.name', '=', account!))
    .$if(chosen.length > 0, (query) => query.groupBy(chosen.map((group) => columns[group])))
    .$castTo<MonthUsage>()
    .execute();
  // Sort here, because SQLite and PostgreSQL order strings differently.
  const order = (row: MonthUsage) => chosen.map((group) => row[group] ?? '').join('\n');
  return rows.filter(({ requests }) => requests > 0).sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

const columns = {
  account: sql<string | null>`accounts.name`,
  model: sql<string | null>`usage.model`,
  key: sql<string | null>`usage.key_id`,
  agent: sql<string | null>`usage.agent`,
} as const;
