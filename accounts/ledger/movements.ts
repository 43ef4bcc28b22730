/** The journal of an account, without the charges of requests, which `usage.ts` sums: payments, refunds, and the money of pods. */
import { type Kysely, sql } from 'kysely';
import type { LedgerSide, MovementKind, Tables } from '../base/tables.ts';

export interface ListedMovement {
  /** Names the cause of the movement. */
  readonly id: string;
  readonly kind: Exclude<MovementKind, 'charge'>;
  readonly from: LedgerSide;
  readonly to: LedgerSide;
  readonly microDollars: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Movements of one answer. */
export const movementsMax = 100;

/**
 * Lists the last movements of an account, the newest first.
 * @param of.before milliseconds since 1970: only earlier movements
 */
export async function listMovements(
  db: Kysely<Tables>,
  { accountId, before = Number.MAX_SAFE_INTEGER }: { accountId: string; before?: number | undefined },
): Promise<ListedMovement[]> {
  const rows = await db
    .selectFrom('movements')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('at', '<', before)
    // A literal, as in the index.
    .where(sql<boolean>`kind <> 'charge'`)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(movementsMax)
    .execute();
  return rows.map(({ id, kind, from_side: from, to_side: to, micro_dollars: microDollars, at }) => {
    return { id, kind: kind as ListedMovement['kind'], from, to, microDollars, at };
  });
}
