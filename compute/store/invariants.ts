/** Whether pods and money agree. What must never be wrong is looked at again and again; while it is, nothing new is let. */
import { sql } from 'kysely';
import type { ComputeStore } from './store.ts';

/** @returns what does not agree, in words for the operator; empty when all is right */
export async function findFaults({ db }: ComputeStore): Promise<string[]> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'accounts whose sides do not add up to zero' as what, count(*) as count from meters
      where funding + available + held + spent <> 0 or available < 0
    union all
    select 'micro-dollars held for pods beside the journal', abs(
      (select coalesce(sum(hold), 0) from compute_pods) -
      (select coalesce(sum(case when to_side = 'held' then micro_dollars else -micro_dollars end), 0) from movements
        where to_side = 'held' or from_side = 'held'))
    union all
    select 'micro-dollars billed for pods beside the journal', abs(
      (select coalesce(sum(billed), 0) from compute_pods) -
      (select coalesce(sum(case when to_side = 'spent' then micro_dollars else -micro_dollars end), 0) from movements
        where id like 'pod:%' and (to_side = 'spent' or from_side = 'spent')))
    union all
    select 'pods that ended and still hold money', count(*) from compute_pods
      where state in ('releasing', 'stopped', 'failed') and hold > 0
    union all
    select 'pods that start and hold nothing', count(*) from compute_pods
      where state in ('provisioning', 'unknown') and hold <> price
    union all
    select 'accounts with running pods that nobody meters', count(distinct account_id) from compute_pods
      where state = 'running' and not exists (select 1 from compute_jobs where compute_jobs.id = 'meter:' || account_id)
  `.execute(db);
  return rows.filter(({ count }) => Number(count) !== 0).map(({ what, count }) => `${count} ${what}`);
}
