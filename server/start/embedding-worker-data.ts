/** The data for the threads of one embedding model. */
import type { EmbeddingTerms } from '@cloister/models/catalogue/catalogue';
import type { Config } from '../program/config.ts';

/** The catalogue's terms, which override those of the model's files, and: */
export interface EmbeddingWorkerData extends Pick<EmbeddingTerms, 'pooling' | 'normalizes'> {
  readonly format: 'onnx' | 'gguf';
  /** The ONNX graph, or the GGUF file. */
  readonly modelPath: string;
  /** Absolute paths of all files that may be opened; undefined: any file in the folder. */
  readonly pinnedPaths: readonly string[] | undefined;
  readonly gpu: Config['gpu'];
  /** Compute threads of each session, and of the all-core session. */
  readonly threads: number;
  readonly wideThreads: number;
  /** Whether the model is a cross-encoder. */
  readonly scoresPairs: boolean;
  /** Most tokens per text; undefined: as the files state. */
  readonly contextMax: number | undefined;
}
