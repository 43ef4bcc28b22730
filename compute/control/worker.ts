/**
 * Runs due jobs, several at a time, each under a lease, until stopped. Kinds of jobs have separate lanes, so that disks that are
 * overwritten, engines that hang and webhooks that time out do not delay metering and timers.
 */
import { claimJob, finishJob, type Job, schedule } from '../store/jobs.ts';
import type { JobKind } from '../store/tables.ts';
import type { Again, Control } from './control.ts';
import { holdLease } from './lease.ts';

export type JobHandlers = Readonly<Record<JobKind, (job: Job) => Promise<Again>>>;

const failedMsMin = 1_000;
const failedMsMax = 300_000;
/** Interval at which jobs scheduled by other processes are noticed. */
const pollMs = 250;

const laneOf: Readonly<Record<JobKind, keyof typeof lanes>> = {
  meter: 'timely',
  'hard-stop': 'timely',
  reconcile: 'timely',
  audit: 'timely',
  sweep: 'timely',
  follow: 'engines',
  templates: 'engines',
  destroy: 'disks',
  webhook: 'webhooks',
};

/** Concurrent jobs per lane. */
const lanes = { timely: 3, engines: 4, disks: 4, webhooks: 2 } as const;

/** Jobs of the whole service; every start schedules them. */
const standing = ['reconcile', 'sweep', 'templates', 'audit'] as const satisfies readonly JobKind[];

export async function scheduleStanding({ store }: Control): Promise<void> {
  const runAt = await store.now();
  await schedule(
    store.db,
    standing.map((kind) => ({ kind, subject: '', runAt })),
  );
}

/** Claims and runs one job. @param kinds by default all · @returns false if none is due */
export async function runOneJob(
  control: Control,
  handlers: JobHandlers,
  { kinds }: { kinds?: readonly JobKind[] } = {},
): Promise<boolean> {
  const { store, times } = control;
  const claimed = await claimJob(store, { now: await store.now(), leaseMs: times.leaseMs, kinds });
  if (claimed === undefined) return false;
  const held = holdLease(control, claimed);
  const again = await run(control, handlers, claimed);
  const job = await held.release();
  const runAgainAt = again === undefined ? undefined : (await store.now()) + again.afterMs;
  await finishJob(store, job, { runAgainAt, isRetry: again?.isRetry ?? false });
  return true;
}

async function run({ note }: Control, handlers: JobHandlers, job: Job): Promise<Again> {
  try {
    return await handlers[job.kind](job);
  } catch (error) {
    note('job failed', { job: job.id, attempts: job.attempts }, error);
    const afterMs = Math.min(failedMsMin * 2 ** Math.min(job.attempts - 1, 16), failedMsMax);
    return { afterMs, isRetry: true };
  }
}

export class Worker {
  readonly #control: Control;
  readonly #handlers: JobHandlers;
  readonly #stopping = new AbortController();
  #wake = Promise.withResolvers<void>();
  #lanes: Promise<void>[] = [];

  constructor(control: Control, handlers: JobHandlers) {
    this.#control = control;
    this.#handlers = handlers;
  }

  start(): void {
    const kinds = Object.groupBy(Object.keys(laneOf) as JobKind[], (kind) => laneOf[kind]);
    this.#lanes = Object.entries(lanes).flatMap(([lane, count]) =>
      Array.from({ length: count }, () => this.#run(kinds[lane as keyof typeof lanes] ?? [])),
    );
  }

  /** Makes the lanes look for due jobs now. */
  wake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Claims no further jobs. Resolves when the jobs in progress have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await Promise.all(this.#lanes);
  }

  async #run(kinds: readonly JobKind[]): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const hasRun = await runOneJob(this.#control, this.#handlers, { kinds }).catch((error) => {
        this.#control.note('jobs cannot be read', {}, error);
        return false;
      });
      if (!hasRun) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, pollMs);
    await Promise.race([timer.promise, this.#wake.promise]);
    clearTimeout(timeout);
  }
}
