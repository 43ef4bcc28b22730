/**
 * `npm run bench:first-hour`: the first hour on a machine with a GPU, as one command. It runs the suite `gpu`, compares chats,
 * embeddings and images with those of the CPU, then measures chats next to llama-server and vLLM, and writes one results file, which
 * it saves after each part, so that an interrupted hour keeps what it has measured. See docs/how-to/first-hour-on-a-gpu.md.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { readOptions } from './command-line.ts';
import { type Comparison, compareChats, compareEmbeddings, compareImages, type GpuKind } from './gpu-correctness.ts';
import { describeMachine } from './machine.ts';
import { benchModelPath, benchModels, ensureBenchModel } from './make-model.ts';
import { type Case, type Results, saveResults } from './results.ts';
import { runScenario, say } from './scenario.ts';
import { throughput } from './scenarios/throughput.ts';
import { peerVersion, type ServerSpec } from './servers.ts';
import { renderTables } from './tables.ts';

const help = `node bench/first-hour.ts [options]
  --gpu <kind>          cuda or vulkan [cuda]
  --peer <file>         llama-server, built for this GPU
  --vllm <file>         vLLM's program; needs --hf-model
  --hf-model <folder>   model of --model in the format of Hugging Face, for vLLM
  --model <file.gguf>   measure this model rather than those of --shapes
  --shapes <names>      random models to measure: ${Object.keys(benchModels).join(', ')} [0.5b,1.5b,8b]
  --concurrency <list>  numbers of clients [1,8,32,128,256]
  --repeats <count>     number of repeats [3]
  --threads <count>     CPU threads per server [half of the cores, at most 16]
  --name <text>         name of the results file [first-hour]
  --skip-suite          do not run the suite gpu
  --skip-bench          do not measure, only compare with the CPU
  --quick               the least work that shows that every part runs; its results are not saved
  --dry-run             print the parts, and what is missing, and run nothing
`;

const threadsMax = 16;

/** One part of the hour. */
export interface Part {
  readonly name: string;
  /** What it runs, for `--dry-run`. */
  readonly what: string;
  /** Why it cannot run; it is left out then. */
  readonly missing?: string | undefined;
  run(): Promise<Outcome>;
}

interface Outcome {
  readonly cases: readonly Case[];
  readonly faults: readonly string[];
  /** Facts for the results file. */
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly servers?: Readonly<Record<string, readonly string[]>>;
}

export interface HourOptions {
  readonly gpu: GpuKind;
  readonly peer?: string | undefined;
  readonly vllm?: string | undefined;
  readonly hfModel?: string | undefined;
  readonly model?: string | undefined;
  readonly shapes: readonly string[];
  readonly concurrency: readonly number[];
  readonly repeats: number;
  readonly threads: number;
  readonly skipSuite: boolean;
  readonly skipBench: boolean;
  readonly quick: boolean;
}

/** The parts in their order: correctness first, since figures of wrong answers are worth nothing. */
export function planHour(options: HourOptions): readonly Part[] {
  const { gpu, threads, quick } = options;
  const work = { gpu, threads, quick };
  const suite: Part = {
    name: 'suite',
    what: `node test/gpu/main.ts --gpu ${gpu}`,
    run: async () => runSuite(gpu),
  };
  const models = options.model === undefined ? options.shapes : [options.model];
  return [
    { name: 'gpu', what: 'nvidia-smi: name, memory, driver, confidential computing', run: async () => describeGpu() },
    ...(options.skipSuite ? [] : [suite]),
    comparison('chat', 'greedy answers on the GPU and the CPU, token by token', () => compareChats(work)),
    comparison('embeddings', 'embeddings on the GPU and the CPU, by their cosines', () => compareEmbeddings(work)),
    comparison('images', 'an image on the GPU and the CPU, by its pixels', () => compareImages(work)),
    ...(options.skipBench ? [] : models.map((model) => bench(model, options))),
  ];
}

function comparison(name: string, what: string, compare: () => Promise<Comparison>): Part {
  return {
    name,
    what,
    async run() {
      const { device, sample, faults } = await compare();
      const cases = [{ scenario: 'correctness', label: name, samples: { cloister: [sample] } }];
      return { cases, faults, settings: { [`${name} on`]: device } };
    },
  };
}

function runSuite(gpu: GpuKind): Outcome {
  const suite = join(import.meta.dirname, '../test/gpu/main.ts');
  const { status } = spawnSync(process.execPath, [suite, '--gpu', gpu], { stdio: ['ignore', 2, 2] });
  const passed = status === 0;
  return {
    cases: [],
    faults: passed ? [] : [`the suite gpu ended with ${status}`],
    settings: { suite: passed ? 'passed' : 'failed' },
  };
}

function describeGpu(): Outcome {
  const query = ['--query-gpu=name,memory.total,driver_version', '--format=csv,noheader'];
  const { stdout, status } = spawnSync('nvidia-smi', query, { encoding: 'utf8' });
  const state = spawnSync('nvidia-smi', ['conf-compute', '-f'], { encoding: 'utf8' });
  const settings = {
    gpu: status === 0 ? stdout.trim().replaceAll('\n', '; ') : 'no nvidia-smi',
    'confidential computing': state.status === 0 ? state.stdout.trim().replaceAll(/\s+/g, ' ') : 'unknown',
  };
  return { cases: [], faults: [], settings };
}

