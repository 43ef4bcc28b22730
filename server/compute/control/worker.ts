/** Runs jobs when they are due: several at a time, each under a lease, until stopped. */
import { claimJob, finishJob, type Job, schedule } from '../store/jobs.ts';
import type { JobKind } from '../store/tables.ts';
import type { Again, Control } from './control.ts';
import { holdLease } from './lease.ts';

export type JobHandlers = Readonly<Record<JobKind, (job: Job) => Promise<Again>>>;

const failedMsMin = 1_000;
const failedMsMax = 300_000;
/** How soon work that another process wrote down is noticed. */
const pollMs = 250;

/** Jobs of the whole service, which every start makes sure of. */
const standing = ['reconcile', 'sweep', 'templates', 'audit'] as const satisfies readonly JobKind[];

export async function scheduleStanding({ store }: Control): Promise<void> {
  const runAt = await store.now();
  await schedule(
    store.db,
    standing.map((kind) => ({ kind, subject: '', runAt })),
  );
}

/** Claims and runs one job. @returns false where none is due */
export async function runOneJob(control: Control, handlers: JobHandlers): Promise<boolean> {
  const { store, times } = control;
  const claimed = await claimJob(store, { now: await store.now(), leaseMs: times.leaseMs });
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

  start({ lanes }: { lanes: number }): void {
    this.#lanes = Array.from({ length: lanes }, () => this.#run());
  }

  /** Looks for work now: something was just written down. */
  wake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Takes no new job. @returns when those under way have ended */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await Promise.all(this.#lanes);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const hasRun = await runOneJob(this.#control, this.#handlers).catch((error) => {
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
