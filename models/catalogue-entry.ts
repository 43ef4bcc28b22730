/** What a catalogue says about a model. Imports nothing. */

export const modelKinds = ['llama-text', 'onnx-embedding', 'onnx-image'] as const;
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
}

/** Whole micro-dollars (millionths of a US dollar) per million tokens: 150000 is 0.15 USD. No fractions, so sums are exact. */
export interface ModelPricing {
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
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
