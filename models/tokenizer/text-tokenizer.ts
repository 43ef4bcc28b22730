/**
 * Tokenizes texts with a `tokenizer.json` exactly like the Rust library `tokenizers`: uses `@huggingface/tokenizers` with its
 * inexact parts replaced, and adds token ids from requests and truncation that keeps special tokens.
 */
import { Tokenizer } from '@huggingface/tokenizers';
import type { PairTokens, TextPair, TextTokenizer } from '../interface/embedding-model.ts';
import { ModelError } from '../interface/errors.ts';
import { bytePairEncoder } from './byte-pair.ts';
import { buildNormalizer, type PartConfig } from './normalizers.ts';
import { buildPreTokenizer } from './pre-tokenizers.ts';
import { PairSpecialTokens, SpecialTokens } from './special-tokens.ts';
import { unigramEncoder } from './unigram.ts';
import { wordPieceEncoder } from './word-piece.ts';

/** The fields of a `tokenizer.json` that this file reads; the library reads the others. */
interface TokenizerFile {
  readonly normalizer?: PartConfig | null;
  readonly pre_tokenizer?: PartConfig | null;
  readonly post_processor?: PartConfig | null;
  readonly model: PartConfig;
}

/** Token ids are stored as signed 32-bit integers. */
const tokenIdMax = 2 ** 31 - 1;

/** A tokenizer that also knows how two texts are joined. */
export interface FileTokenizer extends TextTokenizer {
  /** The token that ends the first of two texts; undefined if there is none. */
  readonly pairSeparator: number | undefined;
}

/** @param json the text of a `tokenizer.json` · @throws {ModelError} ERR_MODEL_LOAD */
export function parseTokenizer(json: string): FileTokenizer {
  let file: TokenizerFile;
  try {
    file = JSON.parse(json);
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', 'tokenizer.json is not valid JSON', { cause });
  }
  try {
    return new HuggingFaceTokenizer(buildLibraryTokenizer(file));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ModelError('ERR_MODEL_LOAD', `tokenizer.json cannot be used: ${reason}`, { cause });
  }
}

/** The parts of the library's tokenizer that this file replaces or calls. */
interface LibraryTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
  normalizer: ((text: string) => string) | null;
  pre_tokenizer: ((text: string, options: { section_index: number }) => readonly string[]) | null;
  readonly post_processor: ((tokens: string[], pair: string[] | null, special: boolean) => { tokens: string[] }) | null;
  readonly model: {
    encode: (words: readonly string[]) => readonly string[];
    fuse_unk: boolean;
    readonly tokens_to_ids: Map<string, number>;
  };
}

function buildLibraryTokenizer(file: TokenizerFile): LibraryTokenizer {
  const { normalizer = null, pre_tokenizer: preTokenizer = null, post_processor: postProcessor = null } = file;
  const complete = {
    added_tokens: [],
    ...file,
    normalizer,
    pre_tokenizer: preTokenizer,
    post_processor: postProcessor,
    // The library would keep a string for each merge and never use it.
    model: file.model.type === 'BPE' ? { ...file.model, merges: [] } : file.model,
  };
  const tokenizer = new Tokenizer(complete, {}) as unknown as LibraryTokenizer;
  if (normalizer !== null) tokenizer.normalizer = buildNormalizer(normalizer);
  if (preTokenizer !== null) {
    const split = buildPreTokenizer(preTokenizer);
    tokenizer.pre_tokenizer = (text, { section_index: section }) => split(text, section === 0);
  }
  const encodeWord = wordEncoder(file.model, tokenizer.model.tokens_to_ids);
  if (encodeWord !== undefined) {
    tokenizer.model.encode = (words) => words.flatMap(encodeWord);
    // These encoders join unknown characters themselves, and only within a word.
    tokenizer.model.fuse_unk = false;
  }
  return tokenizer;
}

/** Undefined if the library's encoder is exact. */
function wordEncoder(model: PartConfig, vocabulary: ReadonlyMap<string, number>) {
  if (model.type === 'WordPiece') {
    return wordPieceEncoder({
      vocabulary,
      unknown: model.unk_token as string,
      continuation: (model.continuing_subword_prefix as string | undefined) ?? '##',
      wordLengthMax: (model.max_input_chars_per_word as number | undefined) ?? 100,
    });
  }
  if (model.type === 'Unigram') {
    return unigramEncoder({
      vocabulary: model.vocab as readonly (readonly [string, number])[],
      byteFallback: model.byte_fallback === true,
    });
  }
  if (model.type === 'BPE') {
    return bytePairEncoder({
      vocabulary: new Map(Object.entries(model.vocab as Readonly<Record<string, number>>)),
      merges: (model.merges as readonly (string | readonly [string, string])[]).map(readMerge),
      unknown: (model.unk_token as string | null | undefined) ?? undefined,
      fusesUnknown: model.fuse_unk === true,
      byteFallback: model.byte_fallback === true,
      keepsWholeWords: model.ignore_merges === true,
      continuation: (model.continuing_subword_prefix as string | null | undefined) ?? '',
      wordEnd: (model.end_of_word_suffix as string | null | undefined) ?? '',
    });
  }
  return undefined;
}

