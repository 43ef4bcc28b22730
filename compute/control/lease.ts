/** Keeps the lease of a running job. */
import { type Job, renewLease } from '../store/jobs.ts';
import type { Control } from './control.ts';

/** Renews the lease every third of its time until `release`, which returns the job with its last lease. */
export function holdLease({ store, times, note }: Control, claimed: Job): { release: () => Promise<Job> } {
  const { leaseMs } = times;
  let job = claimed;
  let renewing = Promise.resolve();
  const renew = async () => {
    // A lost lease is not claimed back: the process that has the job now finishes it.
    job = (await renewLease(store, job, { now: await store.now(), leaseMs })) ?? job;
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch((error) => note('lease cannot be renewed', { job: job.id }, error));
  }, leaseMs / 3);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      await renewing;
      return job;
    },
  };
}
