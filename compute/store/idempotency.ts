/** Stores the responses to requests with an Idempotency-Key for a day, so that a repeat has no further effect (C-136). */
import { ComputeError } from '../base/errors.ts';
import { type ComputeStore, inTransaction } from './store.ts';
import { idempotencyMs } from './sweep.ts';

/** Longer than any request takes: after it the process counts as crashed, and the next request with the key runs. */
const leaseMs = 15 * 60_000;
const retrySeconds = 5;

export interface RepeatableRequest {
  readonly accountId: string;
  readonly key: string;
  /** SHA-256 over method, path and body. */
  readonly hash: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Claims the key for this request.
 * @returns the stored response, or undefined if this is the first request
 * @throws {ComputeError} IDEMPOTENCY_MISMATCH, IDEMPOTENCY_RUNNING
 */
export async function beginRequest(
  store: ComputeStore,
  { accountId, key, hash }: RepeatableRequest,
): Promise<KeptAnswer | undefined> {
  return await inTransaction(store, async (tx) => {
    const now = await store.now(tx);
    const row = {
      account_id: accountId,
      key,
      request_hash: hash,
      status: null,
      body: null,
      created_at: now,
      lease_until: now + leaseMs,
    };
    await tx
      .deleteFrom('compute_idempotency')
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .where('created_at', '<=', now - idempotencyMs)
      .execute();
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('compute_idempotency')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return undefined;
    const known = await tx
      .selectFrom('compute_idempotency')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirst();
    // The first request released the key between the two statements: the next repeat can claim it.
    if (known === undefined) throw stillRunning();
    if (known.request_hash !== hash) {
      throw new ComputeError(
        'IDEMPOTENCY_MISMATCH',
        'this Idempotency-Key was used for another request: use a new one',
      );
    }
    if (known.status !== null) return { status: known.status, body: JSON.parse(known.body ?? 'null') };
    if (known.lease_until > now) throw stillRunning();
    const { numUpdatedRows } = await tx
      .updateTable('compute_idempotency')
      .set({ lease_until: row.lease_until })
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .where('lease_until', '=', known.lease_until)
      .executeTakeFirstOrThrow();
    // Another repeat has taken over the expired lease.
    if (numUpdatedRows === 0n) throw stillRunning();
    return undefined;
  });
}

function stillRunning(): ComputeError {
  return new ComputeError(
    'IDEMPOTENCY_RUNNING',
    'the first request with this Idempotency-Key is still running: retry later',
    {
      retryAfterSeconds: retrySeconds,
    },
  );
}

/** @param answer the response without its secrets; undefined releases the key, so that a repeat runs */
export async function endRequest(
  { db }: ComputeStore,
  { accountId, key }: RepeatableRequest,
  answer: KeptAnswer | undefined,
): Promise<void> {
  if (answer === undefined) {
    await db.deleteFrom('compute_idempotency').where('account_id', '=', accountId).where('key', '=', key).execute();
    return;
  }
  await db
    .updateTable('compute_idempotency')
    .set({ status: answer.status, body: JSON.stringify(answer.body) })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute();
}
