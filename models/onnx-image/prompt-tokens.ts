/** Prompts as the text encoder of a diffusers folder takes them: cut or padded to its length. */
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { readJson } from './component.ts';

export interface PromptLimits {
  /** Tokens per prompt, special tokens included. */
  readonly length: number;
  readonly padToken: number;
}

export class PromptTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #limits: PromptLimits;

  /** @param folder that holds `tokenizer.json` and `tokenizer_config.json` */
  constructor(folder: string, limits: PromptLimits) {
    this.#tokenizer = new Tokenizer(
      readJson(join(folder, 'tokenizer.json')),
      readJson(join(folder, 'tokenizer_config.json')),
    );
    this.#limits = limits;
  }

  /** @returns [length] token ids; a prompt that is too long loses its end, not its end token */
  encode(prompt: string): number[] {
    const { length, padToken } = this.#limits;
    const { ids } = this.#tokenizer.encode(prompt);
    if (ids.length > length) return [...ids.slice(0, length - 1), ids.at(-1)!];
    return [...ids, ...new Array<number>(length - ids.length).fill(padToken)];
  }
}
