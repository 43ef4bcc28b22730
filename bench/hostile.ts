/**
 * `node bench/hostile.ts [--attacks a,b] [--seconds 10]`: the latency of a one-token chat while 50 free accounts send requests
 * meant to take the server down: each attack alone, then all of them at random. The server is a separate process with the demo
 * models; a crash or a hang is a result, and a new server serves the next attack. Alternating with each attack, the same
 * requests go to a process that discards them, so that the cost of sending them is not counted as a delay of the server.
 */
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccounts } from '../accounts/store.ts';
import { RunningServer } from '../test/support/server/server.ts';
import { readOptions } from './command-line.ts';
import type { AttackersData, AttackersReport } from './hostile/attackers.ts';
import {
  type Attack,
  type AttackName,
  attackNames,
  buildAttack,
  preparationAttacks,
  usualAttacks,
} from './hostile/attacks.ts';
import { messageOf, startLowPriority } from './hostile/low-priority.ts';
import { joinReports, measureVictim, type VictimReport } from './hostile/victim.ts';
import { describeMachine } from './machine.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { type Case, type Sample, saveResults } from './results.ts';
import { renderTables } from './tables.ts';

const help = `node bench/hostile.ts [options]
  --attacks <names>     separated by commas; preparation: those of rendering and tokenising [all but
                        fitting-messages, which is ordinary work]
                        ${attackNames().join(' ')}
  --seconds <number>    of each attack, and as long beside it on a quiet server and on the comparison [10]
  --pause-ms <number>   between two requests of one attacker, on average [2000]
  --keys <number>       attackers, each with an account of its own [50]
  --repeats <number>    of each attack, with its comparison [1]
  --rate <number>       chats of the victim per second [10]
  --server <file>       cloister.mjs of another checkout, to compare with
  --name <text>         of the server in tables and results [cloister]
  --quick               2 seconds each: tests the bench
`;

const values = readOptions(help, {
  attacks: { type: 'string', default: 'all' },
  seconds: { type: 'string', default: '10' },
  'pause-ms': { type: 'string', default: '2000' },
  keys: { type: 'string', default: '50' },
  repeats: { type: 'string', default: '1' },
  rate: { type: 'string', default: '10' },
  server: { type: 'string' },
  name: { type: 'string', default: 'cloister' },
  quick: { type: 'boolean', default: false },
});
const seconds = values.quick ? 2 : Number(values.seconds);
const pauseMs = Number(values['pause-ms']);
const perSecond = Number(values.rate);
const names = chosenAttacks(values.attacks);
const seed = 17;
const turnSecondsMax = 10;

interface Stage {
  readonly server: RunningServer;
  readonly victim: string;
  readonly attackers: readonly string[];
  readonly model: string;
}

const machine = describeMachine();
const samples = new Map<string, Sample[]>();
const sink = startLowPriority('./sink.ts');
const sinkUrl = await messageOf<string>(sink);
let stage = await open();
const { victim: alone } = await measure({ seconds: Math.min(seconds, turnSecondsMax) });
if (alone.failed > 0) throw new Error(`${alone.failed} chats failed on a quiet server`);
const targets = { model: stage.model, agent: 'contract-analyst' };
for (let repeat = 0; repeat < Number(values.repeats); repeat++) {
  for (const name of names) await run(name, buildAttack(name, targets));
  const all = names.flatMap((name) => buildAttack(name, targets));
  if (names.length > 1) await run('mix', all);
}
sink.disconnect();
await stage.server.stop();