/** Older files write both pieces in one string. */
function readMerge(merge: string | readonly [string, string]): readonly [string, string] {
  if (typeof merge !== 'string') return merge;
  const [left, right, ...more] = merge.split(' ');
  if (right === undefined || more.length > 0) throw new Error('a merge is not two pieces with a space between them');
  return [left!, right];
}

class HuggingFaceTokenizer implements FileTokenizer {
  readonly vocabularySize: number;
  readonly tokenizePair?: NonNullable<TextTokenizer['tokenizePair']>;
  readonly pairSeparator: number | undefined;
  readonly #tokenizer: LibraryTokenizer;
  readonly #special: SpecialTokens;

  constructor(tokenizer: LibraryTokenizer) {
    this.#tokenizer = tokenizer;
    this.vocabularySize = 1 + largestId(tokenizer.model.tokens_to_ids.values());
    this.#special = findSpecialTokens(tokenizer);
    const pairs = findPairTokens(tokenizer);
    this.pairSeparator = pairs?.separator;
    if (pairs !== undefined) {
      this.tokenizePair = ({ first, second }: TextPair, { secondTokensMax } = {}): PairTokens =>
        pairs.join(this.#encode(first), this.#encode(second).slice(0, secondTokensMax));
    }
  }

  tokenize(texts: readonly string[]): readonly Int32Array[] {
    return texts.map((text) => this.#special.around(this.#encode(text)));
  }

  wrap(tokens: readonly number[]): Int32Array {
    return this.#special.around(tokens);
  }

  truncate(tokens: Int32Array, length: number): Int32Array {
    return this.#special.truncate(tokens, length);
  }

  #encode(text: string): readonly number[] {
    // The reference accepts well-formed text only, without unpaired surrogates.
    return this.#tokenizer.encode(text.toWellFormed(), { add_special_tokens: false }).ids;
  }
}

/** @returns −1 if there are no ids · @throws {Error} if an id is not a valid index of an embedding */
function largestId(ids: Iterable<number>): number {
  let largest = -1;
  for (const id of ids) {
    if (!Number.isInteger(id) || id < 0 || id > tokenIdMax) {
      throw new Error(`token ids must be integers from 0 to ${tokenIdMax}`);
    }
    largest = Math.max(largest, id);
  }
  return largest;
}

/** Finds the special tokens by passing a placeholder through the post-processor. */
function findSpecialTokens(tokenizer: LibraryTokenizer): SpecialTokens {
  const { post_processor: process } = tokenizer;
  if (process === null) return new SpecialTokens({ before: [], after: [] });
  const { tokens } = process([firstMark], null, true);
  const at = tokens.indexOf(firstMark);
  const ids = (names: readonly string[]) => idsOf(names, tokenizer);
  return new SpecialTokens({ before: ids(tokens.slice(0, at)), after: ids(tokens.slice(at + 1)) });
}

/** The same for two texts; undefined if the post-processor drops one of them or changes their order. */
function findPairTokens(tokenizer: LibraryTokenizer): PairSpecialTokens | undefined {
  const { tokens } = tokenizer.post_processor?.([firstMark], [secondMark], true) ?? { tokens: [] };
  const [first, second] = [tokens.indexOf(firstMark), tokens.indexOf(secondMark)];
  if (first < 0 || second < first) return undefined;
  const ids = (from: number, to: number) => idsOf(tokens.slice(from, to), tokenizer);
  return new PairSpecialTokens({
    before: ids(0, first),
    between: ids(first + 1, second),
    after: ids(second + 1, tokens.length),
  });
}

const firstMark = '\u0000first';
const secondMark = '\u0000second';

function idsOf(names: readonly string[], { model }: LibraryTokenizer): number[] {
  return names.map((name) => {
    const id = model.tokens_to_ids.get(name);
    if (id === undefined) throw new Error('a special token is not in the vocabulary');
    return id;
  });
}
