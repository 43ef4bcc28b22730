/** Tasks of an embedding engine's threads, and the functions that serve them: some threads tokenize, others have a model each. */
import type {
  EmbeddingModel,
  EmbeddingModelInfo,
  TextPair,
  TextTokenizer,
} from '@cloister/models/interface/embedding-model';
import { RuntimeError } from '../pool/errors.ts';
import { servePool } from '../pool/pool-worker.ts';
import { type EmbeddingItem, isPair } from './embedding-request.ts';

/**
 * The role of a thread and its data. Threads with role `model` share the cores. The `wide-model` uses all cores, for a batch
 * that runs alone, and also tokenizes single texts.
 */
export interface EmbeddingThreadData<Data = unknown> {
  readonly role: 'tokenizer' | 'model' | 'wide-model';
  readonly data: Data;
}

/** Items of one request. */
export interface TokenizeTask {
  readonly items: readonly EmbeddingItem[];
  /** Index of the first item in the request. */
  readonly first: number;
  /** Maximum tokens per item, special tokens included. */
  readonly limit: number;
  readonly truncate: boolean;
  /** See `EmbeddingRequest`. */
  readonly field?: string | undefined;
  readonly secondTokensMax?: number | undefined;
}

/** Concatenated texts; the buffer is transferred, not copied. */
export interface PackedTexts {
  readonly tokens: Int32Array<ArrayBuffer>;
  /** [texts] */
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** A task of a thread with a model. */
export type EmbedTask =
  | { readonly kind: 'tokens'; readonly texts: PackedTexts }
  /** The thread tokenizes first, so that one thread is woken and not two. */
  | { readonly kind: 'text'; readonly task: TokenizeTask };

export interface EmbedOutcome {
  /** [texts, dimensions] */
  readonly vectors: Float32Array;
  /** [texts] Tokens of each. */
  readonly lengths: Int32Array;
  readonly computeMs: number;
}

/** Facts of a thread with a model. */
export interface ModelThreadFacts {
  readonly info: EmbeddingModelInfo;
  readonly takesText: boolean;
}

export function packTexts(texts: readonly Int32Array[]): PackedTexts {
  const lengths = Int32Array.from(texts, (text) => text.length);
  const tokens = new Int32Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const text of texts) {
    tokens.set(text, at);
    at += text.length;
  }
  return { tokens, lengths };
}

/** Views into the packed tokens. */
export function unpackTexts({ tokens, lengths }: PackedTexts): Int32Array[] {
  let at = 0;
  return Array.from(lengths, (length) => {
    at += length;
    return tokens.subarray(at - length, at);
  });
}

/** @param open loads the tokenizer */
export function serveTokenizer(open: () => Promise<TextTokenizer>) {
  return servePool<TokenizeTask, PackedTexts, undefined>(async () => {
    const tokenizer = await open();
    return {
      facts: undefined,
      async run(task, { isCancelled }) {
        const result = packTexts(tokenizeItems(tokenizer, task, isCancelled));
        return { result, transfer: [result.tokens.buffer, result.lengths.buffer] };
      },
      close: async () => undefined,
    };
  });
}

/** @param open loads the model; calls `onProgress` with 0…1 */
export function serveEmbeddingModel(open: (onProgress: (fraction: number) => void) => Promise<EmbeddingModel>) {
  return servePool<EmbedTask, EmbedOutcome, ModelThreadFacts>(async (onProgress) => {
    const model = await open(onProgress);
    return {
      facts: { info: model.info, takesText: model.tokenizer !== undefined },
      async run(task, { isCancelled }) {
        const texts = textsOf(task, model, isCancelled);
        const started = performance.now();
        const vectors = await model.embed(texts);
        const lengths = Int32Array.from(texts, (text) => text.length);
        const result = { vectors, lengths, computeMs: performance.now() - started };
        return { result, transfer: [vectors.buffer as ArrayBuffer] };
      },
      close: () => model.close(),
    };
  });
}

function textsOf(task: EmbedTask, { tokenizer }: EmbeddingModel, isCancelled: () => boolean): readonly Int32Array[] {
  switch (task.kind) {
    case 'tokens':
      return unpackTexts(task.texts);
    case 'text':
      return tokenizeItems(tokenizer!, task.task, isCancelled);
  }
}

/** @throws {RuntimeError} ERR_CANCELLED, ERR_TOKEN_UNKNOWN, ERR_INPUT_EMPTY, ERR_CONTEXT_OVERFLOW */
function tokenizeItems(tokenizer: TextTokenizer, task: TokenizeTask, isCancelled: () => boolean): Int32Array[] {
  return task.items.map((item, at) => {
    if (isCancelled()) throw new RuntimeError('ERR_CANCELLED', 'the caller disconnected');
    const place: Place = { ...task, index: task.first + at, field: `${task.field ?? 'input'}[${task.first + at}]` };
    if (isPair(item)) return tokenizePair(tokenizer, item, place);
    const tokens = typeof item === 'string' ? tokenizer.tokenize([item])[0]! : wrap(tokenizer, item, place);
    return fitToLimit(tokenizer, tokens, place);
  });
}

/** The limits of an item, and its place in the request for messages. */
interface Place extends Pick<TokenizeTask, 'limit' | 'truncate' | 'secondTokensMax'> {
  readonly index: number;
  readonly field: string;
}

function wrap(tokenizer: TextTokenizer, tokens: readonly number[], { index, field }: Place): Int32Array {
  const last = tokenizer.vocabularySize - 1;
  if (tokens.some((token) => token < 0 || token > last)) {
    throw new RuntimeError('ERR_TOKEN_UNKNOWN', `\`${field}\` contains a token id that is not from 0 to ${last}`, {
      details: { item: index, largest: last },
    });
  }
  return tokenizer.wrap(tokens);
}

/** Truncation shortens the second text only, and leaves at least one token of it. */
function tokenizePair(tokenizer: TextTokenizer, pair: TextPair, place: Place): Int32Array {
  const { limit, index } = place;
  const joined = tokenizer.tokenizePair?.(pair, place);
  if (joined === undefined) throw new RuntimeError('ERR_INTERNAL', 'the tokenizer of the model joins no texts');
  const { tokens, secondFrom } = joined;
  if (tokens.length > limit && secondFrom + 2 > limit) {
    throw new RuntimeError(
      'ERR_CONTEXT_OVERFLOW',
      `the query has ${secondFrom} tokens, the model takes ${limit} for query and document: shorten it`,
      { details: { item: index, limit, counted: secondFrom } },
    );
  }
  return fitToLimit(tokenizer, tokens, place);
}

function fitToLimit(tokenizer: TextTokenizer, tokens: Int32Array, place: Place): Int32Array {
  const { limit, truncate, index, field } = place;
  if (tokens.length === 0) {
    throw new RuntimeError('ERR_INPUT_EMPTY', `\`${field}\` contains no text that the model has tokens for`, {
      details: { item: index },
    });
  }
  if (tokens.length <= limit) return tokens;
  if (truncate) return tokenizer.truncate(tokens, limit);
  throw new RuntimeError(
    'ERR_CONTEXT_OVERFLOW',
    `\`${field}\` has ${tokens.length} tokens, the model takes ${limit}: shorten it, or send \`truncate: true\``,
    { details: { item: index, limit, counted: tokens.length } },
  );
}
