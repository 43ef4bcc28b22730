/** Creates, lists and closes accounts, and changes their plan. */
import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { AccountError } from '../base/errors.ts';
import { requireName } from '../base/names.ts';
import type { DatabaseKind, Tables } from '../base/tables.ts';
import type { CompiledQueries } from '../database/compiled-queries.ts';
import type { Database } from '../database/database.ts';
import { notifyRevoked } from '../database/revocations.ts';
import { limitHeaders, type Meter, openWindows } from '../plans/limits.ts';
import { defaultPlanId, findPlan, type Plan } from '../plans/plans.ts';
import { emptyMeter, type ReadAccount, readMeter } from './meters.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly closedAt: number | undefined;
  readonly balance: Balance;
}

/** Micro-dollars. */
export interface Balance {
  /** Total of all payments. */
  readonly paidIn: number;
  readonly available: number;
  /** Reserved for requests in flight and for the prepaid hours of pods. */
  readonly held: number;
  readonly spent: number;
}

/** An account with its use of the plan's limits. */
export interface Standing extends Account {
  readonly planInForce: Plan;
  readonly running: number;
  readonly requestsToday: number;
  readonly tokensThisMonth: number;
  readonly tokensHeld: number;
}

/** @throws {AccountError} ERR_ACCOUNT_EXISTS, ERR_NAME_INVALID, ERR_PLAN_UNKNOWN */
export async function createAccount(
  { db }: Database,
  { name, plan = defaultPlanId, now }: { name: string; plan?: string | undefined; now: number },
): Promise<Account> {
  requireName('account', name);
  await findPlan(db, plan);
  await db.transaction().execute(async (transaction) => {
    if (await createAccountIn(transaction, { name, plan, now })) return;
    throw new AccountError('ERR_ACCOUNT_EXISTS', 'an account with this name already exists');
  });
  return await findAccount(db, name);
}

