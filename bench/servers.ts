/** Starts the servers under test as child processes, determines how to call them, and stops them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, type WriteStream } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { request } from './client.ts';
import { recordCommandLine } from './command-line.ts';
import { processTree } from './process-usage.ts';

export interface ServerShape {
  readonly model: string;
  /** Ids of models that Cloister serves in addition. */
  readonly otherModels?: readonly string[];
  readonly sequences: number;
  /** Tokens per sequence. */
  readonly context: number;
  readonly threads: number;
  /** CPUs to pin to, as taskset takes them; undefined: all. */
  readonly cpus: string | undefined;
  /** The kind of GPU that has all layers. Default: none. */
  readonly gpu?: 'cuda' | 'vulkan' | undefined;
}

export interface ServerSpec {
  /** The name in tables. */
  readonly name: string;
  readonly kind: 'cloister' | 'llama-server' | 'ik-llama-server' | 'transformers' | 'vllm';
  /** Program and its arguments before those of the scenario's shape. */
  readonly command: readonly string[];
  readonly extraArgs: readonly string[];
  /** In addition to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Server {
  readonly name: string;
  readonly pid: number;
  readonly baseUrl: string;
  readonly metricsUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `model` in requests. */
  readonly modelId: string;
  /** Idle time after which it closes a keep-alive connection; undefined: never. */
  readonly requestsPerConnection: number | undefined;
  /** The folder of Cloister's own files, while it runs. */
  readonly stateDir: string;
  /** The command line for the results file, without local folders. */
  readonly commandLine: string;
  /** A new pool of keep-alive connections. */
  agent(): HttpAgent | HttpsAgent;
  /** Suspends the process while another one is measured. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

const startTimeoutMs = 180_000;
const stopTimeoutMs = 10_000;
const root = join(import.meta.dirname, '..');
const logFolder = join(import.meta.dirname, 'build', 'logs');

/** @throws {Error} with the end of its output if the server does not become ready */
export async function startServer(spec: ServerSpec, shape: ServerShape): Promise<Server> {
  const port = await freePort();
  const metricsPort = await freePort();
  const stateDir = mkdtempSync(join(tmpdir(), 'cloister-bench-'));
  const args = argsFor(spec.kind, shape, { port, metricsPort, stateDir });
  const pinned = shape.cpus === undefined ? [] : ['taskset', '-c', shape.cpus];
  const command = [...pinned, ...spec.command, ...args, ...spec.extraArgs];
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root,
    env: { ...process.env, ...spec.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A bench that ends stops its servers too.
  process.once('exit', () => child.kill('SIGKILL'));
  const output = collectOutput(child, spec.name);
  const baseUrl = `${spec.kind === 'cloister' ? 'https' : 'http'}://127.0.0.1:${port}`;
  const stop = async () => {
    await stopProcess(child);
    output.log.end();
    rmSync(stateDir, { recursive: true, force: true });
  };
  try {
    const headers = await waitUntilReady({ child, baseUrl, output, needsKey: spec.kind === 'cloister' });
    // Both close a connection after a streamed answer, and after 100 requests.
    const isLlamaServer = spec.kind === 'llama-server' || spec.kind === 'ik-llama-server';
    const keepAlive = !isLlamaServer;
    const models = await request(`${baseUrl}/v1/models`, { headers, agent: newAgent(baseUrl) });
    return {
      name: spec.name,
      pid: child.pid!,
      baseUrl,
      metricsUrl: spec.kind === 'cloister' ? `http://127.0.0.1:${metricsPort}/metrics` : `${baseUrl}/metrics`,
      headers,
      modelId: (JSON.parse(models.body) as { data: { id: string }[] }).data.find(
        ({ id }) => shape.otherModels?.includes(id) !== true,
      )!.id,
      requestsPerConnection: isLlamaServer ? 100 : undefined,
      stateDir,
      commandLine: recordCommandLine(command),
      agent: () => newAgent(baseUrl, { keepAlive }),
      pause: () => signalTree(child, 'SIGSTOP'),
      resume: () => signalTree(child, 'SIGCONT'),
      stop,
    };
  } catch (cause) {
    await stop();
    throw new Error(`${command.join(' ')}\ndid not start:\n${output.text.slice(-3000)}`, { cause });
  }
}

interface Places {
  readonly port: number;
  readonly metricsPort: number;
  readonly stateDir: string;
}

function argsFor(kind: ServerSpec['kind'], shape: ServerShape, places: Places): string[] {
  switch (kind) {
    case 'cloister':
      return cloisterArgs(shape, places);
    case 'llama-server':
      return [...peerArgs(shape, places.port), '--log-verbosity', '1', '--no-kv-unified', '--no-ui'];
    case 'ik-llama-server':
      return [...peerArgs(shape, places.port), '-rtr', '--log-disable'];
    case 'vllm':
      return vllmArgs(shape, places.port);
    case 'transformers':
      return ['--model', shape.model, '--threads', String(shape.threads), '--port', String(places.port)];
  }
}

function cloisterArgs(shape: ServerShape, { port, metricsPort, stateDir }: Places): string[] {
  const flags = {
    model: [shape.model, ...(shape.otherModels ?? [])].join(','),
    sequences: shape.sequences,
    context: shape.context,
    threads: shape.threads,
    port,
    'metrics-port': metricsPort,
    'state-dir': stateDir,
    gpu: shape.gpu ?? 'off',
    'log-level': 'warn',
  };
  return Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
}

/** The best flags, and Cloister's default memory for cached prompts; see `peers/llama-server.md`. */
function peerArgs(shape: ServerShape, port: number): string[] {
  const flags = {
    '-m': shape.model,
    '-np': shape.sequences,
    '-c': shape.sequences * shape.context,
    '-t': shape.threads,
    '-fa': 'on',
    '--cache-ram': 512,
    '-ngl': shape.gpu === undefined ? 0 : 999,
    '--host': '127.0.0.1',
    '--port': port,
  };
  return Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]);
}

