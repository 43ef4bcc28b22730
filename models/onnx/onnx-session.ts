/** Opens ONNX files on ONNX Runtime with the options that all models share; `onnx-provider.ts` selects the device. */
import { existsSync } from 'node:fs';
import { InferenceSession } from 'onnxruntime-node';
import { ModelError } from '../interface/errors.ts';
import { firstLine, openOnBest, type Provider, type ProviderChoice, runtimeFolder } from './onnx-provider.ts';

export type { InferenceSession } from 'onnxruntime-node';

export interface SessionOptions {
  /** Compute threads of this session; never more than free cores. */
  readonly threads: number;
  /** See `onnx-provider.ts`. */
  readonly gpu: 'auto' | 'cuda' | 'vulkan' | 'off';
  /** Whether nearly every run has a different size; then no memory plan is kept per size. Default false. */
  readonly sizesVary?: boolean;
  /** Microseconds that a thread spins between nodes of a run; threads never spin between runs. Default 0. */
  readonly spinUs?: number;
}

export type OpenedSession = ProviderChoice<InferenceSession>;

/** ONNX Runtime's log severity; messages of lower severity could contain request data. */
const logFatal = 4;

/**
 * `run` blocks its thread while it computes: one session per worker thread.
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_GPU_UNAVAILABLE
 */
export async function openSession(
  path: string,
  { threads, gpu, sizesVary = false, spinUs = 0 }: SessionOptions,
): Promise<OpenedSession> {
  if (!existsSync(path)) throw new ModelError('ERR_MODEL_LOAD', `the model file ${path} does not exist`);
  const options = sessionOptions({ threads, sizesVary, spinUs });
  const open = (executionProviders: readonly Provider[]) => create(path, { ...options, executionProviders });
  return await openOnBest({ gpu, threads, libraryFolder: runtimeFolder(), open });
}

async function create(path: string, options: InferenceSession.SessionOptions): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(path, options);
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', `the model cannot be loaded: ${firstLine(cause)}`, { cause });
  }
}

function sessionOptions({
  threads,
  sizesVary,
  spinUs,
}: Required<Pick<SessionOptions, 'threads' | 'sizesVary' | 'spinUs'>>): InferenceSession.SessionOptions {
  // Idle threads that spin would occupy cores that other models need.
  const spinning =
    spinUs === 0
      ? { intra_op: { allow_spinning: '0' } }
      : { force_spinning_stop: '1', intra_op: { allow_spinning: '1', spin_duration_us: String(spinUs) } };
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    enableCpuMemArena: true,
    // Memory plans are never freed.
    enableMemPattern: !sizesVary,
    logSeverityLevel: logFatal,
    // Without it, sums of eight-bit products saturate on a CPU without VNNI; with VNNI it changes nothing.
    extra: { session: { ...spinning, x64quantprecision: '1' } },
  };
}
