/**
 * Jobs and timers as rows: they are committed with the change that needs them, survive `kill -9`, and are claimed under a lease, so
 * that one process runs each job and another takes over if that process dies.
 */
import { sql } from 'kysely';
import { type ComputeStore, inTransaction, type Queries } from './store.ts';
import type { ComputeTables, JobKind } from './tables.ts';

export type Job = ComputeTables['compute_jobs'];

export interface JobTime {
  readonly kind: JobKind;
  readonly subject: string;
  readonly runAt: number;
  /** Set by a caller that runs the job itself: until then no other process claims it. */
  readonly leaseUntil?: number;
}

/** Schedules jobs. A job that is already scheduled runs at the earlier of both times. */
export async function schedule(queries: Queries, jobs: readonly JobTime[]): Promise<void> {
  for (const some of inStatements(jobs)) {
    await queries
      .insertInto('compute_jobs')
      .values(some.map(newJob))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ ref }) => ({
          run_at: sql<number>`case when excluded.run_at < compute_jobs.run_at then excluded.run_at else compute_jobs.run_at end`,
          generation: sql<number>`${ref('compute_jobs.generation')} + 1`,
        })),
      )
      .execute();
  }
}

/**
 * Schedules jobs, or another run of those in progress. The time of a waiting job does not change, and a job that is being retried
 * keeps its backoff; it reads all pending work when it runs.
 */
export async function scheduleUnlessWaiting(queries: Queries, jobs: readonly JobTime[]): Promise<void> {
  for (const some of inStatements(jobs)) {
    await queries
      .insertInto('compute_jobs')
      .values(some.map(newJob))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({
          generation: sql`compute_jobs.generation + case when compute_jobs.attempts > 1 then 0 else 1 end`,
        }),
      )
      .execute();
  }
}

/** Splits the jobs so that each statement stays below the parameter limit of both databases. */
function* inStatements(jobs: readonly JobTime[]): Generator<readonly JobTime[]> {
  for (let start = 0; start < jobs.length; start += jobsPerStatement) yield jobs.slice(start, start + jobsPerStatement);
}

const jobsPerStatement = 500;

/** Moves a waiting job to an earlier time. Does nothing if the job does not exist. */
export async function runEarlier(queries: Queries, { kind, subject, runAt }: JobTime): Promise<void> {
  await queries
    .updateTable('compute_jobs')
    .set({
      run_at: sql<number>`case when ${runAt} < run_at then ${runAt} else run_at end`,
      generation: sql<number>`generation + 1`,
    })
    .where('id', '=', `${kind}:${subject}`)
    .execute();
}

/** Deletes jobs. A run in progress is not interrupted. */
export async function cancel(queries: Queries, jobs: readonly Omit<JobTime, 'runAt'>[]): Promise<void> {
  if (jobs.length === 0) return;
  const ids = jobs.map(({ kind, subject }) => `${kind}:${subject}`);
  await queries.deleteFrom('compute_jobs').where('id', 'in', ids).execute();
}

/** Claims the longest overdue job of these kinds under a lease. @returns undefined if none is due */
export async function claimJob(
  store: ComputeStore,
  { now, leaseMs, kinds }: { now: number; leaseMs: number; kinds?: readonly JobKind[] | undefined },
): Promise<Job | undefined> {
  const { db, kind } = store;
  return await db
    .updateTable('compute_jobs')
    .set({ lease_until: now + leaseMs, attempts: sql`attempts + 1` })
    .where('id', '=', (build) =>
      build
        .selectFrom('compute_jobs')
        .select('id')
        .where('run_at', '<=', now)
        .where('lease_until', '<=', now)
        .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds ?? []))
        .orderBy('run_at')
        .limit(1)
        .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Extends the lease of a running job. @returns the job with its new lease, or undefined if the lease was lost */
export async function renewLease(
  { db }: ComputeStore,
  job: Job,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<Job | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('compute_jobs')
    .set({ lease_until: now + leaseMs })
    .where('id', '=', job.id)
    .where('lease_until', '=', job.lease_until)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 0n ? undefined : { ...job, lease_until: now + leaseMs };
}

/** @param runAgainAt undefined to delete the job, unless it was scheduled again meanwhile · `isRetry` keeps its count of attempts */
export async function finishJob(
  store: ComputeStore,
  job: Job,
  { runAgainAt, isRetry = false }: { runAgainAt: number | undefined; isRetry?: boolean },
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const mine = { id: job.id, lease: job.lease_until, generation: job.generation };
    const attempts = isRetry ? job.attempts : 0;
    if (runAgainAt === undefined) {
      const { numDeletedRows } = await tx
        .deleteFrom('compute_jobs')
        .where('id', '=', mine.id)
        .where('lease_until', '=', mine.lease)
        .where('generation', '=', mine.generation)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) return;
    } else {
      const { numUpdatedRows } = await tx
        .updateTable('compute_jobs')
        .set({ run_at: runAgainAt, lease_until: 0, attempts })
        .where('id', '=', mine.id)
        .where('lease_until', '=', mine.lease)
        .where('generation', '=', mine.generation)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) return;
    }
    // The job was scheduled again during the run: it runs at the earlier of that time and `runAgainAt`.
    await tx
      .updateTable('compute_jobs')
      .set({ lease_until: 0, attempts })
      .$if(runAgainAt !== undefined, (query) =>
        query.set({ run_at: sql`case when ${runAgainAt ?? 0} < run_at then ${runAgainAt ?? 0} else run_at end` }),
      )
      .where('id', '=', mine.id)
      .where('lease_until', '=', mine.lease)
      .execute();
  });
}

/** The row of a newly scheduled job. */
export function newJob({ kind, subject, runAt, leaseUntil = 0 }: JobTime): Job {
  return {
    id: `${kind}:${subject}`,
    kind,
    subject,
    run_at: runAt,
    lease_until: leaseUntil,
    attempts: 0,
    generation: 0,
  };
}
