/** What Prometheus is told of pods, jobs and books; read from the database when it asks. No account and no pod is named. */
import { Gauge, Registry } from 'prom-client';
import type { ComputeStore } from '../store/store.ts';

export function buildComputeMetrics(store: ComputeStore, { faults }: { faults: () => readonly string[] }): Registry {
  const registry = new Registry();
  new Gauge({
    name: 'cloister_compute_pods',
    help: 'pods by state',
    labelNames: ['state', 'provider'],
    registers: [registry],
    async collect() {
      const rows = await store.db
        .selectFrom('compute_pods')
        .select(['state', 'provider'])
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .groupBy(['state', 'provider'])
        .execute();
      this.reset();
      for (const { state, provider, count } of rows) this.set({ state, provider }, count);
    },
  });
  new Gauge({
    name: 'cloister_compute_jobs_overdue_seconds',
    help: 'how long the job that waits for longest has been due',
    registers: [registry],
    async collect() {
      const now = await store.now();
      const { first } = await store.db
        .selectFrom('compute_jobs')
        .select(({ fn }) => fn.min<number | null>('run_at').as('first'))
        .where('lease_until', '<=', now)
        .executeTakeFirstOrThrow();
      this.set(first === null ? 0 : Math.max(0, now - first) / 1000);
    },
  });
  new Gauge({
    name: 'cloister_compute_book_faults',
    help: 'what the last look at the books found wrong; above 0 nothing is let',
    registers: [registry],
    collect() {
      this.set(faults().length);
    },
  });
  return registry;
}
