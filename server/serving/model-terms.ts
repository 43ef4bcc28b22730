/** Who may call a model, how much of it, and for how much money: what its catalogue entry says, as the routes need it. */
import type { Counts, Pricing } from '@cloister/accounts/base/money';
import type { CatalogueEntry } from '@cloister/models/catalogue/catalogue';
import type { EmbeddingRequest } from '@cloister/runtime/embeddings/embedding-request';
import { templateTokensMax } from './prompt-bound.ts';

export interface ModelTerms {
  /** For people; undefined for a model that was named by its file. */
  readonly name?: string;
  /** Plans whose accounts may call it, `*` for every plan. */
  readonly plans: readonly string[];
  readonly pricing: Pricing;
  /** Tokens that prompt and answer may hold together. */
  readonly contextLength: number;
  readonly maxOutputTokens: number;
}

/**
 * @param entry undefined for a model that was named by its file: for every plan, free of charge
 * @param contextMax tokens that the engine gives to one sequence
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
 * The most a chat can use.
 * @param call.promptTokens of its prompt at most, as `promptTokensMax` says
 * @param call.maxTokens per choice, as asked
 * @param call.addedBytesMax of what the server may write into the prompt; default 0
 * @param call.prompts how often the model may be asked for the one answer; default 1
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

/** The most that `count` pictures of `steps` steps can use; their prompt costs nothing. */
export function imageCountsMax({ count, steps }: { count: number; steps: number }): Counts {
  return { promptTokens: 0, completionTokens: 0, images: count, steps: count * steps };
}

/**
 * The most that texts can use: two special tokens for each, and no token stands for less than a byte.
 * @param call.input texts, or the ids of their tokens
 * @param call.prefixBytes of what is put before each text
 */
export function embeddingCountsMax(
  { input, prefixBytes }: { input: EmbeddingRequest['input']; prefixBytes: number },
  { contextLength }: ModelTerms,
): Counts {
  const tokensMax = (item: EmbeddingRequest['input'][number]) =>
    typeof item === 'string' ? prefixBytes + Buffer.byteLength(item) : item.length;
  const promptTokens = input.reduce((sum, item) => sum + Math.min(tokensMax(item) + 2, contextLength), 0);
  return { promptTokens, completionTokens: 0 };
}
