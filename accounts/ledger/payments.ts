/** Payments and refunds, which the operator books. `metering-round.ts` charges requests. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { AccountError } from '../base/errors.ts';
import { formatDollars, microDollarsMax, requireAmount } from '../base/money.ts';
import { requireName } from '../base/names.ts';
import type { Tables } from '../base/tables.ts';
import type { Database } from '../database/database.ts';
import { type Account, findAccount, findAccountRow } from './account-book.ts';
import { lockMeters, writeMeters } from './meters.ts';

export interface Credit {
  readonly account: string;
  readonly microDollars: number;
  /** Reference of the payment, booked at most once. Undefined for a generated one. */
  readonly reference?: string | undefined;
  readonly now: number;
}

/** The account after a payment. */
export interface CreditedAccount extends Account {
  /** Whether an earlier call booked this payment; this call then added nothing. */
  readonly alreadyBooked: boolean;
}

/** Pays in, once per reference. @throws {AccountError} ERR_ACCOUNT_UNKNOWN, ERR_ACCOUNT_CLOSED, ERR_AMOUNT_INVALID, ERR_REFERENCE_USED */
export async function credit(
  { db, kind }: Database,
  { account, microDollars, reference = randomUUID(), now }: Credit,
): Promise<CreditedAccount> {
  requireAmount(microDollars);
  requireName('reference', reference);
  const alreadyBooked = await db.transaction().execute(async (transaction) => {
    const { id, closed_at } = await findAccountRow(transaction, account);
    if (closed_at !== null) throw new AccountError('ERR_ACCOUNT_CLOSED', 'the account is closed');
    const meter = (await lockMeters(transaction, [id], { kind })).get(id)!.meter;
    const movement = `credit:${reference}`;
    const before = await transaction.selectFrom('movements').selectAll().where('id', '=', movement).executeTakeFirst();
    if (before?.account_id === id && before.micro_dollars === microDollars) return true;
    if (before !== undefined) throw referenceUsed();
    if (microDollars - meter.funding > microDollarsMax) {
      const most = formatDollars(microDollarsMax);
      throw new AccountError('ERR_AMOUNT_INVALID', `the payments of one account may not exceed ${most} USD in total`);
    }
    await writeMeters(transaction, [
      { ...meter, funding: meter.funding - microDollars, available: meter.available + microDollars },
    ]);
    const booking = { id: movement, account_id: id, kind: 'credit', micro_dollars: microDollars, at: now } as const;
    // A concurrent transaction may credit another account with the same reference.
    if (!(await book(transaction, booking))) throw referenceUsed();
    return false;
  });
  return { ...(await findAccount(db, account)), alreadyBooked };
}

/**
 * Refunds the price of a request, once.
 * @param of.requestId the response's `x-request-id`, or the id of the usage row · @throws {AccountError} ERR_USAGE_UNKNOWN
 */
export async function refund(
  { db, kind }: Database,
  { requestId, now }: { requestId: string; now: number },
): Promise<Account> {
  const name = await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('usage')
      .innerJoin('accounts', 'accounts.id', 'usage.account_id')
      .select(['usage.id', 'usage.account_id', 'usage.price', 'accounts.name'])
      .where(({ or, eb }) => or([eb('usage.request_id', '=', requestId), eb('usage.id', '=', requestId)]))
      .where('price', '>', 0)
      .executeTakeFirst();
    if (row === undefined) throw nothingToRefund();
    const meter = (await lockMeters(transaction, [row.account_id], { kind })).get(row.account_id)!.meter;
    const { account_id, price: micro_dollars } = row;
    const booking = { id: `refund:${row.id}`, account_id, kind: 'refund', micro_dollars, at: now } as const;
    if (!(await book(transaction, booking))) throw nothingToRefund();
    await writeMeters(transaction, [
      { ...meter, spent: meter.spent - row.price, available: meter.available + row.price },
    ]);
    return row.name;
  });
  return await findAccount(db, name);
}

const sides = {
  credit: { from_side: 'funding', to_side: 'available' },
  refund: { from_side: 'spent', to_side: 'available' },
} as const;

/** @returns false if a movement with this id already exists */
async function book(
  transaction: Transaction<Tables>,
  movement: Pick<Tables['movements'], 'id' | 'account_id' | 'micro_dollars' | 'at'> & { kind: keyof typeof sides },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('movements')
    .values({ ...movement, ...sides[movement.kind] })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

function referenceUsed(): AccountError {
  return new AccountError('ERR_REFERENCE_USED', 'the reference belongs to another payment');
}

function nothingToRefund(): AccountError {
  return new AccountError('ERR_USAGE_UNKNOWN', 'the request is unknown, was free of charge or is already refunded');
}
