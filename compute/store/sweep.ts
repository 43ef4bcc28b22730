/** Deletes expired rows: events, dead letters, stored responses, sessions and rate-limit windows. */
import { sweepSessions } from '@cloister/accounts/keys/sessions';
import { sql } from 'kysely';
import type { ComputeStore } from './store.ts';

const dayMs = 86_400_000;
/** The longest rate-limit window. */
const windowMsMax = 3_600_000;
/** Retention of ended pods' details, events and dead letters (C-055). */
export const readableMs = 30 * dayMs;
/** Retention of stored responses (C-136). */
export const idempotencyMs = dayMs;

export async function sweep({ db, kind, now }: ComputeStore): Promise<void> {
  const at = await now();
  await db
    .deleteFrom('compute_events')
    .where('at', '<', at - readableMs)
    .execute();
  await db
    .deleteFrom('compute_dead_letters')
    .where('at', '<', at - readableMs)
    .execute();
  await db
    .deleteFrom('compute_idempotency')
    .where('created_at', '<', at - idempotencyMs)
    .execute();
  await sweepSessions({ db }, { now: at });
  if (kind === 'sqlite') return;
  await sql`delete from compute_windows where times[cardinality(times)] < ${at - windowMsMax}::bigint`.execute(db);
}
