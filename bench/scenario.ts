/** Interface and runner of scenarios: both servers run, only one is resumed at a time, and they alternate. */
import { streamChat } from './client.ts';
import { promptText } from './prompts.ts';
import type { Case, Sample } from './results.ts';
import { type Server, type ServerShape, type ServerSpec, startServer } from './servers.ts';

export interface ScenarioOptions {
  readonly model: string;
  readonly threads: number;
  readonly cpus: string | undefined;
  /** The kind of GPU that has all layers. Default: none. */
  readonly gpu?: 'cuda' | 'vulkan' | undefined;
  readonly repeats: number;
  readonly concurrency: readonly number[];
  readonly endTokens: readonly number[];
  /** The smallest run that shows that the bench works. */
  readonly quick: boolean;
}

export interface ScenarioCase {
  readonly label: string;
  /** One measurement. `repeat` counts from 0: no two repeats may send the same prompt. */
  run(server: Server, repeat: number): Promise<Sample>;
}

export interface Scenario {
  readonly name: string;
  /** The servers that can run it. Default: all. */
  readonly kinds?: readonly ServerSpec['kind'][];
  shape(options: ScenarioOptions): Pick<ServerShape, 'sequences' | 'context' | 'otherModels'>;
  cases(options: ScenarioOptions): readonly ScenarioCase[];
}

export interface ScenarioRun {
  readonly cases: readonly Case[];
  /** Server name → command line. */
  readonly commandLines: Readonly<Record<string, string>>;
}

/** Repeats are the outer loop and servers the inner one, so that drift of the machine affects both equally. */
export async function runScenario(
  scenario: Scenario,
  specs: readonly ServerSpec[],
  options: ScenarioOptions,
): Promise<ScenarioRun> {
  const { model, threads, cpus, gpu } = options;
  const servers: Server[] = [];
  try {
    for (const spec of specs.filter(({ kind }) => scenario.kinds?.includes(kind) ?? true)) {
      say(`${scenario.name}: starting ${spec.name}`);
      const server = await startServer(spec, { model, threads, cpus, gpu, ...scenario.shape(options) });
      servers.push(server);
      await warmUp(server, options);
      server.pause();
    }
    const cases = await takeTurns(scenario, servers, options);
    return { cases, commandLines: Object.fromEntries(servers.map(({ name, commandLine }) => [name, commandLine])) };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function takeTurns(scenario: Scenario, servers: readonly Server[], options: ScenarioOptions): Promise<Case[]> {
  const cases = scenario.cases(options);
  const samples = cases.map(() => Object.fromEntries(servers.map(({ name }) => [name, [] as Sample[]])));
  for (let repeat = 0; repeat < options.repeats; repeat++) {
    for (const [index, { label, run }] of cases.entries()) {
      for (const server of servers) {
        server.resume();
        const sample = await run(server, repeat);
        server.pause();
        samples[index]![server.name]!.push(sample);
        say(`${scenario.name}, ${label}, repeat ${repeat + 1} of ${options.repeats}: ${describe(server, sample)}`);
      }
    }
  }
  return cases.map(({ label }, index) => ({ scenario: scenario.name, label, samples: samples[index]! }));
}

/** Sends a prompt that no measurement uses, to load code and weights into memory. */
async function warmUp(server: Server, { endTokens }: ScenarioOptions): Promise<void> {
  const agent = server.agent();
  for (let i = 0; i < 4; i++) {
    const messages = [{ role: 'user', content: promptText(40, 9_990 + i) }] as const;
    await streamChat(server, { agent, messages, maxTokens: 16, endTokens });
  }
  agent.destroy();
}

function describe(server: Server, sample: Sample): string {
  const figures = Object.entries(sample).slice(0, 5);
  return `${server.name} ${figures.map(([key, value]) => `${key} ${value.toPrecision(4)}`).join(', ')}`;
}

/** Progress goes to stderr, tables to stdout. */
export function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}
