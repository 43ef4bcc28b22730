/**
 * `node bench/accounts.ts [--cpu 0] [--quick]`: the time that authentication, limits, reservation and settlement add to a
 * request, and the requests per second that one core admits and settles; on SQLite and, if its packages are installed, with
 * PostgreSQL on the other cores. The floor is the time of the flush for which a request waits on SQLite, measured on the same
 * disk at the same rate. Every run ends with an audit; results of an inconsistent ledger are discarded.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accounts, type DatabaseAddress, openAccounts } from '../accounts/store.ts';
import { startPostgres } from '../test/support/accounts/postgres.ts';
import { readOptions } from './command-line.ts';
import { describeMachine } from './machine.ts';
import { type Case, type Sample, saveResults } from './results.ts';
import { quantile } from './statistics.ts';
import { renderTables } from './tables.ts';

const accountCount = 50;
const repeats = 3;
const pricing = { promptPerMillion: 150_000, completionPerMillion: 600_000 };
const model = { id: 'bench-TEE', plans: ['*'], pricing };

/** SQLite writes seven pages per settlement, repeatedly to the same log file. */
const settlementBytes = 7 * 4096;
const logBytes = 1_150 * settlementBytes;

interface Load {
  readonly label: string;
  /** Requests in flight; each starts when an earlier one has ended. */
  readonly concurrent: number;
  readonly requests: number;
  /** Average pause between requests of one client; 0 for none. */
  readonly pauseMs: number;
}

const help = `node bench/accounts.ts [options]
  --cpu <number>        Cloister's core [0]
  --quick               a minimal run to test the bench
`;

const values = readOptions(help, { cpu: { type: 'string', default: '0' }, quick: { type: 'boolean', default: false } });
const scale = values.quick ? 0.02 : 1;
const loads: readonly Load[] = [
  { label: 'one at a time', concurrent: 1, requests: 5_000 * scale, pauseMs: 0 },
  { label: '200 requests/s', concurrent: 20, requests: 6_000 * scale, pauseMs: 100 },
  { label: '64 at a time', concurrent: 64, requests: 60_000 * scale, pauseMs: 0 },
  { label: '512 at a time', concurrent: 512, requests: 60_000 * scale, pauseMs: 0 },
];

