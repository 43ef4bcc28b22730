/**
 * Selects where ONNX Runtime computes: on CUDA if it is requested and available, else on the CPU. CUDA needs a device and two
 * libraries in addition to the runtime's own; they are part of the image and are never downloaded here.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ModelError } from '../interface/errors.ts';

export type Provider = 'cpu' | 'cuda';

export interface ProviderChoice<Session> {
  readonly session: Session;
  readonly provider: Provider;
  /** The device fields of a model's info. */
  readonly place: {
    /** `CUDA`, or `CPU, 2 threads`. */
    readonly device: string;
    readonly whyNotGpu?: string;
  };
}

export interface ProviderOptions<Session> {
  /** If CUDA cannot be used, `cuda` fails and `auto` uses the CPU. `vulkan` and `off` use the CPU. */
  readonly gpu: 'auto' | 'cuda' | 'vulkan' | 'off';
  readonly threads: number;
  /** Folder in which ONNX Runtime looks for its providers. */
  readonly libraryFolder: string;
  /** @param providers in order of preference for each node of the graph */
  readonly open: (providers: readonly Provider[]) => Promise<Session>;
}

/** Libraries that ONNX Runtime's npm package does not include. */
const cudaLibraries = ['libonnxruntime_providers_shared.so', 'libonnxruntime_providers_cuda.so'];

/** @throws {ModelError} ERR_GPU_UNAVAILABLE naming the missing part, and the errors of `open` for the CPU */
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

/** The folder of the runtime's library. */
export function runtimeFolder(): string {
  const home = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
  return join(home, 'bin/napi-v6', process.platform, process.arch);
}

async function openOnCuda<Session>(
  libraryFolder: string,
  open: ProviderOptions<Session>['open'],
): Promise<{ readonly session: Session } | { readonly reason: string; readonly cause?: unknown }> {
  const missing = cudaLibraries.find((library) => !existsSync(join(libraryFolder, library)));
  if (missing !== undefined) return { reason: `CUDA needs ${missing} in the folder of ONNX Runtime` };
  try {
    // Nodes without a CUDA kernel, such as int8 nodes of some graphs, are computed on the CPU.
    return { session: await open(['cuda', 'cpu']) };
  } catch (cause) {
    // The provider does not start without a device, a driver or CUDA's libraries.
    return { reason: `CUDA cannot be used: ${firstLine(cause)}`, cause };
  }
}

/** Returns the first line of a message; ONNX Runtime's messages continue with paths of its build machine. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]!.slice(0, 300);
}
