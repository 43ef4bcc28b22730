/** Webhooks and their dead letters. Each webhook reads the account's feed with its own cursor. */
import { ComputeError, notFound } from '../base/errors.ts';
import type { FeedEvent } from './events.ts';
import { type ComputeStore, inTransaction, newId, type Queries } from './store.ts';
import type { ComputeTables } from './tables.ts';

export type WebhookRow = ComputeTables['compute_webhooks'];

/** Webhooks per account. */
const webhooksMax = 5;

/** The webhook receives events from the next one on. @throws {ComputeError} LIMIT_REACHED */
export async function addWebhook(
  store: ComputeStore,
  { accountId, url, seal }: { accountId: string; url: string; seal: (id: string) => string },
): Promise<WebhookRow> {
  return await inTransaction(store, async (tx) => {
    const account = await tx
      .insertInto('compute_accounts')
      .values({ account_id: accountId, last_event: 0, is_low: 0 })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ account_id: accountId }))
      .returning('last_event')
      .executeTakeFirstOrThrow();
    const { count } = await tx
      .selectFrom('compute_webhooks')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (count >= webhooksMax) {
      throw new ComputeError('LIMIT_REACHED', `an account can have at most ${webhooksMax} webhooks: delete one first`);
    }
    const id = newId('webhook');
    const row: WebhookRow = {
      id,
      account_id: accountId,
      url,
      sealed_secret: seal(id),
      created_at: await store.now(tx),
      cursor: account.last_event,
    };
    await tx.insertInto('compute_webhooks').values(row).execute();
    return row;
  });
}

export async function listWebhooks(queries: Queries, accountId: string): Promise<WebhookRow[]> {
  return await queries
    .selectFrom('compute_webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();
}

/** @throws {ComputeError} NOT_FOUND */
export async function removeWebhook(
  store: ComputeStore,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('compute_webhooks')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound('webhook', 'list the webhooks');
    await tx.deleteFrom('compute_dead_letters').where('webhook_id', '=', id).execute();
  });
}

export async function findWebhook(queries: Queries, id: string): Promise<WebhookRow | undefined> {
  return await queries.selectFrom('compute_webhooks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Marks the events up to this one as done. */
export async function moveCursor(queries: Queries, id: string, { sequence }: FeedEvent): Promise<void> {
  await queries.updateTable('compute_webhooks').set({ cursor: sequence }).where('id', '=', id).execute();
}

/** Abandons an event after its last retry: stores a dead letter and moves the cursor to the next event. */
export async function giveUp(
  store: ComputeStore,
  { id, event, attempts, reason }: { id: string; event: FeedEvent; attempts: number; reason: string },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await moveCursor(tx, id, event);
    const at = await store.now(tx);
    const letter = { id: newId('letter'), webhook_id: id, event_id: event.id, attempts, reason, at };
    await tx.insertInto('compute_dead_letters').values(letter).execute();
  });
}

export async function listDeadLetters(queries: Queries, webhookId: string) {
  return await queries
    .selectFrom('compute_dead_letters')
    .select(['event_id', 'attempts', 'reason', 'at'])
    .where('webhook_id', '=', webhookId)
    .orderBy('at', 'desc')
    .limit(100)
    .execute();
}
