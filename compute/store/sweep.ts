/** Forgets what nobody may see any more: old events, answers kept for repeats, sessions. */
import { sql } from 'kysely';
import type { ComputeStore } from './store.ts';

const dayMs = 86_400_000;
/** As long as the longest window of a limit. */
const windowMsMax = 3_600_000;
/** Details of pods, events and dead letters stay readable for this long (C-055). */
export const readableMs = 30 * dayMs;
/** An answer is repeated for this long (C-136). */
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
  await db.deleteFrom('compute_sessions').where('expires_at', '<', at).execute();
  if (kind === 'sqlite') return;
  await sql`delete from compute_windows where times[cardinality(times)] < ${at - windowMsMax}::bigint`.execute(db);
}
