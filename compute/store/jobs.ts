/**
 * Timers and work as rows: they commit with what they are about, survive `kill -9`, and are claimed under a lease, so that
 * of many processes one runs each, and another takes over when that one dies.
 */
import { sql } from 'kysely';
import { type ComputeStore, inTransaction, type Queries } from './store.ts';
import type { ComputeTables, JobKind } from './tables.ts';

export type Job = ComputeTables['compute_jobs'];

export interface JobTime {
  readonly kind: JobKind;
  readonly subject: string;
  readonly runAt: number;
  /** For a job that whoever asks for it runs at once: until then it is theirs. */
  readonly leaseUntil?: number;
}

/** Asks for a job; one that is there already runs at the earlier of both times. */
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
 * Asks for a job, or for another run of one that is under way. One that waits for a later time goes on waiting, and one that is
 * being tried again waits as long after each attempt as it would: it must not end before it has seen to everything.
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

/** No more in one statement than the parameters of either database have room for. */
function* inStatements(jobs: readonly JobTime[]): Generator<readonly JobTime[]> {
  for (let start = 0; start < jobs.length; start += jobsPerStatement) yield jobs.slice(start, start + jobsPerStatement);
}

const jobsPerStatement = 500;

/** Lets a job that waits run earlier; where there is none, none is asked for. */
export async function hasten(queries: Queries, { kind, subject, runAt }: JobTime): Promise<void> {
  await queries
    .updateTable('compute_jobs')
    .set({
      run_at: sql<number>`case when ${runAt} < run_at then ${runAt} else run_at end`,
      generation: sql<number>`generation + 1`,
    })
    .where('id', '=', `${kind}:${subject}`)
    .execute();
}

/** Takes jobs away that nobody needs any more. A run under way ends as it would. */
export async function cancel(queries: Queries, jobs: readonly Omit<JobTime, 'runAt'>[]): Promise<void> {
  if (jobs.length === 0) return;
  const ids = jobs.map(({ kind, subject }) => `${kind}:${subject}`);
  await queries.deleteFrom('compute_jobs').where('id', 'in', ids).execute();
}

/** The job (of these kinds) that is due for longest, for this caller alone until the lease is over; undefined if none is due. */
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

/** Keeps a job whose run takes its time. @returns it under its new lease, or undefined where the lease was lost */
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

/** @param runAgainAt undefined: the job is done with, unless it was asked for meanwhile · `isRetry` keeps its count of attempts */
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
    // Someone asked for it during the run: it runs again at the time that they wanted, or that the run wants.
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

/** The row as it is when the job is first asked for. */
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
