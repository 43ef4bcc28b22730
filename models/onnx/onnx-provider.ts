/**
 * Where ONNX Runtime computes: on CUDA where it is asked for and can be used, else on the CPU. CUDA needs two libraries
 * beside the runtime's own, which come with the image and are never downloaded here, and a device.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ModelError } from '../interface/errors.ts';

export type Provider = 'cpu' | 'cuda';

export interface ProviderChoice<Session> {
  readonly session: Session;
  readonly provider: Provider;
  /** As a model's info has it. */
  readonly place: {
    /** `CUDA`, or `CPU, 2 threads`. */
    readonly device: string;
    readonly whyNotGpu?: string;
  };
}

export interface ProviderOptions<Session> {
  /** `cuda` fails where CUDA cannot be used, `auto` then takes the CPU. llama.cpp's other kinds mean the CPU here. */
  readonly gpu: 'auto' | 'cuda' | 'vulkan' | 'off';
  readonly threads: number;
  /** Where ONNX Runtime looks for its providers. */
  readonly libraryFolder: string;
  /** @param providers in the order in which each node of the graph tries them */
  readonly open: (providers: readonly Provider[]) => Promise<Session>;
}

/** Of ONNX Runtime's npm package, which comes without them. */
const cudaLibraries = ['libonnxruntime_providers_shared.so', 'libonnxruntime_providers_cuda.so'];

/** @throws {ModelError} ERR_GPU_UNAVAILABLE saying what is missing, and what `open` throws for the CPU */
export async function openOnBest<Session>(options: ProviderOptions<Session>): Promise<ProviderChoice<Session>> {
  const { gpu, threads, libraryFolder, open } = options;
  const onCpu = `CPU, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  if (gpu !== 'auto' && gpu !== 'cuda')
    return { session: await open(['cpu']), provider: 'cpu', place: { device: onCpu } };
  const opened = await openOnCuda(libraryFolder, open);
  if ('session' in opened) return { session: opened.session, provider: 'cuda', place: { device: 'CUDA' } };
  if (gpu === 'cuda') throw new ModelError('ERR_GPU_UNAVAILABLE', opened.reason, { cause: opened.cause });
  return { session: await open(['cpu']), provider: 'cpu', place: { device: onCpu, whyNotGpu: opened.reason } };
}

/** The folder of the runtime's own library. */
export function runtimeFolder(): string {
  const home = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  return join(home, 'bin/napi-v6', process.platform, process.arch);
}

async function openOnCuda<Session>(
  libraryFolder: string,
  open: ProviderOptions<Session>['open'],
): Promise<{ readonly session: Session } | { readonly reason: string; readonly cause?: unknown }> {
  const missing = cudaLibraries.find((library) => !existsSync(join(libraryFolder, library)));
  if (missing !== undefined) return { reason: `CUDA needs ${missing} beside ONNX Runtime` };
  try {
    // What CUDA has no kernel for, such as int8 of some graphs, is computed on the CPU.
    return { session: await open(['cuda', 'cpu']) };
  } catch (cause) {
    // Without a device, a driver or CUDA's own libraries the provider does not start.
    return { reason: `CUDA cannot be used: ${firstLine(cause)}`, cause };
  }
}

/** ORT's messages go on over many lines, with paths of its build machine. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]!.slice(0, 300);
}