/** Creates an account inside a transaction. @returns false if the name is taken */
export async function createAccountIn(
  transaction: Transaction<Tables>,
  { name, plan = defaultPlanId, now }: { name: string; plan?: string; now: number },
): Promise<boolean> {
  const id = randomUUID();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('accounts')
    .values({ id, name, plan_id: plan, created_at: now, closed_at: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return false;
  await transaction.insertInto('meters').values(emptyMeter(id)).execute();
  return true;
}

/** Lists the accounts in order of their names. */
export async function listAccounts(db: Kysely<Tables>): Promise<Account[]> {
  return (await selectAccounts(db).orderBy('accounts.name').execute()).map(toAccount);
}

/** @throws {AccountError} ERR_ACCOUNT_UNKNOWN */
export async function findAccount(db: Kysely<Tables>, name: string): Promise<Account> {
  const row = await selectAccounts(db).where('accounts.name', '=', name).executeTakeFirst();
  if (row === undefined) throw unknownAccount();
  return toAccount(row);
}

/** Reads an account with its use of the plan's limits. @throws {AccountError} ERR_ACCOUNT_UNKNOWN */
export async function readStanding(db: Kysely<Tables>, { now, ...which }: MeterQuery): Promise<Standing> {
  const { meter, plan, name, createdAt, closedAt } = await readMetered(db, which);
  openWindows(meter, now);
  const { account_id: id, funding, available, held, spent } = meter;
  return {
    ...{ id, name, plan: plan.id, createdAt, closedAt, balance: balanceOf({ funding, available, held, spent }) },
    planInForce: plan,
    running: meter.running,
    requestsToday: meter.day_requests,
    tokensThisMonth: meter.month_tokens,
    tokensHeld: meter.tokens_held,
  };
}

/** Reads the rate limit headers of an account (I-081). @throws {AccountError} ERR_ACCOUNT_UNKNOWN */
export async function readLimits(db: Kysely<Tables>, { now, ...which }: MeterQuery): Promise<Record<string, string>> {
  const { meter, plan } = await readMetered(db, which);
  return limitHeaders(meter, plan, now);
}

interface MeterQuery {
  readonly accountId: string;
  readonly now: number;
  /** Shared by all calls, since requests without an admission read the limits every time. */
  readonly queries: CompiledQueries;
}

async function readMetered(db: Kysely<Tables>, which: Omit<MeterQuery, 'now'>): Promise<ReadAccount> {
  const found = await readMeter(db, which);
  if (found === undefined) throw new AccountError('ERR_ACCOUNT_UNKNOWN', "the key's account does not exist");
  return found;
}

/** Changes the plan from the next request. @throws {AccountError} ERR_ACCOUNT_UNKNOWN, ERR_PLAN_UNKNOWN */
export async function moveToPlan(
  { db }: Database,
  { account, plan }: { account: string; plan: string },
): Promise<Account> {
  const { id } = await findPlan(db, plan);
  await findAccount(db, account);
  const set = (transaction: Transaction<Tables>) =>
    transaction.updateTable('accounts').set({ plan_id: id }).where('name', '=', account).execute();
  await db.transaction().execute(set);
  return await findAccount(db, account);
}

/**
 * Closes an account and revokes its keys. Requests in flight finish and are settled.
 * @throws {AccountError} ERR_ACCOUNT_UNKNOWN, ERR_ACCOUNT_CLOSED
 */
export async function closeAccount(
  { db, kind }: Database,
  { account, now }: { account: string; now: number },
): Promise<Account> {
  await db.transaction().execute(async (transaction) => {
    const { id, closed_at } = await findAccountRow(transaction, account, { lockOn: kind });
    if (closed_at !== null) throw new AccountError('ERR_ACCOUNT_CLOSED', 'the account is already closed');
    await transaction.updateTable('accounts').set({ closed_at: now }).where('id', '=', id).execute();
    const live = await transaction
      .selectFrom('keys')
      .select('id')
      .where('account_id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
    const ids = live.map((key) => key.id);
    if (ids.length === 0) return;
    await transaction.updateTable('keys').set({ revoked_at: now }).where('id', 'in', ids).execute();
    await notifyRevoked(transaction, kind, ids);
  });
  return await findAccount(db, account);
}

/**
 * Reads an account inside a transaction.
 * @param options.lockOn locks the row until the transaction ends; on SQLite the transaction itself is the lock
 * @throws {AccountError} ERR_ACCOUNT_UNKNOWN
 */
export async function findAccountRow(
  transaction: Transaction<Tables>,
  name: string,
  { lockOn }: { lockOn?: DatabaseKind } = {},
) {
  const row = await transaction
    .selectFrom('accounts')
    .selectAll()
    .where('name', '=', name)
    .$if(lockOn === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (row === undefined) throw unknownAccount();
  return row;
}

function selectAccounts(db: Kysely<Tables>) {
  return db
    .selectFrom('accounts')
    .innerJoin('meters', 'meters.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.name', 'accounts.plan_id', 'accounts.created_at', 'accounts.closed_at'])
    .select(['meters.funding', 'meters.available', 'meters.held', 'meters.spent']);
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof selectAccounts>['execute']>>[number];

function toAccount({ id, name, plan_id, created_at, closed_at, ...sides }: AccountRow): Account {
  return {
    id,
    name,
    plan: plan_id,
    createdAt: created_at,
    closedAt: closed_at ?? undefined,
    balance: balanceOf(sides),
  };
}

function balanceOf({ funding, ...sides }: Pick<Meter, 'funding' | 'available' | 'held' | 'spent'>): Balance {
  // Adding 0 turns −0 into 0.
  return { paidIn: -funding + 0, ...sides };
}

function unknownAccount(): AccountError {
  return new AccountError(
    'ERR_ACCOUNT_UNKNOWN',
    'no account has this name: create it with `cloister accounts create`, or list the accounts with `cloister accounts list`',
  );
}
