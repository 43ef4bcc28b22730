/** `cloister fleet` with real processes: three nodes behind one address, killed, replaced under load, rolled back and removed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import tls from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { attestServer } from '../../attestation/client/attest-server.ts';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import { findHaproxy } from '../../cli/fleet/balancer.ts';
import { findPostgres } from '../../cli/fleet/database.ts';
import type { FleetState } from '../../cli/fleet/state.ts';
import { reachablePort } from '../support/compute/reachable-port.ts';
import { simulatedPolicy } from '../support/server/simulated-fleet.ts';

function reasonToSkip(): string | undefined {
  try {
    findPostgres(process.env.PATH ?? '');
    findHaproxy(process.env.PATH ?? '');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const missing = reasonToSkip();
if (missing !== undefined) console.warn(`the fleet command is skipped: ${missing}`);

const root = join(import.meta.dirname, '../..');
const model = 'cloister-demo-TEE';
/** Answers that a node computes at the same time. */
const sequences = 2;

describe.skipIf(missing !== undefined)(`cloister fleet${missing === undefined ? '' : ` (${missing})`}`, () => {
  const work = mkdtempSync(join(tmpdir(), 'cloister-fleet-command-'));
  const folder = join(work, 'fleet');
  const policyPath = join(work, 'policy.json');
  let port: number;
  let origin: string;

  afterAll(async () => {
    await cloister('down');
    rmSync(work, { recursive: true, force: true });
  }, 30_000);

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess =>
    spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });

  /** @param line words; those after `--` are options of serve */
  async function cloister(line: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const [own = '', options] = line.split(' -- ');
    const words = [
      ...own.split(' '),
      '--state-dir',
      folder,
      ...(options === undefined ? [] : ['--', ...options.split(' ')]),
    ];
    const child = start(['cli/cloister.mjs', 'fleet', ...words]);
    let [stdout, stderr] = ['', ''];
    child.stdout!.on('data', (piece) => (stdout += String(piece)));
    child.stderr!.on('data', (piece) => (stderr += String(piece)));
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  }

  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  const state = (): FleetState => JSON.parse(file('fleet.json'));
  const apiKey = () => file('api-key').trim();
  const chat = (text: string): RequestInit => ({
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }], max_tokens: 8 }),
    signal: AbortSignal.timeout(60_000),
  });

  /**
   * Clients of both kinds keep this many requests running until `work` ends.
   * @param nodesBefore nodes that must have answered before `work` begins · @param nodesAfter and before the load ends
   * @returns the failures, and who answered
   */
  async function underLoad(clients: number, work: () => Promise<void>, { nodesBefore = 0, nodesAfter = 1 } = {}) {
    const failures: string[] = [];
    const nodes = new Set<string>();
    // Simulated machines have no common root, so those of new nodes are added as they come.
    const roots: Uint8Array[] = [];
    const readRoots = () => roots.splice(0, Infinity, ...parsePemChain(file('simulation-roots.pem'), 'roots'));
    readRoots();
    const verified = attestedFetch(JSON.parse(readFileSync(policyPath, 'utf8')), {
      roots,
      seal: true,
      fleet: 'announced',
    });
    let isOver = false;
    let answers = 0;
    const client = async (number: number) => {
      const send = number % 2 === 0 ? verified : fetch;
      while (!isOver) {
        readRoots();
        try {
          // Another conversation each time: one stays on its node, and a node may have been chosen for none of a few.
          const answer = await send(`${origin}/v1/chat/completions`, chat(`client ${number}, request ${answers}`));
          const text = await answer.text();
          if (answer.status !== 200)
            failures.push(`${send === fetch ? 'plain' : 'verified'}: ${answer.status} ${text}`);
          nodes.add(answer.headers.get('x-receipt-id')?.split('-')[1] ?? 'none');
          answers += 1;
        } catch (error) {
          failures.push(`${send === fetch ? 'plain' : 'verified'}: ${error} ${String((error as Error).cause)}`);
        }
      }
    };
    const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
    try {
      // An old node that has not been chosen yet would be replaced, and the last new node may not have been chosen.
      await expect.poll(() => nodes.size, { timeout: 60_000 }).toBeGreaterThanOrEqual(nodesBefore);
      await work();
      await expect.poll(() => nodes.size, { timeout: 60_000 }).toBeGreaterThanOrEqual(nodesAfter);
    } finally {
      isOver = true;
      await running;
    }
    return { failures, nodes, answers };
  }

  it('up starts three nodes behind one address, and prints a command that works', async () => {
    port = await reachablePort();
    origin = `https://localhost:${port}`;
    const up = await cloister(`up --nodes 3 --port ${port} -- --model ${model} --sequences ${sequences}`);
    expect(up.code, up.stderr).toBe(0);
    expect(up.stdout).toContain(`base URL     ${origin}/v1`);
    const curl = up.stdout.split('\n').find((line) => line.startsWith('curl '))!;
    const listed = spawn('bash', ['-c', `${curl} -s`], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    listed.stdout.on('data', (piece) => (text += String(piece)));
    await once(listed, 'close');
    expect(JSON.parse(text).data.map(({ id }: { id: string }) => id)).toEqual([model]);
    const status = JSON.parse((await cloister('status --json')).stdout);
    expect(status.nodes.map((node: Record<string, unknown>) => [node.node, node.state, node.balancer])).toEqual(
      [1, 2, 3].map((number) => [number, 'serving', 'up']),
    );
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), file('certificate.pem')]);
    expect((await cloister(`up --port ${port}`)).stderr).toContain('a fleet exists in');
  }, 120_000);

  it('roll goes back to the old release on its own when a node fails the policy, which gets no request', async () => {
    const [node] = state().nodes;
    const options = { policy: simulatedPolicy, roots: file('simulation-roots.pem') };
    const { verification } = await attestServer(`https://localhost:${node!.port}`, options);
    const models = verification.startLog.filter(({ name }) => name === 'cloister.model').map(({ content }) => content);
    // Only this model, with these weights.
    writeFileSync(policyPath, JSON.stringify({ ...simulatedPolicy, started: { 'cloister.model': models } }));
    const before = state().nodes.map(({ process: { pid } }) => pid);
    const load = await underLoad(Math.round(0.8 * 3 * sequences), async () => {
      const rolled = await cloister(
        `roll --policy ${policyPath} -- --model ${model},cloister-demo-reranker-TEE --sequences ${sequences}`,
      );
      expect(rolled.code).toBe(1);
      expect(rolled.stderr).toContain('the fleet runs the old release again');
      expect(rolled.stderr).toContain('does not satisfy the policy');
    });
    expect(load.failures).toEqual([]);
    expect(load.answers).toBeGreaterThan(0);
    expect(state().nodes.map(({ process: { pid } }) => pid)).toEqual(before);
    const refused = readdirSync(join(folder, 'nodes')).filter((name) => name.includes('release-2'));
    expect(refused).toHaveLength(1);
    // The log has a line for each request: the evidence was asked for, and nothing else.
    const log = file(`nodes/${refused[0]}/node.log`);
    expect(log).toContain('/v1/aci/');
    expect(log).not.toContain('/v1/chat/completions');
  }, 120_000);

  it('kill ends a node in the middle of the stream of examples/07-fleet.ts, which loses no answer', async () => {
    const example = start(['examples/07-fleet.ts'], { FLEET: folder, BASE_URL: `${origin}/v1`, REQUESTS: '30' });
    const lines: string[] = [];
    let errors = '';
    example.stderr!.on('data', (piece) => (errors += String(piece)));
    const exited = once(example, 'exit');
    for await (const line of createInterface({ input: example.stdout! })) {
      lines.push(line);
      if (lines.length === 10) expect((await cloister('kill 2')).code).toBe(0);
    }
    expect((await exited)[0], errors).toBe(0);
    expect(lines).toHaveLength(31);
    expect(lines.at(-1)).toMatch(/^30 answers, none lost: /);
    const { nodes } = JSON.parse((await cloister('status --json')).stdout);
    expect(nodes.map((node: Record<string, unknown>) => node.state)).toEqual(['serving', 'ended', 'serving']);
  }, 120_000);

  it('roll replaces the nodes at 80 % load without a failed request', async () => {
    const old = state().nodes.map(({ process: { pid } }) => pid);
    const roll = async () => {
      const rolled = await cloister(`roll --policy ${policyPath} -- --model ${model} --sequences ${sequences + 1}`);
      expect(rolled.code, rolled.stderr).toBe(0);
    };
    const load = await underLoad(Math.round(0.8 * 2 * sequences), roll, { nodesBefore: 2, nodesAfter: 4 });
    expect(load.failures).toEqual([]);
    expect(load.nodes.size).toBe(4);
    const { nodes, release } = state();
    expect(nodes.map((node) => [node.number, node.release.options.at(-1)])).toEqual([
      [1, String(sequences + 1)],
      [3, String(sequences + 1)],
    ]);
    expect(nodes.map(({ process: { pid } }) => pid).filter((pid) => old.includes(pid))).toEqual([]);
    expect(release.policy).toBe(readFileSync(policyPath, 'utf8'));
  }, 180_000);

  it('down ends a fleet that a command is changing, and leaves no process and no file', async () => {
    const { runFolder } = state();
    // Ctrl-C ends only the node that is starting.
    const scaling = start(['cli/cloister.mjs', 'fleet', 'scale', '3', '--state-dir', folder]);
    const exited = once(scaling, 'exit');
    await expect.poll(() => state().nodes.length, { timeout: 30_000 }).toBe(3);
    expect((await cloister('down')).stderr).toContain('another cloister fleet command changes the fleet');
    scaling.kill('SIGINT');
    expect((await exited)[0]).toBe(130);
    expect(state().nodes.map(({ number }) => number)).toEqual([1, 3]);
    expect((await cloister('down')).code).toBe(0);
    expect([existsSync(folder), existsSync(runFolder)]).toEqual([false, false]);
    expect(commandLines().filter((line) => line.includes(folder) || line.includes(runFolder))).toEqual([]);
    expect((await cloister('status')).stderr).toContain('has no fleet');
  }, 120_000);
});

/** Of every process on this machine; those that have ended have none. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    });
}