/** Chats with 128 tokens in and out at each number of clients, on every server that is installed. */
function bench(model: string, options: HourOptions): Part {
  const { gpu, concurrency, repeats, threads, quick } = options;
  const isShape = options.model === undefined;
  const servers = serversFor(options);
  const path = isShape ? benchModelPath(model) : resolve(model);
  const whyNotMeasured = () => {
    if (isShape) return model in benchModels ? undefined : `no shape is named ${model}`;
    return existsSync(path) ? undefined : `${basename(path)} does not exist`;
  };
  return {
    name: `bench ${basename(model, '.gguf')}`,
    what: `${path}: ${servers.map(({ name }) => name).join(', ')}; ${concurrency.join(', ')} clients, ${repeats} repeats`,
    missing: whyNotMeasured(),
    async run() {
      const scenario = { ...throughput, name: `throughput ${basename(model, '.gguf')}` };
      const file = isShape ? ensureBenchModel(model) : path;
      const work = { model: file, threads, cpus: undefined, gpu, repeats, concurrency, endTokens: [], quick };
      const { cases, commandLines } = await runScenario(scenario, servers, work);
      const lines = Object.entries(commandLines).map(([name, line]) => [name, [`${scenario.name}: ${line}`]] as const);
      return { cases, faults: [], servers: Object.fromEntries(lines) };
    },
  };
}

function serversFor({ peer, vllm, hfModel }: HourOptions): ServerSpec[] {
  const cloister = [process.execPath, 'cli/cloister.mjs', 'serve'];
  return [
    { name: 'cloister', kind: 'cloister', command: cloister, extraArgs: [] },
    ...(peer === undefined
      ? []
      : [{ name: 'llama-server', kind: 'llama-server', command: [resolve(peer)], extraArgs: [] } as const]),
    ...(vllm === undefined || hfModel === undefined
      ? []
      : [{ name: 'vllm', kind: 'vllm', command: [vllm, 'serve', resolve(hfModel)], extraArgs: [] } as const]),
  ];
}

/** Runs the parts. A part that fails is recorded, and the next one runs. @returns the faults */
export async function runHour(
  parts: readonly Part[],
  { name, options, save = saveResults }: { name: string; options: HourOptions; save?: (results: Results) => string },
): Promise<{ results: Results; faults: readonly string[] }> {
  const machine = describeMachine();
  const { gpu, threads, repeats, quick, peer } = options;
  const faults: string[] = [];
  let results: Results = {
    name,
    date: new Date().toISOString(),
    quick,
    machine,
    settings: { kind: gpu, threads, repeats },
    servers: { cloister: [machine.commit], ...(peer === undefined ? {} : { 'llama-server': [peerVersion(peer)] }) },
    cases: [],
  };
  for (const part of parts) {
    if (part.missing !== undefined) {
      say(`${part.name}: skipped: ${part.missing}`);
      continue;
    }
    say(`${part.name}: ${part.what}`);
    const outcome = await part
      .run()
      .catch((error: Error) => ({ cases: [], faults: [error.message] }) satisfies Outcome);
    for (const fault of outcome.faults) {
      say(`${part.name}: FAULT: ${fault}`);
      faults.push(`${part.name}: ${fault}`);
    }
    results = extend(results, outcome, faults);
    if (!quick) save(results);
  }
  return { results, faults };
}

function extend(results: Results, { cases, settings, servers = {} }: Outcome, faults: readonly string[]): Results {
  const all = { ...results.servers };
  for (const [name, lines] of Object.entries(servers)) all[name] = [...(all[name] ?? []), ...lines];
  const noted = faults.length === 0 ? {} : { faults: faults.join('; ').slice(0, 2000) };
  return {
    ...results,
    settings: { ...results.settings, ...settings, ...noted },
    servers: all,
    cases: [...results.cases, ...cases],
  };
}

async function main(): Promise<void> {
  const values = readOptions(help, {
    gpu: { type: 'string', default: 'cuda' },
    peer: { type: 'string' },
    vllm: { type: 'string' },
    'hf-model': { type: 'string' },
    model: { type: 'string' },
    shapes: { type: 'string', default: '0.5b,1.5b,8b' },
    concurrency: { type: 'string', default: '1,8,32,128,256' },
    repeats: { type: 'string', default: '3' },
    threads: { type: 'string', default: String(Math.min(threadsMax, Math.ceil(availableParallelism() / 2))) },
    name: { type: 'string', default: 'first-hour' },
    'skip-suite': { type: 'boolean', default: false },
    'skip-bench': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  });
  const { gpu, peer, vllm, model, quick } = values;
  if (gpu !== 'cuda' && gpu !== 'vulkan') throw new RangeError(`--gpu must be cuda or vulkan, got ${gpu}`);
  const options: HourOptions = {
    gpu,
    ...{ peer, vllm, model, quick, hfModel: values['hf-model'] },
    ...{ skipSuite: values['skip-suite'], skipBench: values['skip-bench'] },
    shapes: values.shapes.split(','),
    concurrency: values.concurrency.split(',').map(Number),
    repeats: quick ? 1 : Number(values.repeats),
    threads: Number(values.threads),
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const parts = planHour(options);
  if (values['dry-run']) {
    for (const { name, what, missing } of parts) console.log(`${name}: ${missing ? `missing: ${missing}` : what}`);
    if (peer === undefined) console.log('not measured: llama-server (--peer)');
    if (vllm === undefined) console.log('not measured: vLLM (--vllm, --hf-model)');
    return;
  }
  const { results, faults } = await runHour(parts, { name: values.name, options });
  console.log(renderTables(results));
  if (faults.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
