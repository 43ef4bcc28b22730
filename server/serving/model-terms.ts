/** The terms of a model for the routes: plans, limits and prices of its catalogue entry. */
import type { Counts, Pricing } from '@cloister/accounts/base/money';
import type { CatalogueEntry } from '@cloister/models/catalogue/catalogue';
import { type EmbeddingItem, isPair } from '@cloister/runtime/embeddings/embedding-request';
import { templateTokensMax } from './prompt-bound.ts';

export interface ModelTerms {
  /** Display name; undefined for a model named by its file. */
  readonly name?: string;
  /** Plans whose accounts may call it, `*` for every plan. */
  readonly plans: readonly string[];
  readonly pricing: Pricing;
  /** Maximum tokens of prompt and answer together. */
  readonly contextLength: number;
  readonly maxOutputTokens: number;
}

/**
 * @param entry undefined for a model named by its file, which every plan has, free of charge
 * @param contextMax the engine's tokens per sequence
 */
export function termsOf(entry: CatalogueEntry | undefined, contextMax: number): ModelTerms {
  const contextLength = Math.min(entry?.contextLength ?? contextMax, contextMax);
  return {
    ...(entry && { name: entry.name }),
    plans: entry?.plans ?? ['*'],
    pricing: entry?.pricing ?? { promptPerMillion: 0, completionPerMillion: 0 },
    contextLength,
    maxOutputTokens: Math.min(entry?.maxOutputTokens ?? contextLength, contextLength),
  };
}

/**
 * The maximum usage of a chat.
 * @param call.promptTokens upper bound of its prompt, from `promptTokensMax`
 * @param call.maxTokens per choice, as requested
 * @param call.addedBytesMax maximum text that the server adds to the prompt; default 0
 * @param call.prompts maximum number of prompts for the one answer; default 1
 */
export function chatCountsMax(
  call: {
    promptTokens: number;
    choices: number;
    maxTokens: number | undefined;
    addedBytesMax?: number | undefined;
    prompts?: number | undefined;
  },
  { contextLength, maxOutputTokens }: ModelTerms,
): Counts {
  const added = call.addedBytesMax === undefined ? 0 : call.addedBytesMax + templateTokensMax;
  return {
    promptTokens: (call.prompts ?? 1) * Math.min(call.promptTokens + added, contextLength),
    completionTokens: call.choices * Math.min(call.maxTokens ?? maxOutputTokens, maxOutputTokens),
  };
}

/** The maximum usage of `count` images of `steps` steps. Their prompt costs nothing. */
export function imageCountsMax({ count, steps }: { count: number; steps: number }): Counts {
  return { promptTokens: 0, completionTokens: 0, images: count, steps: count * steps };
}

/** Special tokens of a pair in any model: two more than around one text. */
const pairTokens = 4;

/**
 * The maximum usage of texts: at most one token per byte, and two special tokens for each text.
 * @param call.input texts, the ids of their tokens, or pairs of texts
 * @param call.prefixBytes of the text that is put before each input
 */
export function embeddingCountsMax(
  { input, prefixBytes }: { input: readonly EmbeddingItem[]; prefixBytes: number },
  { contextLength }: ModelTerms,
): Counts {
  const tokensMax = (item: EmbeddingItem) => {
    if (isPair(item)) return Buffer.byteLength(item.first) + Buffer.byteLength(item.second) + pairTokens - 2;
    return typeof item === 'string' ? prefixBytes + Buffer.byteLength(item) : item.length;
  };
  const promptTokens = input.reduce((sum, item) => sum + Math.min(tokensMax(item) + 2, contextLength), 0);
  return { promptTokens, completionTokens: 0 };
}
