/** What reaches the threads of one embedding model. */
import type { EmbeddingTerms } from '../models/catalogue.ts';
import type { Config } from './config.ts';

/** What the catalogue says over what the model's files say, and: */
export interface EmbeddingWorkerData extends Pick<EmbeddingTerms, 'pooling' | 'normalizes'> {
  readonly format: 'onnx' | 'gguf';
  /** The ONNX graph, or the GGUF file. */
  readonly modelPath: string;
  readonly gpu: Config['gpu'];
  /** Compute threads of each session. */
  readonly threads: number;
  /** Tokens per text at most; undefined: what the files say. */
  readonly contextMax: number | undefined;
  /** GGUF only: tokens of one pass. */
  readonly batchTokens: number;
}
