/** `cloister fleet`: several simulated nodes behind one address on this machine, with the steps of an operator. */
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseEvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { type CommandIo, exitCodes, table, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { suggestion } from '@cloister/server/program/suggestion';
import { balancerStates, nodesMax } from './balancer.ts';
import { simulationPolicy, startFleet } from './fleet-up.ts';
import { LocalFleet, type LocalFleetOptions } from './local-fleet.ts';
import { baseUrlOf, logOf } from './nodes.ts';
import { isRunning } from './processes.ts';
import { type FleetPaths, fleetPaths, lockFleet, makeFleetFolder, type Release } from './state.ts';

const help = `Usage: cloister fleet up [--nodes <count>] [options] [-- <options of serve>]
       cloister fleet status [options]
       cloister fleet kill <node> [options]
       cloister fleet roll [--policy <file>] [--program <file>] [options] [-- <options of serve>]
       cloister fleet scale <count> [options]
       cloister fleet down [options]

Runs a fleet on this machine, for development and to rehearse operations: nodes on simulated TDX machines (cloister serve
--simulate-tdx) that share a PostgreSQL, behind a HAProxy that forwards TCP. PostgreSQL and HAProxy come from the
distribution's packages; no container runs. Its evidence proves nothing.

up starts everything and prints one base URL, the file of an API key and a curl line. The processes outlive the command.
status lists the nodes.
kill ends one node at once, as a crash would.
roll replaces the nodes one by one. A new node gets requests only when its evidence satisfies the policy; then the old
one drains and stops. If a new node does not prove itself in time, the fleet goes back to the old release on its own.
scale adds nodes, or drains the ones with the highest numbers. It also replaces nodes that were killed.
down ends everything at once, and removes the database, the logs and the key.
Ctrl-C ends up as down does; during roll and scale it ends the node that is starting, and the others go on.

  --nodes <count>             number of nodes, 1 to ${nodesMax} [3]
  --port <port>               port of the shared address on loopback [8443]
  --policy <file>             policy that nodes must satisfy; during a roll, with the old and the new set [any simulated machine]
  --program <file>            cloister.mjs of the version that the new nodes run [this one]
  --evidence-timeout-s <time> time for a new node to serve with evidence that satisfies the policy, seconds [120]
  --state-dir <folder>        folder of the fleet: ports, processes, key, certificate, logs [.cloister-fleet]
  --json                      print JSON
`;

const subcommands = { up, status, kill, roll, scale, down };
const program = resolve(import.meta.dirname, '../cloister.mjs');
const evidenceTimeoutSMax = 3600;

interface FleetCall {
  readonly values: Readonly<Partial<Record<'nodes' | 'port' | 'policy' | 'program' | 'evidence-timeout-s', string>>>;
  readonly json: boolean;
  readonly positionals: readonly string[];
  /** After `--`; undefined without it. */
  readonly serveOptions: readonly string[] | undefined;
  readonly paths: FleetPaths;
  readonly options: LocalFleetOptions;
}

/** @throws {ServerError} ERR_USAGE, ERR_START · @throws {AttestationError} ERR_POLICY_MALFORMED */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const at = args.indexOf('--');
  const [own, serveOptions] = at < 0 ? [args, undefined] : [args.slice(0, at), args.slice(at + 1)];
  const [name = '', ...rest] = own;
  if (own.includes('--help') || own.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const known = Object.keys(subcommands);
  if (!Object.hasOwn(subcommands, name))
    throw usageError(`fleet takes ${known.join(', ')}, got ${name || 'nothing'}${suggestion(name, known)}`, 'fleet');
  const string = { type: 'string' } as const;
  const { values, positionals } = parseCommandArgs(rest, {
    command: 'fleet',
    options: {
      ...{ nodes: string, port: string, policy: string, program: string, 'evidence-timeout-s': string },
      ...{ 'state-dir': string, json: { type: 'boolean' } },
    },
  });
  const paths = fleetPaths(resolve(io.cwd, values['state-dir'] ?? '.cloister-fleet'));
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const options: LocalFleetOptions = {
    ...{ paths, env: io.env, signal: interrupt.signal },
    evidenceTimeoutMs: wholeNumber(values, 'evidence-timeout-s', { fallback: 120, max: evidenceTimeoutSMax }) * 1000,
    onStep: (text) => void io.stderr.write(`${text}\n`),
  };
  const call = { values, json: values.json === true, positionals, serveOptions, paths, options };
  try {
    return await subcommands[name as keyof typeof subcommands](call, io);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    io.stderr.write('interrupted\n');
    return exitCodes.interrupted;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}

async function up(call: FleetCall, io: CommandIo): Promise<number> {
  noArgument(call, 'up');
  const nodes = wholeNumber(call.values, 'nodes', { fallback: 3, max: nodesMax });
  const port = wholeNumber(call.values, 'port', { fallback: 8443, max: 65_535 });
  const release = releaseOf(call, io, undefined);
  makeFleetFolder(call.paths);
  return await locked(call.paths, async () => {
    const fleet = await startFleet({ ...call.options, nodes, port, release });
    printAddress(fleet, call, io);
    return exitCodes.ok;
  });
}

async function status(call: FleetCall, { stdout }: CommandIo): Promise<number> {
  noArgument(call, 'status');
  const { state } = new LocalFleet(call.options);
  const health = await balancerStates(state.runFolder).catch(() => undefined);
  const nodes = state.nodes
    .toSorted((a, b) => a.number - b.number)
    .map((node) => ({
      ...{ node: node.number, state: isRunning(node.process) ? node.phase : 'ended' },
      ...{ balancer: health?.get(node.slot)?.toLowerCase() ?? 'unknown', release: node.release.number },
      ...{ pid: node.process.pid, port: node.port, log: logOf(node.folder) },
    }));
  const isWhole = health !== undefined && state.database !== undefined && isRunning(state.database);
  if (call.json) {
    stdout.write(`${JSON.stringify({ baseUrl: baseUrlOf(state), apiKeyFile: call.paths.apiKey, nodes }, null, 2)}\n`);
  } else {
    stdout.write(`base URL  ${baseUrlOf(state)}\n`);
    if (!isWhole) stdout.write('the database or the balancer does not run: cloister fleet down, then up\n');
    const heading = ['NODE', 'STATE', 'BALANCER', 'RELEASE', 'PID', 'PORT', 'LOG'];
    stdout.write(table([heading, ...nodes.map((node) => Object.values(node).map(String))]));
  }
  return isWhole && nodes.some((node) => node.state === 'serving') ? exitCodes.ok : exitCodes.failure;
}

async function kill(call: FleetCall, { stderr }: CommandIo): Promise<number> {
  const number = onlyNumber(call, 'kill takes the number of a node');
  // Without the lock: a node may also crash during a roll.
  new LocalFleet(call.options).kill(number);
  stderr.write(`node ${number}: killed\n`);
  return exitCodes.ok;
}

async function roll(call: FleetCall, io: CommandIo): Promise<number> {
  noArgument(call, 'roll');
  return await locked(call.paths, async () => {
    const fleet = new LocalFleet(call.options);
    await fleet.roll(releaseOf(call, io, fleet.state.release));
    io.stderr.write(`${fleet.running.length} nodes run release ${fleet.state.release.number}\n`);
    return exitCodes.ok;
  });
}

async function scale(call: FleetCall, { stderr }: CommandIo): Promise<number> {
  const count = onlyNumber(call, `scale takes the number of nodes, 1 to ${nodesMax}`);
  return await locked(call.paths, async () => {
    const fleet = new LocalFleet(call.options);
    await fleet.scale(count);
    stderr.write(`${fleet.running.length} nodes run\n`);
    return exitCodes.ok;
  });
}

async function down(call: FleetCall, { stderr }: CommandIo): Promise<number> {
  noArgument(call, 'down');
  if (!existsSync(call.paths.state)) {
    stderr.write('no fleet runs here\n');
    return exitCodes.ok;
  }
  return await locked(call.paths, async () => {
    await new LocalFleet(call.options).down();
    stderr.write('the fleet has ended, and its files are removed\n');
    return exitCodes.ok;
  });
}

async function locked<Result>(paths: FleetPaths, work: () => Promise<Result>): Promise<Result> {
  const lock = lockFleet(paths);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** @param last the release that the fleet runs, whose facts are kept where the command names no others */
function releaseOf({ values, serveOptions }: FleetCall, { cwd }: CommandIo, last: Release | undefined): Release {
  const policy = values.policy === undefined ? (last?.policy ?? simulationPolicy()) : readPolicy(values.policy, cwd);
  return {
    number: (last?.number ?? 0) + 1,
    program: values.program === undefined ? (last?.program ?? program) : resolve(cwd, values.program),
    options: serveOptions ?? last?.options ?? [],
    cwd: serveOptions === undefined ? (last?.cwd ?? cwd) : cwd,
    policy,
  };
}

/** @throws {AttestationError} ERR_POLICY_MALFORMED · @throws {ServerError} ERR_USAGE */
function readPolicy(path: string, cwd: string): string {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, path), 'utf8');
  } catch (error) {
    throw usageError(`--policy: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, 'fleet');
  }
  parseEvidencePolicy(text);
  return text;
}

function printAddress({ state }: LocalFleet, { paths, json }: FleetCall, { stdout, cwd }: CommandIo): void {
  const baseUrl = baseUrlOf(state);
  const short = (path: string) => relative(cwd, path) || path;
  const [key, certificate] = [short(paths.apiKey), short(paths.certificate)];
  const facts = { baseUrl, apiKeyFile: paths.apiKey, certificatePath: paths.certificate };
  if (json) {
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

function noArgument({ positionals }: FleetCall, name: string): void {
  if (positionals.length > 0) throw usageError(`${name} takes no argument, got ${positionals[0]}`, 'fleet');
}

function onlyNumber({ positionals }: FleetCall, takes: string): number {
  const [text = '', ...more] = positionals;
  const number = Number(text);
  if (!/^\d+$/.test(text) || more.length > 0 || number < 1 || number > nodesMax) throw usageError(takes, 'fleet');
  return number;
}

function wholeNumber(
  values: Readonly<Record<string, string | boolean | undefined>>,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const text = String(values[name] ?? fallback);
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw usageError(`--${name} must be a whole number from 1 to ${max}, got ${text}`, 'fleet');
}
