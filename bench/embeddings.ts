/**
 * `npm run bench:embeddings -- --transformers <folder> --peer <llama-server> --cpus 0,1`: compares Cloister with
 * `@huggingface/transformers` on the same ONNX file, and with llama-server on a GGUF of the same weights.
 * Progress goes to stderr, tables to stdout, results to `bench/results/`.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { request } from './client.ts';
import { readOptions } from './command-line.ts';
import { bodiesOf, embeddingLoads, type Load, labelOf, textsOf, tokensOf } from './embedding-loads.ts';
import { ensureGgufModel, ensureOnnxModel } from './embedding-models.ts';
import { describeMachine } from './machine.ts';
import { pinToOtherCpus } from './pinning.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import { type Case, type Results, type Sample, saveResults } from './results.ts';
import { say } from './scenario.ts';
import { peerVersion, type Server, type ServerSpec, startServer } from './servers.ts';
import { quantile } from './statistics.ts';
import { renderTables } from './tables.ts';

const help = `node bench/embeddings.ts [options]
  --transformers <dir>  folder whose node_modules has @huggingface/transformers
  --peer <file>         llama-server for the comparison; see bench/peers/llama-server.md
  --scenarios <names>   scenarios [fp32,int8]
  --repeats <count>     number of repeats [3]
  --threads <count>     number of threads [2]
  --cpus <list>         pin the servers to these CPUs and this program to the others, for example 0,1
  --quick               one minimal run to test the bench, not the servers
`;

/** Compilers settle after a thousand requests or so. */
const warmUpMs = 5000;

const values = readOptions(help, {
  transformers: { type: 'string' },
  peer: { type: 'string' },
  scenarios: { type: 'string', default: 'fp32,int8' },
  repeats: { type: 'string', default: '3' },
  threads: { type: 'string', default: '2' },
  cpus: { type: 'string' },
  quick: { type: 'boolean', default: false },
});

interface Family {
  readonly name: string;
  readonly servers: readonly { readonly spec: ServerSpec; readonly model: string }[];
}

function familyOf(name: string): Family {
  if (name !== 'fp32' && name !== 'int8') throw new RangeError(`unknown scenario ${name}, expected fp32 or int8`);
  const { transformers, peer } = values;
  const folder = ensureOnnxModel(name);
  const servers = [{ spec: cloister('cloister'), model: join(folder, 'onnx/model.onnx') }];
  if (transformers) servers.push({ spec: transformersSpec(resolve(transformers)), model: folder });
  if (peer && name === 'int8') {
    const gguf = ensureGgufModel('Q8_0');
    servers.push({ spec: cloister('cloister, GGUF'), model: gguf });
    servers.push({ spec: llamaServer(resolve(peer)), model: gguf });
  }
  return { name, servers };
}

function cloister(name: string): ServerSpec {
  const extraArgs = ['--embedding-threads', values.threads];
  return { name, kind: 'cloister', command: [process.execPath, 'cli/cloister.mjs', 'serve'], extraArgs };
}

function transformersSpec(folder: string): ServerSpec {
  const command = [process.execPath, 'bench/peers/transformers-server.mjs', '--transformers', folder];
  return { name: 'transformers', kind: 'transformers', command, extraArgs: [] };
}

/** A text has to fit one physical batch there; more slots than texts of a batch gain nothing. */
function llamaServer(binary: string): ServerSpec {
  const extraArgs = ['--embedding', '--pooling', 'mean', '-b', '2048', '-ub', '2048'];
  return { name: 'llama-server', kind: 'llama-server', command: [binary], extraArgs };
}

async function run(server: Server, load: Load): Promise<Sample> {
  const bodies = bodiesOf(load, { quick: values.quick }).map(
    (body) => `{"model":${JSON.stringify(server.modelId)},${body.slice(1)}`,
  );
  const requests = bodies.length;
  const agent = server.agent();
  const latencies: number[] = [];
  const client = async () => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
      const startedAt = performance.now();
      const { status, body: answer } = await embed(server, { agent, body });
      if (status !== 200) throw new Error(`${server.name} answered ${status}: ${answer.slice(0, 300)}`);
      latencies.push(performance.now() - startedAt);
    }
  };
  const cpuBefore = cpuSeconds(server.pid);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: load.clients }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  const tokens = tokensOf(load, requests);
  return {
    textsPerSecond: (requests * load.texts) / seconds,
    tokensPerSecond: tokens / seconds,
    latencyP50Ms: quantile(latencies, 0.5),
    cpuSecondsPer1000Tokens: ((cpuSeconds(server.pid) - cpuBefore) / tokens) * 1000,
    residentMb: memory(server.pid).residentBytes / 1e6,
  };
}

