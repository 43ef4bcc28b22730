/**
 * Money of pods on the accounts' ledger: a hold when the machine is claimed, rent while it is used, a refund of the rest.
 * Each movement changes two sides of one account in one statement and adds one journal row. The row's id consists of pod
 * and reason, so no movement can be booked twice (C-153, C-155).
 */
import type { LedgerSide, MovementKind } from '@cloister/accounts/base/tables';
import { sql } from 'kysely';
import type { ComputeStore, Queries, Tx } from './store.ts';

export interface Movement {
  readonly accountId: string;
  readonly podId: string;
  /** Unique per pod: `hold`, `first-hour`, `prepaid-refund`, `rent-from-<second>`, … */
  readonly reason: string;
  readonly kind: MovementKind;
  readonly from: LedgerSide;
  readonly to: LedgerSide;
  /** Micro-dollars, at least 1. */
  readonly amount: number;
  readonly at: number;
}

/**
 * Moves `amount` from available to held if the balance covers it. Locks the account until the transaction ends.
 * @returns the micro-dollars still available, or undefined if the balance was too low and nothing moved
 */
export async function holdIfCovered(
  tx: Tx,
  { accountId, amount, floor }: { accountId: string; amount: number; floor: number },
): Promise<number | undefined> {
  const row = await tx
    .updateTable('meters')
    .set({ available: sql`available - ${amount}`, held: sql`held + ${amount}` })
    .where('account_id', '=', accountId)
    .where('available', '>=', Math.max(amount, floor))
    .returning('available')
    .executeTakeFirst();
  return row?.available;
}

/** Locks the account until the transaction ends. @returns micro-dollars available */
export async function lockBalance({ kind }: ComputeStore, tx: Tx, accountId: string): Promise<number> {
  const { available } = await tx
    .selectFrom('meters')
    .select('available')
    .where('account_id', '=', accountId)
    // On SQLite the transaction already locks the whole database.
    .$if(kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  return available;
}

/** @returns micro-dollars available */
export async function readBalance(queries: Queries, accountId: string): Promise<number> {
  const row = await queries
    .selectFrom('meters')
    .select('available')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.available ?? 0;
}

/** Books movements of one account, which the transaction must have locked. Movements of amount 0 are skipped. */
export async function move(tx: Tx, movements: readonly Movement[]): Promise<void> {
  const real = movements.filter(({ amount }) => amount > 0);
  const accountId = real[0]?.accountId;
  if (accountId === undefined) return;
  const change = { available: 0, held: 0, spent: 0 };
  for (const { from, to, amount } of real) {
    if (from !== 'funding') change[from] -= amount;
    if (to !== 'funding') change[to] += amount;
  }
  await tx
    .updateTable('meters')
    .set({
      available: sql`available + ${change.available}`,
      held: sql`held + ${change.held}`,
      spent: sql`spent + ${change.spent}`,
    })
    .where('account_id', '=', accountId)
    .execute();
  await addToJournal(tx, real);
}

/** Adds only the journal rows, for a movement that `holdIfCovered` has made. */
export async function addToJournal(tx: Tx, movements: readonly Movement[]): Promise<void> {
  await tx
    .insertInto('movements')
    .values(
      movements.map(({ accountId, podId, reason, kind, from, to, amount, at }) => ({
        id: `pod:${podId}:${reason}`,
        account_id: accountId,
        kind,
        from_side: from,
        to_side: to,
        micro_dollars: amount,
        at,
      })),
    )
    .execute();
}
