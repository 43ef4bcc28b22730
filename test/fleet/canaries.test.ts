/** Four nodes under load: no part outside of the nodes holds, logs, stores or carries a prompt in plain text. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInMemory, type Hit, type Pattern, whyUnreadable } from '../support/process-memory.ts';
import { checkBooks } from './support/books.ts';
import { Fleet, whyNoFleet } from './support/fleet.ts';
import { processesOf } from './support/host-process.ts';
import { Load, type Outcome } from './support/load.ts';
import { networkNames } from './support/network.ts';

const noTcpdump =
  spawnSync('tcpdump', ['--version']).status === 0 ? undefined : 'tcpdump is not installed (.ci/install-fleet.sh)';
const missing = whyNoFleet() ?? whyUnreadable(process.pid) ?? noTcpdump;
if (missing !== undefined) console.warn(`the canaries of a fleet are skipped: ${missing}`);

const canary = Buffer.from('canary-4711-of-a-prompt');
/** Requests of each kind of client. */
const requests = 40;

describe.skipIf(missing !== undefined)(`prompts in a fleet${missing === undefined ? '' : ` (${missing})`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-traffic-'));
  let fleet: Fleet;
  let starting: Promise<Fleet>;
  let outcomes: readonly Outcome[];
  let key: Buffer;

  beforeAll(async () => {
    starting = Fleet.start({ nodes: 4, accounts: 4 });
    fleet = await starting;
    key = Buffer.from(fleet.callers[0]!.key);
    const records = networkNames.map((name) => {
      const words = ['tcpdump', '-i', name, '-U', '-w', join(folder, name), '-Z', 'root'];
      const [program, ...args] = [...fleet.network.enter, ...words];
      return spawn(program!, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    });
    // It writes a line when it has begun to record.
    await Promise.all(records.map(({ stderr }) => once(stderr!, 'data')));
    const load = new Load(fleet, { clients: 4, prompt: (number) => `${canary} question ${number}` });
    await load.succeeded(requests, { timeoutMs: 120_000 });
    outcomes = await load.stop();
    for (const record of records) {
      const ended = once(record, 'exit');
      record.kill('SIGINT');
      await ended;
    }
  });
  afterAll(async () => {
    // Also if the start took longer than its hook may.
    await (await starting).close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are answered by all nodes, and charged exactly', async () => {
    expect(outcomes.filter(({ usage }) => usage === undefined)).toEqual([]);
    expect(new Set(outcomes.map(({ node }) => node)).size).toBe(4);
    expect((await checkBooks(fleet.database.url, outcomes)).mistakes).toEqual([]);
  });

  it('are not in the memory of the balancers, PostgreSQL, Patroni and etcd, and no API key is', () => {
    const { balancerHost, database } = fleet;
    const requestId = Buffer.from(outcomes[0]!.requestId!);
    const patterns = [
      { name: 'prompt', bytes: canary },
      { name: 'key', bytes: key },
      { name: 'request id', bytes: requestId },
    ];
    const hosts = [balancerHost, database.proxyHost, ...database.servers.map(({ host }) => host)];
    const found = hosts.flatMap((host) => processesOf(host).flatMap((pid) => findIfRunning(pid, patterns)));
    // PostgreSQL stores the ids of requests, which shows that its memory was read.
    expect(new Set(found.map(({ pattern }) => pattern))).toEqual(new Set(['request id']));
  });

  it('are not in the logs and files of these parts', () => {
    const { balancer, database } = fleet;
    const logs = [balancer, database.proxy, ...database.servers.flatMap(({ patroni, etcd }) => [patroni, etcd])];
    const texts = logs.map(({ log }) => Buffer.from(log));
    const files = database.servers.flatMap(({ folder: disk }) =>
      readdirSync(disk, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
    );
    expect(files.some((bytes) => bytes.includes(outcomes[0]!.requestId!))).toBe(true);
    for (const secret of [canary, key]) {
      expect([...texts, ...files].filter((bytes) => bytes.includes(secret))).toHaveLength(0);
    }
  });

  it('are not in the traffic', () => {
    const [front, data] = networkNames.map((name) => readFileSync(join(folder, name)));
    // Nodes and database talk without TLS here, which shows that the traffic was recorded.
    expect(data!.includes(outcomes[0]!.requestId!)).toBe(true);
    expect(front!.length).toBeGreaterThan(100_000);
    for (const traffic of [front!, data!]) {
      for (const secret of [canary, key]) expect(traffic.includes(secret)).toBe(false);
    }
  });
});

/** PostgreSQL's background workers end while the memory of others is read. */
function findIfRunning(pid: number, patterns: readonly Pattern[]): Hit[] {
  try {
    return findInMemory(pid, patterns);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return [];
    throw error;
  }
}
