/**
 * `node bench/hostile.ts [--attacks a,b] [--seconds 10]`: how long a one-token chat takes while 50 free accounts send what
 * takes a server down: each attack alone, then all of them at random. The server is a process of its own with the demo
 * models; one that dies or hangs is a result, and a new one serves the next attack.
 */
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
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
import { measureVictim, type VictimReport } from './hostile/victim.ts';
import { describeMachine } from './machine.ts';
import { memory } from './process-usage.ts';
import { type Case, type Sample, saveResults } from './results.ts';
import { renderTables } from './tables.ts';

const help = `node bench/hostile.ts [options]
  --attacks <names>     separated by commas; preparation: those of rendering and tokenising [all but
                        fitting-messages, which is ordinary work]
                        ${attackNames().join(' ')}
  --seconds <number>    of each attack, and of the quiet before them [10]
  --pause-ms <number>   between two requests of one attacker, on average [2000]
  --keys <number>       attackers, each with an account of its own [50]
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

interface Stage {
  readonly server: RunningServer;
  readonly victim: string;
  readonly attackers: readonly string[];
  readonly model: string;
}

const machine = describeMachine();
const cases: Case[] = [];
let stage = await open();
const quiet = await run('quiet', []);
if (quiet.failed > 0) throw new Error(`${quiet.failed} of ${quiet.asked} chats failed on a quiet server`);
const targets = { model: stage.model, agent: 'contract-analyst' };
for (const name of names) await run(name, buildAttack(name, targets));
if (names.length > 1)
  await run(
    'mix',
    names.flatMap((name) => buildAttack(name, targets)),
  );
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
  cases,
};
console.log(renderTables(results));
if (!values.quick && values.server === undefined) console.log(saveResults(results).replace(/^.*\/bench\//, 'bench/'));

/** Measures the victim beside `attacks`, and what is left behind when they are over. */
async function run(label: string, attacks: readonly Attack[]): Promise<VictimReport> {
  const { server, victim: secret, attackers: secrets, model } = stage;
  const before = memory(server.process.pid!).residentBytes;
  const baseUrl = new URL(server.listening.baseUrl).origin;
  const data: AttackersData = { baseUrl, secrets, attacks, pauseMs, seconds, seed };
  const attacking = attacks.length === 0 ? undefined : startAttackers(data);
  const peak = watchMemory(server.process.pid!);
  const report = await measureVictim({ baseUrl, secret, model, seconds, perSecond });
  const statuses = await attacking;
  const peakBytes = peak();
  const isDead = server.process.exitCode !== null || server.process.signalCode !== null || (await hangs(baseUrl));
  const figures: Sample = {
    latencyP50Ms: report.p50Ms,
    latencyP99Ms: report.p99Ms,
    ...(attacks.length > 0 && { p99OverQuiet: report.p99Ms / quiet.p99Ms, failedShare: report.failed / report.asked }),
    residentGrowthMb: isDead ? Number.NaN : (memory(server.process.pid!).residentBytes - before) / 1e6,
    peakGrowthMb: (peakBytes - before) / 1e6,
    serverLost: isDead ? 1 : 0,
  };
  cases.push({ scenario: 'hostile', label, samples: { [values.name]: [figures] } });
  const told = JSON.stringify(statuses?.statuses ?? {});
  console.error(
    `${label}: p50 ${report.p50Ms.toFixed(1)} p99 ${report.p99Ms.toFixed(1)} max ${report.maxMs.toFixed(0)} ms, ${report.failed} of ${report.asked} failed, attackers heard ${told}${isDead ? ', the server was lost' : ''}`,
  );
  if (isDead) {
    await server.stop();
    stage = await open();
  }
  return report;
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
  // Caches and compiled code, as in a server that has been up for a while.
  const baseUrl = new URL(server.listening.baseUrl).origin;
  await measureVictim({ baseUrl, secret: victim, model, seconds: 2, perSecond: 20 });
  return stage;
}

async function startAttackers(workerData: AttackersData): Promise<AttackersReport> {
  const worker = new Worker(new URL('./hostile/attackers.ts', import.meta.url), { workerData });
  const [report] = await once(worker, 'message');
  return report;
}

/** @returns what ends it and gives the most that was resident */
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

/** Whether the server, left alone for a moment, still does not answer. */
async function hangs(baseUrl: string): Promise<boolean> {
  await sleep(2_000);
  const { victim: secret, model } = stage;
  return (await measureVictim({ baseUrl, secret, model, seconds: 1, perSecond: 1 })).failed > 0;
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
