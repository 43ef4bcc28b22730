/** Log probabilities in the form of OpenAI's older completions: four lists, one item per token. Pure. */
import type { TokenReport } from '@cloister/runtime/chat/request';

interface Lists {
  readonly tokens: string[];
  readonly token_logprobs: number[];
  readonly top_logprobs: Record<string, number>[] | null;
  /** Where each token begins in the text of the answer, in Unicode characters. */
  readonly text_offset: number[];
}

/** Gathers the tokens of one choice. */
export class LegacyLogprobs {
  readonly #top: number;
  /** Keeps the first bytes of a character until the rest arrives. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #offset: number;
  #lists: Lists;

  /** @param options.top number of alternatives · @param options.offset characters before the first token */
  constructor({ top, offset }: { top: number; offset: number }) {
    this.#top = top;
    this.#offset = offset;
    this.#lists = this.#empty();
  }

  add(reports: readonly TokenReport[]): void {
    const lists = this.#lists;
    for (const { token, logprob, bytes, top } of reports) {
      lists.tokens.push(token);
      lists.token_logprobs.push(logprob);
      // The sampled token is reported too if it is not among the alternatives.
      lists.top_logprobs?.push(
        Object.fromEntries([[token, logprob], ...top.map((other) => [other.token, other.logprob] as const)]),
      );
      lists.text_offset.push(this.#offset);
      this.#offset += characters(this.#decoder.decode(Uint8Array.from(bytes), { stream: true }));
    }
  }

  /** The tokens since the last call; null if there are none. */
  take(): Lists | null {
    const lists = this.#lists;
    if (lists.tokens.length === 0) return null;
    this.#lists = this.#empty();
    return lists;
  }

  #empty(): Lists {
    return { tokens: [], token_logprobs: [], top_logprobs: this.#top === 0 ? null : [], text_offset: [] };
  }
}

/** The number of Unicode characters. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