/** A folder on the measured disk. */
const folder = mkdtempSync(join(tmpdir(), 'cloister-bench-accounts-'));
const machine = describeMachine();
// Started before this process is pinned, so that it gets other cores.
const postgres = startPostgres({ fsync: true });
if ('missing' in postgres) console.log(`without PostgreSQL: ${postgres.missing}`);
execFileSync('taskset', ['-a', '-c', '-p', values.cpu, String(process.pid)]);
const stores = 'missing' in postgres ? ['sqlite'] : ['sqlite', 'postgres'];
const cases: Case[] = [];
try {
  for (const load of loads) {
    const samples: Record<string, Sample[]> = Object.fromEntries(stores.map((name) => [name, []]));
    for (let repeat = 0; repeat < (values.quick ? 1 : repeats); repeat++) {
      for (const name of stores) samples[name]!.push(await measure(await addressOf(name), load));
      // With more requests in flight, several share a flush, so a floor for one request does not exist.
      if (load.concurrent > 20) continue;
      samples['one flush'] ??= [];
      samples['one flush'].push(await measureDisk(load));
    }
    cases.push({ scenario: 'accounts', label: load.label, samples });
  }
} finally {
  rmSync(folder, { recursive: true });
  if (!('missing' in postgres)) postgres.remove();
}
const results = {
  name: 'accounts',
  date: new Date().toISOString(),
  quick: values.quick,
  machine,
  settings: { accounts: accountCount, 'per request': 'key look-up, limits, reservation, settlement; both committed' },
  servers: {
    sqlite: ['node:sqlite, WAL, synchronous=NORMAL; a settlement is told after fdatasync of the log'],
    'one flush': [`${settlementBytes / 1024} KiB over a file that exists, and fdatasync on the thread`],
    ...('missing' in postgres ? {} : { postgres: ['pg 8, local socket, fsync on'] }),
  },
  cases,
};
console.log(renderTables(results));
// A quick run must not replace the last full one.
if (!values.quick) console.log(saveResults(results).replace(/^.*\/bench\//, 'bench/'));

async function addressOf(name: string): Promise<DatabaseAddress> {
  if (name === 'postgres' && !('missing' in postgres)) return { kind: 'postgres', url: await postgres.emptyDatabase() };
  return { kind: 'sqlite', path: join(folder, `${performance.now()}.sqlite`) };
}

async function measure(address: DatabaseAddress, load: Load): Promise<Sample> {
  const accounts = await openAccounts(address, { role: 'server' });
  try {
    const secrets = await makeAccounts(accounts);
    await run(accounts, secrets, { ...load, requests: load.requests / 10 });
    const cpuBefore = process.cpuUsage();
    const start = performance.now();
    const times = await run(accounts, secrets, load);
    const latencies = times.map(({ admittedMs, settledMs }) => admittedMs + settledMs);
    const seconds = (performance.now() - start) / 1000;
    const cpu = process.cpuUsage(cpuBefore);
    const { faults, sum } = await accounts.audit();
    if (faults.length > 0 || sum !== 0) throw new Error(`the ledger is inconsistent: ${faults.join('; ')}`);
    return {
      requestsPerSecond: latencies.length / seconds,
      latencyP50Ms: quantile(latencies, 0.5),
      latencyP99Ms: quantile(latencies, 0.99),
      admissionP99Ms: quantile(
        times.map(({ admittedMs }) => admittedMs),
        0.99,
      ),
      cpuMicrosPerRequest: (cpu.user + cpu.system) / latencies.length,
    };
  } finally {
    await accounts.close();
  }
}

async function makeAccounts(accounts: Accounts): Promise<string[]> {
  const now = Date.now();
  return await Promise.all(
    Array.from({ length: accountCount }, async (_, index) => {
      const name = `bench-${now}-${index}`;
      await accounts.createAccount({ name, plan: 'operator', now });
      await accounts.credit({ account: name, microDollars: 1_000_000_000_000, now });
      return (await accounts.createKey({ account: name, name: 'bench', now })).secret;
    }),
  );
}

/** The write and flush of a single settlement, at the rate of one client of `load`. */
async function measureDisk({ concurrent, requests, pauseMs }: Load): Promise<Sample> {
  const file = openSync(join(folder, 'flushes'), 'w');
  for (let written = 0; written < logBytes; written += settlementBytes) writeSync(file, Buffer.alloc(settlementBytes));
  fsyncSync(file);
  const latencies: number[] = [];
  const pages = Buffer.alloc(settlementBytes, 1);
  const count = pauseMs > 0 ? Math.min(requests, 1_000) : requests;
  for (let index = 0; index < count; index++) {
    if (pauseMs > 0) await pause((pauseMs / concurrent) * 2 * fraction(index));
    const start = performance.now();
    writeSync(file, pages, 0, pages.length, (index * settlementBytes) % logBytes);
    fdatasyncSync(file);
    latencies.push(performance.now() - start);
  }
  closeSync(file);
  return { latencyP50Ms: quantile(latencies, 0.5), latencyP99Ms: quantile(latencies, 0.99) };
}

/** Time that the accounts add to one request, before its first token and after its last. */
interface RequestTimes {
  readonly admittedMs: number;
  readonly settledMs: number;
}

async function run(accounts: Accounts, secrets: readonly string[], load: Load): Promise<RequestTimes[]> {
  const latencies: RequestTimes[] = [];
  let next = 0;
  const row = async () => {
    while (next < load.requests) {
      const index = next++;
      if (load.pauseMs > 0) await pause(load.pauseMs * 2 * fraction(index));
      latencies.push(await oneRequest(accounts, secrets[index % secrets.length]!, index));
    }
  };
  await Promise.all(Array.from({ length: load.concurrent }, row));
  return latencies;
}

async function oneRequest(accounts: Accounts, secret: string, index: number): Promise<RequestTimes> {
  const start = performance.now();
  const caller = await accounts.findCaller(secret);
  if (caller === undefined) throw new Error('the key is unknown');
  const now = Date.now();
  const admission = await accounts.admit({
    caller,
    requestId: `bench${index}`,
    surface: 'chat',
    model,
    countsMax: { promptTokens: 2_000, completionTokens: 500 },
    now,
    deadline: now + 600_000,
  });
  const admitted = performance.now();
  await admission.settle({ counts: { promptTokens: 1_200, completionTokens: 180 }, finishReason: 'stop', now });
  return { admittedMs: admitted - start, settledMs: performance.now() - admitted };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Random numbers from 0 to 1, the same in every run. */
function fraction(index: number): number {
  return ((index * 2_654_435_761) % 2 ** 32) / 2 ** 32;
}
