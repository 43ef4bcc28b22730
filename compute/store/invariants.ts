/** The invariants between pods and ledger. They are audited every minute; while one is violated, deploys return 503. */
import { sql } from 'kysely';
import type { ComputeStore } from './store.ts';

/** @returns the discrepancies, described for the operator; empty if there are none */
export async function findFaults({ db }: ComputeStore): Promise<string[]> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'accounts have a negative balance or do not sum to zero' as what, count(*) as count from meters
      where funding + available + held + spent <> 0 or available < 0
    union all
    select 'micro-dollars differ between the holds of pods and the journal', abs(
      (select coalesce(sum(hold), 0) from compute_pods) -
      (select coalesce(sum(case when to_side = 'held' then micro_dollars else -micro_dollars end), 0) from movements
        where to_side = 'held' or from_side = 'held'))
    union all
    select 'micro-dollars differ between the rent of pods and the journal', abs(
      (select coalesce(sum(billed), 0) from compute_pods) -
      (select coalesce(sum(case when to_side = 'spent' then micro_dollars else -micro_dollars end), 0) from movements
        where id like 'pod:%' and (to_side = 'spent' or from_side = 'spent')))
    union all
    select 'pods ended but still have a hold', count(*) from compute_pods
      where state in ('releasing', 'stopped', 'failed') and hold > 0
    union all
    select 'starting pods lack the hold of their first hour', count(*) from compute_pods
      where state in ('provisioning', 'unknown') and hold <> price
    union all
    select 'accounts with running pods lack a metering job', count(distinct account_id) from compute_pods
      where state = 'running' and not exists (select 1 from compute_jobs where compute_jobs.id = 'meter:' || account_id)
  `.execute(db);
  return rows.filter(({ count }) => Number(count) !== 0).map(({ what, count }) => `${count} ${what}`);
}
