/** A real HAProxy with the configuration of `deploy/haproxy`, in front of nodes on loopback. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reachablePort } from '../compute/reachable-port.ts';

const source = join(import.meta.dirname, '../../../deploy/haproxy/haproxy.cfg');
const template = /^ {4}server-template ([a-z]+) \d+ "[^"]+" resolvers dns(.*)\n/gm;
const numbered = /^ {4}server ([a-z]+)(\d+) "[^"]+" resolvers dns(.*)\n/gm;

/**
 * A configuration of `deploy/haproxy` with addresses in place of a DNS name; everything else is the file as it is.
 * @throws {Error} if it names no servers
 */
export function withServers(text: string, addresses: readonly string[]): string {
  if (text.search(template) < 0 && text.search(numbered) < 0) throw new Error('the configuration names no servers');
  const line = (name: string, index: number, options: string) =>
    addresses[index] === undefined ? '' : `    server ${name}${index + 1} ${addresses[index]}${options}\n`;
  return text
    .replace(template, (_, name, options) => addresses.map((_, index) => line(name, index, options)).join(''))
    .replace(numbered, (_, name, number, options) => line(name, Number(number) - 1, options));
}

/** Why HAProxy cannot run here; undefined if it can. */
export const haproxyMissing =
  spawnSync('haproxy', ['-v']).status === 0 ? undefined : 'haproxy is not installed (apt-get install haproxy)';

export interface Balancer {
  readonly port: number;
  /** What it logged. */
  readonly log: () => string;
  readonly pid: number;
  close(): Promise<void>;
}

/** @param ports of the nodes, named node1 and so on · @param names by node, for its Server Name Indication */
export async function startHaproxy(
  ports: readonly number[],
  names: Readonly<Record<string, string>>,
): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-haproxy-'));
  const addresses = ports.map((port) => `127.0.0.1:${port}`);
  writeFileSync(join(folder, 'haproxy.cfg'), withServers(readFileSync(source, 'utf8'), addresses));
  const map = join(folder, 'nodes.map');
  writeFileSync(
    map,
    Object.entries(names)
      .map(([node, name]) => `${name} ${node}\n`)
      .join(''),
  );
  const port = await reachablePort();
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    env: { ...process.env, FLEET_LISTEN: `127.0.0.1:${port}`, FLEET_NODES: 'unused', FLEET_MAP: map },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (log += String(piece)));
  await listening(child, port, () => log);
  return {
    port,
    log: () => log,
    pid: child.pid!,
    async close() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listening(child: ChildProcess, port: number, log: () => string): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    if (child.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`haproxy did not start: ${log()}`);
}
