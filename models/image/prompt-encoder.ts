/** Encodes prompts for a UNet: with one text encoder as in Stable Diffusion 1.5 and 2.1, or with two as in SDXL. */
import { join } from 'node:path';
import type { PinnedFiles } from '../files/pinned-files.ts';
import type { SessionOptions } from '../onnx/onnx-session.ts';
import { Component } from './component.ts';
import { PromptTokenizer } from './prompt-tokens.ts';

/** One prompt, encoded. */
export interface EncodedPrompt {
  /** [tokens, width] */
  readonly hidden: Float32Array;
  readonly dims: readonly [tokens: number, width: number];
  /** [projected width] Projection of the whole prompt. Only with two encoders. */
  readonly pooled: Float32Array | undefined;
}

interface Encoder {
  readonly component: Component;
  readonly tokenizer: PromptTokenizer;
  /** Requested outputs: hidden states and, for the last of two encoders, the pooled prompt. */
  readonly outputs: readonly string[];
}

export interface PromptEncoderOptions {
  /** Folder of `model_index.json`. */
  readonly folder: string;
  readonly index: Readonly<Record<string, unknown>>;
  readonly session: SessionOptions;
  readonly files: PinnedFiles;
  /** Called when a graph is loaded. */
  readonly onOpened: () => void;
}

/** @returns whether `model_index.json` has a component; null entries are absent */
export function hasComponent(index: Readonly<Record<string, unknown>>, name: string): boolean {
  const entry = index[name];
  return Array.isArray(entry) && entry[0] !== null;
}

export class PromptEncoder {
  readonly #encoders: readonly Encoder[];
  readonly #isEmptyZero: boolean;
  /** Cache of the encoded empty prompt, which is the negative prompt of most jobs. */
  #empty: EncodedPrompt | undefined;

  private constructor(encoders: readonly Encoder[], { isEmptyZero }: { isEmptyZero: boolean }) {
    this.#encoders = encoders;
    this.#isEmptyZero = isEmptyZero;
  }

  /** @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING */
  static async open({ folder, index, session, files, onOpened }: PromptEncoderOptions): Promise<PromptEncoder> {
    const names = hasComponent(index, 'text_encoder_2') ? ['', '_2'] : [''];
    const encoders: Encoder[] = [];
    for (const [position, suffix] of names.entries()) {
      const component = await Component.open(join(folder, `text_encoder${suffix}`), session, files);
      component.requireInputs(['input_ids']);
      const { pad_token_id: padToken } = component.config;
      const limits = {
        length: component.integer('max_position_embeddings'),
        padToken: Number.isInteger(padToken) ? Number(padToken) : undefined,
      };
      const tokenizer = new PromptTokenizer(join(folder, `tokenizer${suffix}`), limits, files);
      const outputs = outputsOf(component, { isOne: names.length === 1, isLast: position === names.length - 1 });
      encoders.push({ component, tokenizer, outputs });
      onOpened();
    }
    return new PromptEncoder(encoders, { isEmptyZero: index.force_zeros_for_empty_prompt === true });
  }

  /**
   * @param prompts an empty prompt stands for an absent one
   * @returns one per prompt; read-only
   */
  async encode(prompts: readonly string[]): Promise<readonly EncodedPrompt[]> {
    const isNew = (prompt: string) => prompt !== '' || this.#empty === undefined;
    const texts = [...new Set(prompts.filter(isNew))];
    const encoded = new Map(texts.length === 0 ? [] : await this.#encode(texts));
    this.#empty ??= encoded.get('');
    return prompts.map((prompt) => encoded.get(prompt) ?? this.#empty!);
  }

  async #encode(prompts: readonly string[]): Promise<[prompt: string, EncodedPrompt][]> {
    const parts: (readonly EncodedPrompt[])[] = [];
    for (const encoder of this.#encoders) parts.push(await encodeWith(encoder, prompts));
    return prompts.map((prompt, row) => {
      const encoded = concatenated(parts.map((part) => part[row]!));
      if (this.#isEmptyZero && prompt === '') {
        encoded.hidden.fill(0);
        encoded.pooled?.fill(0);
      }
      return [prompt, encoded];
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#encoders.map(({ component }) => component.close()));
  }
}

/**
 * A single encoder outputs its last hidden states. Two encoders output the states before their last layer, and the second
 * also the projection of the whole prompt (Podell et al. 2023, 2.1).
 */
function outputsOf(component: Component, { isOne, isLast }: { isOne: boolean; isLast: boolean }): readonly string[] {
  if (isOne) {
    const last = component.outputNames.find((name) => name === 'last_hidden_state');
    return [last ?? component.outputNames[0]!];
  }
  // Counted from the embeddings, which are number 0.
  const names = [`hidden_states.${component.integer('num_hidden_layers') - 1}`, ...(isLast ? ['text_embeds'] : [])];
  const missing = names.find((name) => !component.outputNames.includes(name));
  if (missing === undefined) return names;
  throw component.refusal(`the graph has no output ${missing}: export it with hidden states`);
}

async function encodeWith({ component, tokenizer, outputs }: Encoder, prompts: readonly string[]) {
  const ids = tokenizer.encode(prompts);
  const [states, pooled] = await component.run(
    { input_ids: { data: ids.flat(), dims: [ids.length, ids[0]!.length] } },
    { outputs },
  );
  const [, tokens, width] = states!.dims as [number, number, number];
  const rowOf = (data: Float32Array, row: number) => data.slice(...rangeOf(data.length / prompts.length, row));
  return prompts.map(
    (_, row): EncodedPrompt => ({
      hidden: rowOf(states!.data, row),
      dims: [tokens, width],
      pooled: pooled && rowOf(pooled.data, row),
    }),
  );
}

function rangeOf(size: number, row: number): [start: number, end: number] {
  return [row * size, (row + 1) * size];
}

/** Concatenates each token's states of all encoders. */
function concatenated(parts: readonly EncodedPrompt[]): EncodedPrompt {
  if (parts.length === 1) return parts[0]!;
  const tokens = parts[0]!.dims[0];
  const width = parts.reduce((sum, { dims }) => sum + dims[1], 0);
  const hidden = new Float32Array(tokens * width);
  let left = 0;
  for (const part of parts) {
    const partWidth = part.dims[1];
    for (let token = 0; token < tokens; token++) {
      hidden.set(part.hidden.subarray(...rangeOf(partWidth, token)), token * width + left);
    }
    left += partWidth;
  }
  return { hidden, dims: [tokens, width], pooled: parts.at(-1)!.pooled };
}
