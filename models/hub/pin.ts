/** The types of pinning: references to weights, and the pinned result. */
import type { ModelFile, ModelFolders, ModelSource } from '../catalogue/catalogue.ts';
import { kindOfGguf } from '../catalogue/file-kind.ts';
import type { GgufFacts } from '../gguf/gguf-header.ts';
import type { RemoteOptions } from './hub.ts';
import type { ModelFacts } from './model-folder.ts';

export type Reference =
  | { readonly kind: 'hub'; readonly repository: string; readonly revision: string; readonly file: string | undefined }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'path'; readonly path: string };

/** The source, the digests and the facts of weights. */
export interface PinnedWeights {
  /** Default name of the model: the name of a file or folder. */
  readonly stem: string;
  readonly source: ModelSource;
  readonly files: readonly ModelFile[];
  readonly facts: ModelFacts;
}

export interface PinOptions extends RemoteOptions {
  readonly hub: string;
  readonly folders: ModelFolders;
  /** For a single-file `url:`: the digest, so that the file need not be downloaded to compute it. */
  readonly sha256?: string | undefined;
}

/** Options for pinning local files. */
export type LocalPinOptions = Pick<PinOptions, 'folders' | 'signal' | 'onBytes'>;

export function factsOfGguf(facts: GgufFacts): ModelFacts {
  const kind = kindOfGguf(facts);
  return { kind, name: facts.name, contextLength: facts.contextLength, capabilities: capabilitiesByKind[kind] };
}

const capabilitiesByKind = {
  'llama-text': ['streaming', 'structured_outputs', 'logprobs'],
  'llama-embedding': ['embeddings'],
  'llama-reranker': ['rerank'],
} as const;
