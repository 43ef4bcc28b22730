/**
 * The event feed of each account. Events are written in the transaction of the change they describe and numbered under the
 * account's lock, so a reader that has seen a number has missed no earlier event (C-157).
 */
import { sql } from 'kysely';
import { scheduleUnlessWaiting } from './jobs.ts';
import { newId, type Queries, type Tx } from './store.ts';
import type { EventKind } from './tables.ts';

export interface NewEvent {
  readonly kind: EventKind;
  readonly podId: string | undefined;
  /** Visible to the tenant; sent to webhooks unchanged. */
  readonly data: Readonly<Record<string, string | number | null>>;
}

export interface FeedEvent extends NewEvent {
  readonly id: string;
  /** Increases by one per event of the account. */
  readonly sequence: number;
  readonly at: number;
}

/** Writes events in the transaction of the change, and schedules the account's webhooks. */
export async function recordEvents(
  tx: Tx,
  { accountId, at, events }: { accountId: string; at: number; events: readonly NewEvent[] },
): Promise<void> {
  if (events.length === 0) return;
  const { last_event: last } = await tx
    .insertInto('compute_accounts')
    .values({ account_id: accountId, last_event: events.length, is_low: 0 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ last_event: sql`compute_accounts.last_event + ${events.length}` }),
    )
    .returning('last_event')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('compute_events')
    .values(
      events.map(({ kind, podId, data }, index) => ({
        id: newId('evt'),
        account_id: accountId,
        sequence: last - events.length + 1 + index,
        kind,
        pod_id: podId ?? null,
        at,
        data: JSON.stringify(data),
      })),
    )
    .execute();
  const webhooks = await tx.selectFrom('compute_webhooks').select('id').where('account_id', '=', accountId).execute();
  await scheduleUnlessWaiting(
    tx,
    webhooks.map(({ id }) => ({ kind: 'webhook', subject: id, runAt: at })),
  );
}

/** @param after the last known sequence; 0 for all stored events · @returns events, oldest first */
export async function readFeed(
  queries: Queries,
  { accountId, after, limit }: { accountId: string; after: number; limit: number },
): Promise<FeedEvent[]> {
  const rows = await queries
    .selectFrom('compute_events')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(({ id, sequence, kind, pod_id, at, data }) => ({
    id,
    sequence,
    kind,
    podId: pod_id ?? undefined,
    at,
    data: JSON.parse(data) as FeedEvent['data'],
  }));
}
