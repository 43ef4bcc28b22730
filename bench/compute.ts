/**
 * `node bench/compute.ts [--cpus 0,1] [--quick]`: the cost of the compute service without engines: deploy decisions and releases
 * per second, lists and details of pods over HTTP, and a pass of the reconciler; on SQLite and, if its packages are installed,
 * on PostgreSQL. Every run ends with an audit; results of an inconsistent ledger are discarded.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../test/support/accounts/postgres.ts';
import { readOptions } from './command-line.ts';
import { type BenchService, openBenchService } from './compute-service.ts';
import { describeMachine } from './machine.ts';
import { type Case, type Sample, saveResults } from './results.ts';
import { quantile } from './statistics.ts';
import { renderTables } from './tables.ts';

const help = `node bench/compute.ts [options]
  --cpus <list>         the service's cores [0,1]
  --quick               a minimal run to test the bench
`;

const values = readOptions(help, {
  cpus: { type: 'string', default: '0,1' },
  quick: { type: 'boolean', default: false },
});
const scale = values.quick ? 0.02 : 1;
const accountCount = Math.ceil(1_000 * scale);
const podCount = Math.ceil(10_000 * scale);
const repeats = values.quick ? 1 : 3;
const concurrent = 32;
/** Concurrent requests for lists and details: more would measure queueing. */
const readers = 4;

/** A folder on the measured disk. */
const folder = mkdtempSync(join(tmpdir(), 'cloister-bench-compute-'));
const machine = describeMachine();
const postgres = startPostgres({ fsync: true });
if ('missing' in postgres) console.log(`without PostgreSQL: ${postgres.missing}`);
execFileSync('taskset', ['-a', '-c', '-p', values.cpus, String(process.pid)]);
const stores = 'missing' in postgres ? ['sqlite'] : ['sqlite', 'postgres'];
const figures: Record<string, Record<string, Sample[]>> = {};
try {
  for (let repeat = 0; repeat < repeats; repeat++) for (const name of stores) await measure(name);
} finally {
  rmSync(folder, { recursive: true });
  if (!('missing' in postgres)) postgres.remove();
}
const cases: Case[] = Object.entries(figures).map(([label, samples]) => ({ scenario: 'compute', label, samples }));
const results = {
  name: 'compute',
  date: new Date().toISOString(),
  quick: values.quick,
  machine,
  settings: { accounts: accountCount, pods: podCount, cpus: values.cpus, 'under way at a time': concurrent },
  servers: {
    sqlite: ['node:sqlite, WAL, synchronous=FULL'],
    ...('missing' in postgres ? {} : { postgres: ['pg 8, local socket, fsync on'] }),
  },
  cases,
};
console.log(renderTables(results));
console.log(saveResults(results).replace(/^.*\/bench\//, 'bench/'));

async function measure(name: string): Promise<void> {
  const address =
    name === 'postgres' && !('missing' in postgres)
      ? ({ kind: 'postgres', url: await postgres.emptyDatabase() } as const)
      : ({ kind: 'sqlite', path: join(folder, `${performance.now()}.sqlite`) } as const);
  const service = await openBenchService(address, { accountCount, podCount });
  const keep = (label: string, sample: Sample) => {
    figures[label] ??= {};
    figures[label][name] = [...(figures[label][name] ?? []), sample];
  };
  try {
    keep(`deploy decision, ${podCount} pods`, await timeAll(podCount, (index) => service.claim(index)));
    await service.start();
    keep('reconciler pass', await timeAll(values.quick ? 2 : 5, () => service.reconcile(), 1));
    keep('list of an account', await timeAll(Math.ceil(5_000 * scale), (index) => service.get(index, 'pods'), readers));
    keep('details of a pod', await timeAll(Math.ceil(5_000 * scale), (index) => service.getPod(index), readers));
    keep('release', await timeAll(Math.ceil(2_000 * scale), (index) => service.release(index)));
    await requireRight(service);
  } finally {
    await service.close();
  }
}

async function timeAll(count: number, act: (index: number) => Promise<void>, lanes = concurrent): Promise<Sample> {
  const latencies: number[] = [];
  let next = 0;
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const lane = async () => {
    while (next < count) {
      const index = next++;
      const began = performance.now();
      await act(index);
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - start) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    requestsPerSecond: count / seconds,
    latencyP50Ms: quantile(latencies, 0.5),
    latencyP99Ms: quantile(latencies, 0.99),
    cpuMicrosPerRequest: (cpu.user + cpu.system) / count,
  };
}

async function requireRight(service: BenchService): Promise<void> {
  const wrong = await service.audit();
  if (wrong.length > 0) throw new Error(`the ledger is inconsistent: ${wrong.join('; ')}`);
}
