/** `cloister fleet`: several simulated nodes behind one address on this machine, with the steps of an operator. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { type CommandIo, exitCodes, table, usageError } from '@cloister/server/program/command';
import { suggestion } from '@cloister/server/program/suggestion';
import { balancerStates, nodesMax } from './balancer.ts';
import { type FleetCall, fleetCall, locked, noArgument, onlyNumber, releaseOf, wholeNumber } from './call.ts';
import { roll, scale } from './change-nodes.ts';
import { startFleet } from './fleet-up.ts';
import { help, rollTimeoutS, startTimeoutS } from './help.ts';
import { LocalFleet } from './local-fleet.ts';
import { baseUrlOf, logOf } from './nodes.ts';
import type { FleetOptions } from './platform.ts';
import { isRunning } from './processes.ts';
import { makeFleetFolder } from './state.ts';

const subcommands = { up, status, kill, roll, scale, down };
const evidenceTimeoutSMax = 3600;

/** @throws {ServerError} ERR_USAGE, ERR_START · @throws {AttestationError} ERR_POLICY_MALFORMED */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const at = args.indexOf('--');
  const own = at < 0 ? args : args.slice(0, at);
  const [name = '', ...rest] = args;
  if (own.includes('--help') || own.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const known = Object.keys(subcommands);
  if (!Object.hasOwn(subcommands, name))
    throw usageError(`fleet takes ${known.join(', ')}, got ${name || 'nothing'}${suggestion(name, known)}`, 'fleet');
  const call = fleetCall(rest, io.cwd);
  const timeoutS = wholeNumber(call.values, 'evidence-timeout-s', {
    ...{ fallback: name === 'roll' ? rollTimeoutS : startTimeoutS, max: evidenceTimeoutSMax },
  });
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const options: FleetOptions = {
    ...{ env: io.env, signal: interrupt.signal, evidenceTimeoutMs: timeoutS * 1000 },
    onStep: (text) => void io.stderr.write(`${text}\n`),
  };
  try {
    return await subcommands[name as keyof typeof subcommands](call, options, io);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    io.stderr.write('interrupted\n');
    return exitCodes.interrupted;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}

async function up(call: FleetCall, options: FleetOptions, io: CommandIo): Promise<number> {
  noArgument(call, 'up');
  const { paths } = call;
  const nodes = wholeNumber(call.values, 'nodes', { fallback: 3, max: nodesMax });
  const port = wholeNumber(call.values, 'port', { fallback: 8443, max: 65_535 });
  const release = releaseOf(call, undefined);
  makeFleetFolder(paths);
  return await locked(paths, async () => {
    const fleet = await startFleet({ ...options, paths, nodes, port, release });
    printAddress(fleet, call, io);
    return exitCodes.ok;
  });
}

async function status(call: FleetCall, options: FleetOptions, { stdout }: CommandIo): Promise<number> {
  noArgument(call, 'status');
  const { state } = new LocalFleet({ ...options, paths: call.paths });
  const health = await balancerStates(state.runFolder).catch(() => undefined);
  const nodes = state.nodes
    .toSorted((a, b) => a.number - b.number)
    .map((node) => ({
      ...{ node: node.number, state: isRunning(node.process) ? node.phase : 'ended' },
      ...{ balancer: health?.get(node.slot)?.toLowerCase() ?? 'unknown', release: node.release.number },
      ...{ pid: node.process.pid, port: node.port, log: logOf(node.folder) },
    }));
  const isWhole = health !== undefined && state.database !== undefined && isRunning(state.database);
  if (call.values.json === true) {
    stdout.write(`${JSON.stringify({ baseUrl: baseUrlOf(state), apiKeyFile: call.paths.apiKey, nodes }, null, 2)}\n`);
  } else {
    stdout.write(`base URL  ${baseUrlOf(state)}\n`);
    if (!isWhole) stdout.write('the database or the balancer does not run: cloister fleet down, then up\n');
    const heading = ['NODE', 'STATE', 'BALANCER', 'RELEASE', 'PID', 'PORT', 'LOG'];
    stdout.write(table([heading, ...nodes.map((node) => Object.values(node).map(String))]));
  }
  return isWhole && nodes.some((node) => node.state === 'serving') ? exitCodes.ok : exitCodes.failure;
}

async function kill(call: FleetCall, options: FleetOptions, { stderr }: CommandIo): Promise<number> {
  const number = onlyNumber(call, { takes: 'kill takes the number of a node', max: nodesMax });
  // Without the lock: a node may also crash during a roll.
  new LocalFleet({ ...options, paths: call.paths }).kill(number);
  stderr.write(`node ${number}: killed\n`);
  return exitCodes.ok;
}

async function down(call: FleetCall, options: FleetOptions, { stderr }: CommandIo): Promise<number> {
  noArgument(call, 'down');
  if (!existsSync(call.paths.state)) {
    stderr.write('no fleet runs here\n');
    return exitCodes.ok;
  }
  return await locked(call.paths, async () => {
    await new LocalFleet({ ...options, paths: call.paths }).down();
    stderr.write('the fleet has ended, and its files are removed\n');
    return exitCodes.ok;
  });
}

function printAddress({ state }: LocalFleet, { paths, cwd, values }: FleetCall, { stdout }: CommandIo): void {
  const baseUrl = baseUrlOf(state);
  const short = (path: string) => relative(cwd, path) || path;
  const [key, certificate] = [short(paths.apiKey), short(paths.certificate)];
  const facts = { baseUrl, apiKeyFile: paths.apiKey, certificatePath: paths.certificate };
  if (values.json === true) {
    const more = { rootsPath: paths.roots, policyPath: paths.policy, nodes: state.nodes.length };
    stdout.write(`${JSON.stringify({ ...facts, ...more })}\n`);
    return;
  }
  stdout.write(
    [
      `${state.nodes.length} nodes serve at one address; their machines are simulated, so their evidence proves nothing`,
      '',
      `  base URL     ${baseUrl}`,
      `  API key      in ${key}`,
      `  certificate  ${certificate}`,
      `  policy       ${short(paths.policy)}, with the roots in ${short(paths.roots)}`,
      '',
      `curl --cacert ${certificate} -H "Authorization: Bearer $(cat ${key})" ${baseUrl}/models`,
      '',
    ].join('\n'),
  );
}
