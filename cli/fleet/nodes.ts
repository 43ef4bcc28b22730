/** One node of a fleet on this machine: a simulated enclave. Starts it, verifies it as a client does, and drains it. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { ServerError } from '@cloister/server/http/errors';
import { hasEnded, isRunning, startProcess } from './processes.ts';
import { nodeProven } from './prove-node.ts';
import type { FleetPaths, FleetState, NodeRecord, Release } from './state.ts';

const pollMs = 100;
const requestTimeoutMs = 5_000;
const metricsCharactersMax = 16 * 1024 * 1024;
/** Announcing, `--drain-timeout-s` of a node without options, and the end of the process. */
const drainTimeoutMs = 60_000;

export interface NewNode {
  readonly number: number;
  readonly slot: number;
  readonly release: Release;
  /** Nodes that compute at the same time: they share the machine's cores. */
  readonly nodes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts the process of a node; it serves when `nodeReady` resolves. @throws {ServerError} ERR_START */
export async function startNode(paths: FleetPaths, fleet: FleetState, node: NewNode): Promise<NodeRecord> {
  const { number, slot, release, nodes, env } = node;
  const folder = join(paths.nodes, `node-${number}-release-${release.number}-slot-${slot}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  // One authority certifies all nodes, so that clients of the shared address need one certificate.
  copyFileSync(paths.certificate, join(folder, 'certificate.pem'));
  copyFileSync(paths.certificateKey, join(folder, 'certificate-key.pem'));
  const policy = join(folder, 'fleet-policy.json');
  writeFileSync(policy, release.policy);
  const port = await freePort();
  const isGiven = (flag: string) => release.options.some((word) => word === flag || word.startsWith(`${flag}=`));
  const threads = Math.max(1, Math.floor(availableParallelism() / nodes));
  const args = [
    ...[release.program, 'serve', '--simulate-tdx', '--json', '--host', '127.0.0.1', '--port', String(port)],
    ...['--metrics-port', '0', '--state-dir', folder, '--database-url', fleet.databaseUrl],
    ...['--fleet-address', `https://localhost:${port}`, '--fleet-policy', policy],
    ...['--public-url', `${baseUrlOf(fleet)}`],
    ...(isGiven('--threads') ? [] : ['--threads', String(threads)]),
    ...release.options,
  ];
  const process_ = await startProcess({
    ...{ program: process.execPath, args, env, cwd: release.cwd },
    ...{ output: eventsOf(folder), errors: logOf(folder) },
  });
  return { number, slot, port, folder, release, process: process_, phase: 'starting' };
}

/** The shared address, as clients use it. */
export function baseUrlOf({ port }: Pick<FleetState, 'port'>): string {
  return `https://localhost:${port}/v1`;
}

export const logOf = (folder: string) => join(folder, 'node.log');
const eventsOf = (folder: string) => join(folder, 'events.jsonl');
/** The root of a node's simulated machine. */
export const rootOf = (folder: string) => join(folder, 'simulation-root.pem');

/**
 * Waits until a node serves, its evidence satisfies the policy of its release, and the directory lists it.
 * @param options.others addresses of the nodes that serve
 * @throws {ServerError} ERR_START if it ends, does not serve in time or fails a check · @throws the reason of the signal
 */
export async function nodeVerified(
  node: NodeRecord,
  { timeoutMs, others, signal }: { timeoutMs: number; others: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  const failed = (reason: string) =>
    new ServerError('ERR_START', `node ${node.number} ${reason}: see ${logOf(node.folder)}`);
  while (!eventOf(node, 'ready')) {
    if (!isRunning(node.process)) throw failed('ended before it served');
    if (performance.now() >= deadline)
      throw failed(`did not serve within ${timeoutMs / 1000} s (to wait longer: --evidence-timeout-s)`);
    await sleep(pollMs, undefined, { signal });
  }
  await nodeProven(addressOf(node), {
    ...{ policy: parseEvidencePolicy(node.release.policy), others, deadline, signal },
    roots: async () => readFileSync(rootOf(node.folder), 'utf8'),
  }).catch((error: unknown) => {
    throw error instanceof ServerError ? failed(error.message) : error;
  });
}

/** Origin of a node: clients that choose nodes connect to it, and not to the balancer. */
export function addressOf({ port }: Pick<NodeRecord, 'port'>): string {
  return `https://localhost:${port}`;
}

/**
 * Drains a node by its entry in the directory and waits until it has ended; one that does not end in time is killed.
 * @throws the reason of the signal
 */
export async function drainNode(node: NodeRecord, { signal }: { signal: AbortSignal }): Promise<void> {
  if (!isRunning(node.process)) return;
  // A node that cannot be asked drains by SIGTERM in the same way.
  await requestDrain(node).catch(() => process.kill(node.process.pid, 'SIGTERM'));
  if (await hasEnded(node.process, { timeoutMs: drainTimeoutMs, signal })) return;
  process.kill(node.process.pid, 'SIGKILL');
  await hasEnded(node.process, { timeoutMs: drainTimeoutMs });
}

/** Address of the node's metrics; undefined while it starts. */
export function metricsUrlOf(node: Pick<NodeRecord, 'folder'>): string | undefined {
  return (eventOf(node, 'listening') as { metricsUrl?: string } | undefined)?.metricsUrl;
}

/** `POST /admin/drain` on the node's admin port. @throws if it does not answer 202 */
async function requestDrain(node: NodeRecord): Promise<void> {
  const listening = eventOf(node, 'listening') as { adminUrl?: string; metricsUrl?: string } | undefined;
  const url = listening?.adminUrl ?? listening?.metricsUrl;
  if (url === undefined) throw new Error('the node has no admin port');
  const token = readFileSync(join(node.folder, 'admin-token'), 'utf8').trim();
  const answer = await requestOf(new URL('/admin/drain', url), {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}` }, timeout: requestTimeoutMs },
  });
  answer.destroy();
  if (answer.statusCode !== 202) throw new Error(`the node answered ${answer.statusCode} to the request to drain`);
}

/** Reads the metrics of a node, of any fleet. @throws if it does not answer 200 in time, or the reason of the signal */
export async function readMetrics(url: string, signal: AbortSignal): Promise<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]);
  const answer = await requestOf(new URL(url), { signal: limited });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) {
    text += piece;
    if (text.length > metricsCharactersMax) throw new Error(`${url} has more than ${metricsCharactersMax} characters`);
  }
  return text;
}

function requestOf(url: URL, options: http.RequestOptions): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = http.request(url, options, resolve);
    asked.once('timeout', () => asked.destroy(new Error(`${url.origin} does not answer`))).once('error', reject);
    asked.end();
  });
}

/** The last event of this name that the node printed. */
function eventOf({ folder }: Pick<NodeRecord, 'folder'>, name: string): object | undefined {
  const path = eventsOf(folder);
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  const events = lines.flatMap((line) => (line.startsWith(`{"event":"${name}"`) ? [JSON.parse(line) as object] : []));
  return events.at(-1);
}

/** A port of the loopback interface without a listener. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}
