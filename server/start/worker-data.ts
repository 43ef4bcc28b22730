/** What `main.ts` hands to the thread of one model. */
import type { Config } from '../program/config.ts';

export interface ModelWorkerData {
  /** The GGUF file, or the first of its parts. */
  readonly modelPath: string;
  readonly gpu: Config['gpu'];
  readonly threads: number;
  readonly sequences: number;
  /** Tokens per sequence; the model may know fewer. */
  readonly context: number;
  /** Tokens one step may feed. */
  readonly stepTokens: number;
  /** 0…100 */
  readonly poll: number;
  readonly queuedRequestsMax: number;
  readonly prefixCacheBytes: number;
  readonly promptLookup: Config['promptLookup'];
}
