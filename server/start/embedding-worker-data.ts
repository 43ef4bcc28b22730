/** What reaches the threads of one embedding model. */
import type { EmbeddingTerms } from '@cloister/models/catalogue/catalogue';
import type { Config } from '../program/config.ts';

/** What the catalogue says over what the model's files say, and: */
export interface EmbeddingWorkerData extends Pick<EmbeddingTerms, 'pooling' | 'normalizes'> {
  readonly format: 'onnx' | 'gguf';
  /** The ONNX graph, or the GGUF file. */
  readonly modelPath: string;
  /** Absolute paths of all files that may be opened; undefined: whatever lies there. */
  readonly pinnedPaths: readonly string[] | undefined;
  readonly gpu: Config['gpu'];
  /** Compute threads of each model that shares them with others, and of one that has them all. */
  readonly threads: number;
  readonly wideThreads: number;
  /** Tokens per text at most; undefined: what the files say. */
  readonly contextMax: number | undefined;
}