function embed(server: Server, { agent, body }: { agent: ReturnType<Server['agent']>; body: string }) {
  const headers = { ...server.headers, 'content-type': 'application/json' };
  return request(`${server.baseUrl}/v1/embeddings`, { agent, headers, body });
}

/** Checks that the servers do the same work. @throws {Error} if their embeddings of some texts differ */
async function requireLikeness(servers: readonly Server[], { least }: { least: number }): Promise<void> {
  const input = textsOf({ texts: 12, length: undefined }, 0);
  const vectors: Float32Array[] = [];
  for (const server of servers) {
    server.resume();
    const agent = server.agent();
    const body = JSON.stringify({ model: server.modelId, input, encoding_format: 'base64' });
    const answer = JSON.parse((await embed(server, { agent, body })).body);
    agent.destroy();
    server.pause();
    const bytes = Buffer.concat(answer.data.map((one: { embedding: string }) => Buffer.from(one.embedding, 'base64')));
    vectors.push(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
  }
  const [first] = vectors;
  for (const [index, other] of vectors.entries()) {
    const likeness = other.reduce((sum, value, at) => sum + value * first![at]!, 0) / input.length;
    say(`${servers[index]!.name}: mean cosine to ${servers[0]!.name} ${likeness.toFixed(6)}`);
    if (!(likeness > least)) throw new Error(`${servers[index]!.name} and ${servers[0]!.name} embed differently`);
  }
}

/** Repeats are the outer loop and servers the inner one, so that drift of the machine hits all alike. */
async function measureFamily({ name, servers: specs }: Family, repeats: number) {
  const servers: Server[] = [];
  const shape = { sequences: 16, context: 512, threads: Number(values.threads), cpus: values.cpus };
  try {
    for (const { spec, model } of specs) {
      say(`${name}: starting ${spec.name}`);
      const server = await startServer(spec, { ...shape, model });
      servers.push(server);
      const warm = performance.now() + warmUpMs;
      while (performance.now() < warm) await run(server, { texts: 1, length: 64, clients: 4 });
      server.pause();
    }
    await requireLikeness(servers, { least: name === 'fp32' ? 0.9999 : 0.98 });
    const cases = embeddingLoads({ quick: values.quick }).map((load) => ({
      load,
      samples: {} as Record<string, Sample[]>,
    }));
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const { load, samples } of cases) {
        for (const server of servers) {
          server.resume();
          const sample = await run(server, load);
          server.pause();
          samples[server.name] ??= [];
          samples[server.name]!.push(sample);
          say(`${name}, ${labelOf(load)}: ${server.name} ${Math.round(sample.tokensPerSecond!)} tokens/s`);
        }
      }
    }
    const lines = Object.fromEntries(servers.map((server) => [server.name, server.commandLine]));
    return {
      cases: cases.map(({ load, samples }): Case => ({ scenario: name, label: labelOf(load), samples })),
      lines,
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function versionOf({ kind, command }: ServerSpec, commit: string): string {
  if (kind === 'cloister') return commit;
  if (kind === 'llama-server') return peerVersion(command[0]!);
  const file = join(resolve(values.transformers!), 'node_modules/@huggingface/transformers/package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  if (values.cpus) pinToOtherCpus(values.cpus);
  const [machine, repeats] = [describeMachine(), values.quick ? 1 : Number(values.repeats)];
  const servers: Record<string, string[]> = {};
  const cases: Case[] = [];
  for (const name of values.scenarios.split(',')) {
    const family = familyOf(name);
    const measured = await measureFamily(family, repeats);
    cases.push(...measured.cases);
    for (const { spec } of family.servers) {
      servers[spec.name] ??= [versionOf(spec, machine.commit)];
      servers[spec.name]!.push(`${name}: ${measured.lines[spec.name]}`);
    }
  }
  const { threads, cpus = 'all', quick } = values;
  const results: Results = {
    ...{ name: 'embeddings', date: new Date().toISOString(), quick, machine, servers, cases },
    settings: { model: 'random weights of MiniLM-L6 shape', threads, cpus, repeats },
  };
  console.log(renderTables(results));
  if (quick) say('a quick run is not saved');
  else say(`saved to ${saveResults(results)}; node bench/tables.ts puts it into bench/results/README.md`);
}

if (import.meta.main) await main();
