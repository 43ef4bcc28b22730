/** Prometheus metrics of pods, jobs and the audit, read from the database at each scrape. They name no account and no pod. */
import { Gauge, Registry } from 'prom-client';
import type { ComputeStore } from '../store/store.ts';

export function buildComputeMetrics(store: ComputeStore, { faults }: { faults: () => readonly string[] }): Registry {
  const registry = new Registry();
  new Gauge({
    name: 'cloister_compute_pods',
    help: 'pods by state and provider',
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
    help: 'age of the oldest overdue job in seconds',
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
    help: 'faults found by the last audit of the books; deploys return 503 while above 0',
    registers: [registry],
    collect() {
      this.set(faults().length);
    },
  });
  return registry;
}
