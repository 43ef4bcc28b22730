/** Opens ONNX files on ONNX Runtime, with what is the same for every model; `onnx-provider.ts` says where they run. */
import { existsSync } from 'node:fs';
import { InferenceSession } from 'onnxruntime-node';
import { ModelError } from '../interface/errors.ts';
import { firstLine, openOnBest, type Provider, type ProviderChoice, runtimeFolder } from './onnx-provider.ts';

export type { InferenceSession } from 'onnxruntime-node';

export interface SessionOptions {
  /** Compute threads of this session; never more than free cores. */
  readonly threads: number;
  /** As in `onnx-provider.ts`. */
  readonly gpu: 'auto' | 'cuda' | 'vulkan' | 'off';
  /** Nearly every run has other sizes than those before: then no plan of memory is kept for each. Default false. */
  readonly sizesVary?: boolean;
  /** How long a thread stays awake for the next piece of a run, microseconds; between runs none does. Default 0. */
  readonly spinUs?: number;
}

export type OpenedSession = ProviderChoice<InferenceSession>;

/** ORT's severities; anything below says more of a request than a log may hold. */
const logFatal = 4;

/**
 * `run` blocks its thread while it computes: one session per worker thread.
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_GPU_UNAVAILABLE
 */
export async function openSession(
  path: string,
  { threads, gpu, sizesVary = false, spinUs = 0 }: SessionOptions,
): Promise<OpenedSession> {
  if (!existsSync(path)) throw new ModelError('ERR_MODEL_LOAD', `there is no model file at ${path}`);
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
  // Idle threads would burn a core that other models need.
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
    // A plan is kept for ever.
    enableMemPattern: !sizesVary,
    logSeverityLevel: logFatal,
    extra: { session: spinning },
  };
}
