/** Announcements of the operator (I-066): one event in the feed of every open account, also sent to its webhooks. */
import { sql } from 'kysely';
import { scheduleUnlessWaiting } from './jobs.ts';
import { type ComputeStore, inTransaction, newId } from './store.ts';
import type { SystemEventKind } from './tables.ts';

export interface Announcement {
  readonly kind: SystemEventKind;
  readonly text: string;
  /** ISO 8601. */
  readonly startsAt: string | undefined;
  readonly endsAt: string | undefined;
}

/** Writes the event to all accounts in one transaction. @returns the number of accounts */
export async function announce(store: ComputeStore, { kind, text, startsAt, endsAt }: Announcement): Promise<number> {
  const data = JSON.stringify({ text, starts_at: startsAt ?? null, ends_at: endsAt ?? null });
  return await inTransaction(store, async (tx) => {
    const numbered = await tx
      .insertInto('compute_accounts')
      .columns(['account_id', 'last_event', 'is_low'])
      .expression((build) =>
        build
          .selectFrom('accounts')
          .select(['id', sql<number>`1`.as('last_event'), sql<number>`0`.as('is_low')])
          .where('closed_at', 'is', null)
          .orderBy('id'),
      )
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({ last_event: sql`compute_accounts.last_event + 1` }),
      )
      .returning(['account_id', 'last_event'])
      .execute();
    const at = await store.now(tx);
    for (let start = 0; start < numbered.length; start += eventsPerStatement) {
      const events = numbered
        .slice(start, start + eventsPerStatement)
        .map((row) => ({ ...row, id: newId('evt'), sequence: row.last_event, kind, pod_id: null, at, data }))
        .map(({ last_event: _, ...event }) => event);
      await tx.insertInto('compute_events').values(events).execute();
    }
    const webhooks = await tx
      .selectFrom('compute_webhooks')
      .innerJoin('accounts', 'accounts.id', 'compute_webhooks.account_id')
      .select('compute_webhooks.id')
      .where('accounts.closed_at', 'is', null)
      .execute();
    await scheduleUnlessWaiting(
      tx,
      webhooks.map(({ id }) => ({ kind: 'webhook', subject: id, runAt: at })),
    );
    return numbered.length;
  });
}

const eventsPerStatement = 500;