const results = {
  name: 'hostile',
  date: new Date().toISOString(),
  quick: values.quick,
  machine,
  settings: {
    seconds,
    'attacking keys': values.keys,
    'pause of each, ms': pauseMs,
    "victim's chats/s": perSecond,
    seed,
  },
  servers: { [values.name]: [values.server === undefined ? machine.commit : 'another checkout'] },
  cases: Array.from(
    samples,
    ([label, some]): Case => ({ scenario: 'hostile', label, samples: { [values.name]: some } }),
  ),
};
console.log(renderTables(results));
if (!values.quick && values.server === undefined) console.log(saveResults(results).replace(/^.*\/bench\//, 'bench/'));

/**
 * Measures the victim in alternating phases of some seconds: alone, with `attacks` on the sink, and with `attacks` on the
 * server. The results are compared with each other, and the speed of a shared machine drifts within minutes.
 */
async function run(label: string, attacks: readonly Attack[]): Promise<void> {
  const { server } = stage;
  const before = memory(server.process.pid!).residentBytes;
  const peak = watchMemory(server.process.pid!);
  const windows: Record<'quiet' | 'sink' | 'attack', Window[]> = { quiet: [], sink: [], attack: [] };
  const turnSeconds = Math.min(seconds, turnSecondsMax);
  for (let turn = 0; turn < Math.ceil(seconds / turnSeconds); turn++) {
    windows.quiet.push(await measure({ seconds: turnSeconds }));
    windows.sink.push(await measure({ seconds: turnSeconds, attacks, attackedUrl: sinkUrl }));
    windows.attack.push(await measure({ seconds: turnSeconds, attacks }));
  }
  const peakBytes = peak();
  const isDead = server.process.exitCode !== null || server.process.signalCode !== null || (await hangs());
  const [quiet, beside, victim] = [windows.quiet, windows.sink, windows.attack].map((some) =>
    joinReports(some.map(({ victim }) => victim)),
  ) as [VictimReport, VictimReport, VictimReport];
  const mean = (some: readonly Window[], of: (window: Window) => number) =>
    some.reduce((sum, window) => sum + of(window), 0) / some.length;
  const megabytesPerSecond = ({ attackers }: Window) => attackers!.sentBytes / 1e6 / turnSeconds;
  keep(label, {
    latencyP50Ms: victim.p50Ms,
    latencyP99Ms: victim.p99Ms,
    quietP99Ms: quiet.p99Ms,
    besideSinkP99Ms: beside.p99Ms,
    p99OverSink: victim.p99Ms / beside.p99Ms,
    p99OverQuiet: victim.p99Ms / quiet.p99Ms,
    failedShare: victim.failed / victim.asked,
    megabytesPerSecond: mean(windows.attack, megabytesPerSecond),
    sinkMegabytesPerSecond: mean(windows.sink, megabytesPerSecond),
    serverCores: mean(windows.attack, ({ serverCores }) => serverCores),
    attackerCores: mean(windows.attack, ({ attackers }) => attackers!.cpuSeconds / turnSeconds),
    residentGrowthMb: isDead ? Number.NaN : (memory(server.process.pid!).residentBytes - before) / 1e6,
    peakGrowthMb: (peakBytes - before) / 1e6,
    serverLost: isDead ? 1 : 0,
  });
  const statuses = windows.attack.map(({ attackers }) => JSON.stringify(attackers!.statuses)).join(' ');
  console.error(`  ${victim.failed} of ${victim.asked} failed, attackers were answered ${statuses}`);
  if (isDead) {
    console.error('  the server was lost');
    await server.stop();
    stage = await open();
  }
}

interface Window {
  readonly victim: VictimReport;
  readonly attackers: AttackersReport | undefined;
  /** Processors that the server kept busy. */
  readonly serverCores: number;
}

interface WindowOptions {
  readonly seconds: number;
  readonly attacks?: readonly Attack[];
  /** Default: the server. */
  readonly attackedUrl?: string;
}

async function measure({ seconds, attacks = [], attackedUrl }: WindowOptions): Promise<Window> {
  const { server, victim: secret, attackers: secrets, model } = stage;
  const baseUrl = new URL(server.listening.baseUrl).origin;
  const data: AttackersData = { baseUrl: attackedUrl ?? baseUrl, secrets, attacks, pauseMs, seconds, seed };
  const attacking = attacks.length === 0 ? undefined : startAttackers(data);
  const cpuBefore = cpuSeconds(server.process.pid!);
  const victim = await measureVictim({ baseUrl, secret, model, seconds, perSecond });
  const serverCores = (cpuSeconds(server.process.pid!) - cpuBefore) / seconds;
  return { victim, attackers: await attacking, serverCores };
}

function keep(label: string, sample: Sample): void {
  samples.set(label, [...(samples.get(label) ?? []), sample]);
  const shown = Object.entries(sample).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  console.error(`${label}: ${shown.join(', ')}, load ${loadavg()[0]!.toFixed(1)}`);
}

/** A server with accounts for the victim and for every attacker. */
async function open(): Promise<Stage> {
  const cli = values.server === undefined ? {} : { cli: resolve(values.server) };
  const server = await new RunningServer(['--simulate-tdx', '--log-level', 'error'], cli).ready();
  const accounts = await openAccounts(
    { kind: 'sqlite', path: join(server.stateDir, 'accounts.sqlite') },
    { role: 'command' },
  );
  const now = Date.now();
  const keyOf = async (name: string, plan: string) => {
    await accounts.createAccount({ name, plan, now });
    return (await accounts.createKey({ account: name, name, now })).secret;
  };
  const victim = await keyOf('victim', 'operator');
  await accounts.credit({ account: 'victim', microDollars: 1_000_000_000, now });
  const attackers: string[] = [];
  for (let index = 0; index < Number(values.keys); index++) attackers.push(await keyOf(`attacker-${index}`, 'free'));
  await accounts.close();
  const model = server.listening.models.find((id) => !/embedding|image/.test(id))!;
  const stage = { server, victim, attackers, model };
  // Fills caches and compiles code, as in a server that has been running for a while.
  const baseUrl = new URL(server.listening.baseUrl).origin;
  await measureVictim({ baseUrl, secret: victim, model, seconds: 2, perSecond: 20 });
  return stage;
}

async function startAttackers(data: AttackersData): Promise<AttackersReport> {
  const attackers = startLowPriority('./attackers.ts');
  attackers.send(data);
  return messageOf<AttackersReport>(attackers);
}

/** @returns a function that ends the sampling and returns the maximum resident memory */
function watchMemory(pid: number): () => number {
  let peak = 0;
  const look = () => {
    try {
      peak = Math.max(peak, memory(pid).residentBytes);
    } catch {
      // It is gone.
    }
  };
  const timer = setInterval(look, 200);
  return () => {
    look();
    clearInterval(timer);
    return peak;
  };
}

/** Whether the server still does not answer after a short pause. */
async function hangs(): Promise<boolean> {
  await sleep(2_000);
  return (await measure({ seconds: 0.1 })).victim.failed > 0;
}

function chosenAttacks(list: string): readonly AttackName[] {
  if (list === 'all') return usualAttacks();
  if (list === 'preparation') return preparationAttacks;
  const known = attackNames();
  return list.split(',').map((name) => {
    const found = known.find((one) => one === name);
    if (found === undefined) throw new RangeError(`no attack ${name}: there are ${known.join(', ')}`);
    return found;
  });
}
