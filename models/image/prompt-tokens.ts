/** Tokenizes prompts for the text encoders of a diffusers folder: truncated or padded to their length. */
import { join } from 'node:path';
import type { PinnedFiles } from '../files/pinned-files.ts';
import type { TextTokenizer } from '../interface/embedding-model.ts';
import { ModelError } from '../interface/errors.ts';
import { parseTokenizer } from '../tokenizer/text-tokenizer.ts';
import { clipTokenizerFile } from './clip-tokenizer.ts';

export interface PromptLimits {
  /** Tokens per prompt, special tokens included. */
  readonly length: number;
  /** Padding token if the tokenizer's files do not name one. */
  readonly padToken: number | undefined;
}

export class PromptTokenizer {
  readonly #tokenizer: TextTokenizer;
  readonly #length: number;
  readonly #padToken: number;

  /**
   * @param folder contains `tokenizer.json`, or CLIP's `vocab.json` and `merges.txt`, and optionally
   *   `tokenizer_config.json`
   * @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING
   */
  constructor(folder: string, { length, padToken }: PromptLimits, files: PinnedFiles) {
    const configPath = join(folder, 'tokenizer_config.json');
    const config = files.has(configPath) ? files.readJson(configPath) : {};
    const json = readTokenizer(folder, padName(config), files);
    this.#tokenizer = parseTokenizer(json);
    this.#length = Math.min(length, lengthOf(config) ?? length);
    // The encoder's `pad_token_id` is the last resort: in Stable Diffusion it is not the token used for padding in training.
    const pad = idOf(padName(config), JSON.parse(json)) ?? padToken;
    if (pad === undefined) throw new ModelError('ERR_MODEL_LOAD', `${configPath} names no pad_token of the vocabulary`);
    this.#padToken = pad;
  }

  /** @returns [length] token ids per prompt; a prompt that is too long is truncated and keeps its end token */
  encode(prompts: readonly string[]): number[][] {
    return this.#tokenizer.tokenize(prompts).map((tokens) => {
      const ids = this.#tokenizer.truncate(tokens, this.#length);
      return [...ids, ...new Array<number>(this.#length - ids.length).fill(this.#padToken)];
    });
  }
}

function readTokenizer(folder: string, pad: unknown, files: PinnedFiles): string {
  const whole = join(folder, 'tokenizer.json');
  if (files.has(whole)) return files.readText(whole);
  const [vocabulary, merges] = [join(folder, 'vocab.json'), join(folder, 'merges.txt')];
  if (!files.has(vocabulary)) return files.readText(whole);
  return JSON.stringify(clipTokenizerFile(files.readJson(vocabulary), files.readText(merges), pad));
}

/** Some files write 10^30 for "no limit". */
function lengthOf({ model_max_length: length }: Readonly<Record<string, unknown>>): number | undefined {
  return Number.isSafeInteger(length) && Number(length) > 0 ? Number(length) : undefined;
}

/** The token is a name, or an object with the name in `content`. */
function padName({ pad_token: token }: Readonly<Record<string, unknown>>): unknown {
  return typeof token === 'object' && token !== null ? (token as { content?: unknown }).content : token;
}

function idOf(name: unknown, { added_tokens: added = [], model }: TokenizerFile): number | undefined {
  if (typeof name !== 'string') return undefined;
  return added.find(({ content }) => content === name)?.id ?? model?.vocab?.[name];
}

interface TokenizerFile {
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
  readonly model?: { readonly vocab?: Readonly<Record<string, number>> };
}
