/** The common part of every bench program: the servers, the scenarios, and the record of the results. */
import { basename, resolve } from 'node:path';
import { describeMachine } from './machine.ts';
import { pinToOtherCpus } from './pinning.ts';
import { type Case, type Results, saveResults } from './results.ts';
import { runScenario, type Scenario, type ScenarioOptions, say } from './scenario.ts';
import { peerVersion, type ServerSpec } from './servers.ts';
import { renderTables } from './tables.ts';

export interface SideBySide {
  /** Name of the results file. */
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  readonly servers: readonly ServerSpec[];
  readonly options: ScenarioOptions;
}

/** Measures, prints the tables on stdout and saves the results, unless the run was a quick one. */
export async function measureSideBySide(bench: SideBySide): Promise<void> {
  // Exits with 'exit', whose handlers also stop the servers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  if (bench.options.cpus) pinToOtherCpus(bench.options.cpus);
  const results = await measure(bench);
  console.log(renderTables(results));
  if (results.quick) say('a quick run is not saved');
  else say(`saved to ${saveResults(results)}; node bench/tables.ts puts it into bench/results/README.md`);
}

async function measure({ name, scenarios, servers, options }: SideBySide): Promise<Results> {
  const machine = describeMachine();
  const date = new Date().toISOString();
  const versions = new Map(
    servers.map(({ name, kind, command }) => [name, [kind === 'cloister' ? machine.commit : peerVersion(command[0]!)]]),
  );
  const cases: Case[] = [];
  for (const scenario of scenarios) {
    const run = await runScenario(scenario, servers, options);
    cases.push(...run.cases);
    for (const [server, line] of Object.entries(run.commandLines))
      versions.get(server)!.push(`${scenario.name}: ${line}`);
  }
  const { model, threads, cpus, repeats, quick } = options;
  return {
    name,
    date,
    quick,
    machine,
    settings: { model: basename(model), threads, cpus: cpus ?? 'all', repeats },
    servers: Object.fromEntries(versions),
    cases,
  };
}

export interface ServerChoice {
  readonly peer?: string | undefined;
  /** The llama-server of ik_llama.cpp. */
  readonly ik?: string | undefined;
  /** One name to run alone. */
  readonly only?: string | undefined;
  /** Flags in the form of a command line. */
  readonly 'peer-args'?: string | undefined;
  readonly 'cloister-args'?: string | undefined;
}

/** Cloister, and the given peers. */
export function chooseServers(choice: ServerChoice): ServerSpec[] {
  const servers: ServerSpec[] = [
    {
      name: 'cloister',
      kind: 'cloister',
      command: [process.execPath, 'cli/cloister.mjs', 'serve'],
      extraArgs: splitWords(choice['cloister-args']),
    },
  ];
  if (choice.peer) {
    servers.push({
      name: 'llama-server',
      kind: 'llama-server',
      command: [resolve(choice.peer)],
      extraArgs: splitWords(choice['peer-args']),
    });
  }
  if (choice.ik) {
    servers.push({ name: 'ik_llama.cpp', kind: 'ik-llama-server', command: [resolve(choice.ik)], extraArgs: [] });
  }
  return servers.filter(({ name }) => choice.only === undefined || name === choice.only);
}

function splitWords(text = ''): string[] {
  return text.split(' ').filter(Boolean);
}
