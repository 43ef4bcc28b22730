/**
 * Opens ONNX files on ONNX Runtime and says where they run. CUDA needs its provider library beside the runtime's own
 * (installed with the image, never downloaded here) and a device; where either is missing, the CPU does the work.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { ModelError } from './errors.ts';

export type { InferenceSession } from 'onnxruntime-node';

export interface SessionOptions {
  /** Compute threads of this session; never more than free cores. */
  readonly threads: number;
  /** `cuda` fails where CUDA cannot be used, `auto` then takes the CPU. llama.cpp's other kinds mean the CPU here. */
  readonly gpu: 'auto' | 'cuda' | 'vulkan' | 'off';
  /** Nearly every run has other sizes than those before: then no plan of memory is kept for each. Default false. */
  readonly sizesVary?: boolean;
}

export interface OpenedSession {
  readonly session: InferenceSession;
  readonly provider: 'cpu' | 'cuda';
  /** For people: `CPU, 2 threads` or `CUDA`. */
  readonly device: string;
  /** Why CUDA was asked for and not taken. */
  readonly missing: string | undefined;
}

/** ORT's severities; anything below says more of a request than a log may hold. */
const LOG_FATAL = 4;

/**
 * `run` blocks its thread while it computes: one session per worker thread.
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_GPU_UNAVAILABLE
 */
export async function openSession(
  path: string,
  { threads, gpu, sizesVary = false }: SessionOptions,
): Promise<OpenedSession> {
  if (!existsSync(path)) throw new ModelError('ERR_MODEL_LOAD', `there is no model file at ${path}`);
  const options = cpuOptions(threads, sizesVary);
  const missing = gpu === 'auto' || gpu === 'cuda' ? missingForCuda() : undefined;
  if (gpu === 'cuda' && missing !== undefined) throw new ModelError('ERR_GPU_UNAVAILABLE', missing);
  if (gpu === 'cuda' || (gpu === 'auto' && missing === undefined)) {
    const opened = await tryCuda(path, options);
    if (typeof opened !== 'string') return opened;
    if (gpu === 'cuda') throw new ModelError('ERR_GPU_UNAVAILABLE', opened);
    return onCpu(await create(path, options), threads, opened);
  }
  return onCpu(await create(path, options), threads, missing);
}

function onCpu(session: InferenceSession, threads: number, missing: string | undefined): OpenedSession {
  return { session, provider: 'cpu', device: `CPU, ${threads} ${threads === 1 ? 'thread' : 'threads'}`, missing };
}

/** @returns why not, in words */
async function tryCuda(path: string, options: InferenceSession.SessionOptions): Promise<OpenedSession | string> {
  try {
    const session = await create(path, { ...options, executionProviders: ['cuda', 'cpu'] });
    return { session, provider: 'cuda', device: 'CUDA', missing: undefined };
  } catch (error) {
    return `CUDA cannot be used: ${firstLine(error)}`;
  }
}

async function create(path: string, options: InferenceSession.SessionOptions): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(path, options);
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', `the model cannot be loaded: ${firstLine(cause)}`, { cause });
  }
}

function cpuOptions(threads: number, sizesVary: boolean): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    enableCpuMemArena: true,
    // A plan is kept for ever.
    enableMemPattern: !sizesVary,
    logSeverityLevel: LOG_FATAL,
    // Idle threads would burn a core that other models need.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
}

/** The library that ONNX Runtime loads for CUDA is not in its npm package. */
function missingForCuda(): string | undefined {
  const home = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  const library = join(home, 'bin/napi-v6', process.platform, process.arch, 'libonnxruntime_providers_cuda.so');
  return existsSync(library) ? undefined : `CUDA needs ${library}`;
}

/** ORT's messages go on over many lines, with paths of its build machine. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]!.slice(0, 300);
}
