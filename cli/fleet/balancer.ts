/**
 * The balancer of a fleet on this machine: HAProxy in TCP mode, which holds no key and reads nothing. It has more places than
 * nodes; its socket assigns nodes to places, so that it is never restarted.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerError } from '@cloister/server/http/errors';
import { type FleetProcess, isRunning, signalProcess, startProcess } from './processes.ts';

/** Nodes of a fleet on one machine. */
export const nodesMax = 16;
/** During a replacement, the old and the new node have a place each. */
export const slotsMax = 2 * nodesMax;

const startTimeoutMs = 10_000;
const commandTimeoutMs = 5_000;
const pollMs = 50;

/** Folders of system programs, which are not on the PATH of every user. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin'];

/** @param path the variable PATH · @throws {ServerError} ERR_START, which says what to install */
export function findHaproxy(path: string, more: readonly string[] = systemFolders): string {
  const folders = [...path.split(delimiter), ...more].filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, 'haproxy')).find((program) => existsSync(program));
  if (found === undefined)
    throw new ServerError('ERR_START', 'HAProxy is not installed. Action: apt-get install haproxy');
  return found;
}

export interface BalancerOptions {
  /** On the loopback interface. */
  readonly port: number;
  /** Receives the configuration and the socket. */
  readonly runFolder: string;
  readonly log: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts the balancer without nodes. @throws {ServerError} ERR_START */
export async function startBalancer(
  program: string,
  { port, runFolder, log, env }: BalancerOptions,
): Promise<FleetProcess> {
  const file = join(runFolder, 'haproxy.cfg');
  writeFileSync(file, configuration({ port, socket: socketOf(runFolder) }));
  const args = ['-db', '-f', file];
  const balancer = await startProcess({ program, args, env, cwd: runFolder, output: log, errors: log });
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline && isRunning(balancer); ) {
    if (await command(runFolder, 'show info').then(Boolean, () => false)) return balancer;
    await sleep(pollMs);
  }
  signalProcess(balancer, 'SIGKILL');
  throw new ServerError('ERR_START', `HAProxy did not start on port ${port}: see ${log}`);
}

/** Sends new connections to a node. */
export async function addToBalancer(runFolder: string, { slot, port }: { slot: number; port: number }): Promise<void> {
  await command(runFolder, `set server ${serverName(slot)} addr 127.0.0.1 port ${port}`);
  await command(runFolder, `set server ${serverName(slot)} state ready`);
}

/** Sends no new connections to a node; open ones go on. */
export async function drainInBalancer(runFolder: string, slot: number): Promise<void> {
  await command(runFolder, `set server ${serverName(slot)} state drain`);
}

/** Frees the place of a node that has ended. */
export async function removeFromBalancer(runFolder: string, slot: number): Promise<void> {
  await command(runFolder, `set server ${serverName(slot)} state maint`);
}

/** What the balancer's health checks say of each place, for example `UP`, `DOWN`, `DRAIN`, `MAINT`. */
export async function balancerStates(runFolder: string): Promise<ReadonlyMap<number, string>> {
  const [heading = '', ...rows] = (await command(runFolder, 'show stat nodes 4 -1')).trim().split('\n');
  const columns = heading.replace(/^# /, '').split(',');
  const [name, status] = [columns.indexOf('svname'), columns.indexOf('status')];
  const states = rows.map((row) => row.split(','));
  return new Map(states.map((row) => [Number(row[name]?.replace('slot', '')), row[status]?.split(' ')[0] ?? '']));
}

/** As `deploy/haproxy/haproxy.cfg`, with places in place of names from DNS. */
function configuration({ port, socket }: { port: number; socket: string }): string {
  const slots = Array.from({ length: slotsMax }, (_, index) => `    server slot${index + 1} 127.0.0.1:1 disabled`);
  return `global
    log stdout format raw local0 warning
    stats socket ${socket} mode 600 level admin

defaults
    log global
    mode tcp
    timeout connect 3s
    timeout check 5s
    option redispatch 1
    timeout client 15m
    timeout server 15m

frontend fleet
    bind 127.0.0.1:${port}
    tcp-request inspect-delay 5s
    tcp-request content accept if { req.ssl_hello_type 1 }
    tcp-request content reject
    default_backend nodes

backend nodes
    balance leastconn
    option httpchk GET /health/ready
    default-server inter 1s fall 2 rise 1 check check-ssl verify none
${slots.join('\n')}
`;
}

const socketOf = (runFolder: string) => join(runFolder, 'balancer.sock');
const serverName = (slot: number) => `nodes/slot${slot}`;

/** One command to HAProxy's socket. @throws {ServerError} ERR_START if it does not answer or refuses the command */
async function command(runFolder: string, line: string): Promise<string> {
  const socket = connect(socketOf(runFolder)).setEncoding('utf8').setTimeout(commandTimeoutMs);
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const fail = (cause?: Error) =>
      reject(new ServerError('ERR_START', 'the balancer does not answer: see cloister fleet status', { cause }));
    socket.on('data', (piece: string) => (text += piece));
    socket.once('timeout', () => fail()).once('error', fail);
    socket.once('close', () => resolve());
    socket.end(`${line}\n`);
  }).finally(() => socket.destroy());
  // A command that changes something answers with an empty line, or with what it changed; refusals name the command or server.
  if (/unknown|no such|require|not a valid|invalid/i.test(text) && line.startsWith('set '))
    throw new ServerError('ERR_START', `the balancer refuses ${line}: ${text.trim()}`);
  return text;
}
