/** What a catalogue says about a model. Imports nothing. */

export const modelKinds = ['llama-text', 'llama-embedding', 'onnx-embedding', 'onnx-image'] as const;
export type ModelKind = (typeof modelKinds)[number];

export const modelCapabilities = [
  'streaming',
  'tools',
  'reasoning',
  'structured_outputs',
  'logprobs',
  'embeddings',
  'images',
] as const;
export type ModelCapability = (typeof modelCapabilities)[number];

export interface Catalogue {
  /** In the file's own order; ids are unique. */
  readonly models: readonly CatalogueEntry[];
}

export interface CatalogueEntry {
  /** What callers name in `model`; ends in `-TEE`. */
  readonly id: string;
  readonly kind: ModelKind;
  /** For people. */
  readonly name: string;
  readonly source: ModelSource;
  /** The first file is the one to load; the others are its further parts, in order. */
  readonly files: readonly ModelFile[];
  /** Tokens that prompt and answer may hold together. */
  readonly contextLength: number;
  /** Tokens an answer may hold; the file may leave it out, then it is `contextLength`. */
  readonly maxOutputTokens: number;
  readonly capabilities: readonly ModelCapability[];
  readonly pricing: ModelPricing;
  /** Plans whose accounts may call this model; `*` stands for every plan. */
  readonly plans: readonly string[];
  /** Of kinds that embed: what the files leave open. */
  readonly embedding?: EmbeddingTerms | undefined;
  /** Of kinds that draw: what a caller who says nothing gets. */
  readonly image?: ImageTerms | undefined;
}

/** The model's best, where it is not what the routes take for everybody. Not bound to what callers may ask for. */
export interface ImageTerms {
  /** 0 or 1: none, as turbo models want it. */
  readonly guidanceScale?: number | undefined;
  readonly steps?: number | undefined;
}

/** How an embedding model is used, over what its files say. */
export interface EmbeddingTerms {
  readonly pooling?: (typeof poolings)[number] | undefined;
  /** Whether vectors are brought to length 1. */
  readonly normalizes?: boolean | undefined;
  /** Lengths that its vectors may be cut to, beside their own: what the model was trained for. */
  readonly dimensions?: readonly number[] | undefined;
  /** Put before every text; the other two are for requests that say which kind of text they send. */
  readonly prefix?: string | undefined;
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
}

export const poolings = ['cls', 'mean', 'last', 'max'] as const;

/** Whole micro-dollars (millionths of a US dollar): 150000 is 0.15 USD. No fractions, so sums are exact. */
export interface ModelPricing {
  /** Per million tokens, here and below. */
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
  readonly perImage?: number | undefined;
  /** Per denoising step of each image. */
  readonly perStep?: number | undefined;
}

export interface ModelFile {
  /** Relative to the models folder; for source `path`, relative to the catalogue's own folder, or absolute. */
  readonly path: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** `files` and `urls` run parallel to the entry's `files`. */
export type ModelSource =
  | {
      readonly kind: 'hub';
      /** `owner/name` */
      readonly repository: string;
      /** A commit, 40 hexadecimal digits: a branch can move, a commit cannot. */
      readonly revision: string;
      readonly files: readonly string[];
    }
  | { readonly kind: 'url'; readonly urls: readonly string[] }
  /** Put there by hand: cannot be pulled. */
  | { readonly kind: 'path' };
