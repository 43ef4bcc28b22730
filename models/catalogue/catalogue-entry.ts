/** The types of a catalogue. Imports nothing. */

export const modelKinds = [
  'llama-text',
  'llama-embedding',
  'llama-reranker',
  'onnx-embedding',
  'onnx-reranker',
  'onnx-image',
] as const;
export type ModelKind = (typeof modelKinds)[number];

export const modelCapabilities = [
  'streaming',
  'tools',
  'reasoning',
  'vision',
  'structured_outputs',
  'logprobs',
  'embeddings',
  'rerank',
  'images',
] as const;
export type ModelCapability = (typeof modelCapabilities)[number];

export interface Catalogue {
  /** In the order of the file; ids are unique. */
  readonly models: readonly CatalogueEntry[];
  /** Names are unique, and none is the id of one of `models`. */
  readonly aliases?: readonly ModelAlias[] | undefined;
}

/** Another name of a model, which may be in another catalogue. */
export interface ModelAlias {
  /** The value of `model` in requests; needs no suffix. */
  readonly name: string;
  /** Of the model, never another alias. */
  readonly id: string;
}

export interface CatalogueEntry {
  /** The value of `model` in requests; ends in `-TEE`. */
  readonly id: string;
  readonly kind: ModelKind;
  /** Display name. */
  readonly name: string;
  readonly source: ModelSource;
  /** The first file is loaded; the others are its further parts, in order. */
  readonly files: readonly ModelFile[];
  /** Maximum tokens of prompt and answer together. */
  readonly contextLength: number;
  /** Maximum tokens of an answer; default `contextLength`. */
  readonly maxOutputTokens: number;
  readonly capabilities: readonly ModelCapability[];
  readonly pricing: ModelPricing;
  /** Plans whose accounts may use this model; `*` is every plan. */
  readonly plans: readonly string[];
  /** Only for embedding models: settings that override the model's files. */
  readonly embedding?: EmbeddingTerms | undefined;
  /** Only for image models: defaults of request fields. */
  readonly image?: ImageTerms | undefined;
  /** Only for chat models in GGUF: LoRA adapters, which requests name as `id:name`. Names are unique. */
  readonly adapters?: readonly ModelAdapter[] | undefined;
}

/** A LoRA adapter of a chat model. */
export interface ModelAdapter {
  readonly name: string;
  /** Of one of the entry's files, not the first. */
  readonly path: string;
}

/** Defaults for this model, if they differ from those of the routes. They may exceed the ranges of request fields. */
export interface ImageTerms {
  /** 0 or 1: no guidance, as turbo models require. */
  readonly guidanceScale?: number | undefined;
  readonly steps?: number | undefined;
}

/** Settings of an embedding model; they override its files. */
export interface EmbeddingTerms {
  readonly pooling?: (typeof poolings)[number] | undefined;
  /** Whether vectors are normalized to length 1. */
  readonly normalizes?: boolean | undefined;
  /** Lengths to which vectors may be truncated, as the model was trained for. */
  readonly dimensions?: readonly number[] | undefined;
  /** Prepended to every text. `queryPrefix` and `documentPrefix` apply to requests that state the kind of their texts. */
  readonly prefix?: string | undefined;
  readonly queryPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
}

export const poolings = ['cls', 'mean', 'last', 'max'] as const;

/** Integers in micro-dollars (millionths of a US dollar), so that sums are exact: 150000 is 0.15 USD. */
export interface ModelPricing {
  /** Per million tokens, as is `completionPerMillion`. */
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
  readonly perImage?: number | undefined;
  /** Per denoising step of each image. */
  readonly perStep?: number | undefined;
}

export interface ModelFile {
  /** Relative to the models folder; for source `path`, relative to the catalogue's folder, or absolute. */
  readonly path: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** `files` and `urls` have one item per item of the entry's `files`, in the same order. */
export type ModelSource =
  | {
      readonly kind: 'hub';
      /** `owner/name` */
      readonly repository: string;
      /** A commit, 40 hexadecimal digits, because a branch can move. */
      readonly revision: string;
      readonly files: readonly string[];
    }
  | { readonly kind: 'url'; readonly urls: readonly string[] }
  /** Local files: they cannot be pulled. */
  | { readonly kind: 'path' };
