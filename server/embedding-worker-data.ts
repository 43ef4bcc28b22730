/** What reaches the threads of one embedding model. */
import type { Config } from './config.ts';

export interface EmbeddingWorkerData {
  /** The ONNX graph, or a GGUF file. */
  readonly modelPath: string;
  readonly gpu: Config['gpu'];
  /** Compute threads of each session. */
  readonly threads: number;
  /** GGUF only: tokens per text at most; undefined: what the file says. */
  readonly contextMax?: number | undefined;
  /** GGUF only: tokens of one pass. */
  readonly batchTokens: number;
  /** Over what the model's files say. */
  readonly pooling?: 'cls' | 'mean' | 'last' | 'max' | undefined;
  readonly normalizes?: boolean | undefined;
  /** Put before every text that is not token ids yet. */
  readonly prefix?: string | undefined;
}
