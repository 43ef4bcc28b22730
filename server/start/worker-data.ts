/** The data that `main.ts` passes to the thread of one model. */
import type { MemoryClaim } from '@cloister/runtime/pool/memory-claims';
import type { Config } from '../program/config.ts';

export interface ModelWorkerData {
  /** The GGUF file, or the first of its parts. */
  readonly modelPath: string;
  /** Undefined: the model takes no images. */
  readonly projectorPath: string | undefined;
  /** LoRA adapters, which requests name by position, from 1. */
  readonly adapterPaths: readonly string[];
  readonly gpu: Config['gpu'];
  readonly threads: number;
  readonly sequences: number;
  /** Tokens per sequence; the model's own limit may be lower. */
  readonly context: number;
  readonly kvCacheType: Config['kvCacheType'];
  /** Tokens that one step may process. */
  readonly stepTokens: number;
  /** 0…100 */
  readonly poll: number;
  readonly queuedRequestsMax: number;
  readonly prefixCacheBytes: number;
  readonly promptLookup: Config['promptLookup'];
  /** The GGUF file of the draft model, or the first of its parts. */
  readonly draftPath: string | undefined;
  readonly memory: MemoryClaim;
}