/** vLLM reads the model from `extraArgs`, because it takes folders of Hugging Face rather than GGUF files. */
function vllmArgs(shape: ServerShape, port: number): string[] {
  const flags = {
    '--max-num-seqs': shape.sequences,
    '--max-model-len': shape.context,
    // The other servers keep their models in the memory of the same GPU.
    '--gpu-memory-utilization': 0.4,
    '--host': '127.0.0.1',
    '--port': port,
  };
  return Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]);
}

interface Output {
  text: string;
  readonly log: WriteStream;
}

function collectOutput(child: ChildProcess, name: string): Output {
  mkdirSync(logFolder, { recursive: true });
  const output = { text: '', log: createWriteStream(join(logFolder, `${name}.log`)) };
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk: Buffer) => {
      // Enough output to find the key, and the reason of a failed start.
      if (output.text.length < 100_000) output.text += chunk.toString();
      output.log.write(chunk);
    });
  }
  return output;
}

/** @returns the headers that every request needs */
async function waitUntilReady(server: {
  child: ChildProcess;
  baseUrl: string;
  output: Output;
  needsKey: boolean;
}): Promise<Record<string, string>> {
  const { child, baseUrl, output, needsKey } = server;
  const deadline = Date.now() + startTimeoutMs;
  const path = needsKey ? '/health/ready' : '/health';
  while (Date.now() < deadline && child.exitCode === null) {
    const key = /clst_[\w-]+/.exec(output.text)?.[0];
    const status = await request(`${baseUrl}${path}`, { agent: newAgent(baseUrl) }).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 200 && (key !== undefined || !needsKey)) return key ? { authorization: `Bearer ${key}` } : {};
    await sleep(100);
  }
  throw new Error(child.exitCode === null ? 'not ready in time' : `exited with ${child.exitCode}`);
}

/**
 * The certificate was just created on this machine, so it cannot be verified.
 * llama-server closes a connection after each stream without notice, so the next request on a reused connection would fail.
 */
function newAgent(baseUrl: string, { keepAlive = false } = {}): HttpAgent | HttpsAgent {
  const maxSockets = Number.POSITIVE_INFINITY;
  return baseUrl.startsWith('https')
    ? new HttpsAgent({ maxSockets, keepAlive: true, rejectUnauthorized: false })
    : new HttpAgent({ maxSockets, keepAlive });
}

function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  for (const pid of processTree(child.pid!)) process.kill(pid, signal);
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  signalTree(child, 'SIGCONT');
  child.kill('SIGTERM');
  const stopped = await Promise.race([exited.then(() => true), sleep(stopTimeoutMs, false, { ref: false })]);
  if (!stopped) child.kill('SIGKILL');
  await exited;
}

/** `version: 1 (de3ff81)` and the compiler, on one line. */
export function peerVersion(binary: string): string {
  const { stdout, stderr } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => /^(version|built)/.test(line));
  return lines.join(', ');
}
