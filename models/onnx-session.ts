/** ONNX Runtime sessions: the one place where threads and execution providers are chosen. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { ModelError } from './errors.ts';

export interface SessionOptions {
  /** Threads within one operation. */
  readonly threads: number;
  readonly gpu: 'auto' | 'cuda' | 'vulkan' | 'off';
}

export interface OpenSession {
  readonly session: InferenceSession;
  /** Where it runs, for people. */
  readonly device: string;
}

/**
 * CUDA where its provider library lies beside ONNX Runtime's own (the image installs it, nothing downloads it), else the CPU.
 * @throws {ModelError} ERR_MODEL_LOAD, or ERR_GPU_UNAVAILABLE where `cuda` was asked for
 */
export async function openSession(path: string, { threads, gpu }: SessionOptions): Promise<OpenSession> {
  if (gpu === 'cuda' && !hasCudaProvider()) {
    throw new ModelError('ERR_GPU_UNAVAILABLE', 'the CUDA provider of ONNX Runtime is not installed: use --gpu off');
  }
  const onCpu = { session: () => create(path, threads, ['cpu']), device: `CPU, ${threads} threads` };
  if (gpu === 'off' || gpu === 'vulkan' || !hasCudaProvider()) {
    return { session: await onCpu.session(), device: onCpu.device };
  }
  try {
    return { session: await create(path, threads, ['cuda', 'cpu']), device: 'CUDA' };
  } catch (error) {
    if (gpu === 'cuda') throw error;
    return { session: await onCpu.session(), device: onCpu.device };
  }
}

async function create(path: string, threads: number, executionProviders: readonly string[]): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(path, {
      executionProviders,
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Threads that spin between operations would take the cores of the chat engine.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', `${path}: ${(cause as Error).message}`, { cause });
  }
}

function hasCudaProvider(): boolean {
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node');
  const libraries = join(dirname(entry), '..', 'bin', 'napi-v6', 'linux', 'x64');
  return existsSync(join(libraries, 'libonnxruntime_providers_cuda.so'));
}
