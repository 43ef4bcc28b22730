/**
 * Prompt lookup decoding: finds an earlier occurrence of the answer's last tokens, in the prompt or in the answer itself,
 * and proposes the tokens that followed it as a draft. Time per token and per draft is bounded; memory is linear. Pure.
 */

/** Tokens that must match; drafts from shorter matches are rarely accepted. */
const matchTokensMin = 3;
/** Maximum earlier occurrences compared, newest first. */
const occurrencesMax = 8;
/** Longest match that is measured. */
const matchTokensMax = 32;
const none = 0;

export class PromptLookup {
  #tokens: Int32Array;
  #length = 0;
  /** [power of two] Per hash of an n-gram: the position after its newest occurrence, or `none`. */
  #newest: Int32Array;
  /** [capacity] Per position after an n-gram: the position after the previous n-gram with the same hash. */
  #before: Int32Array;

  /** @param capacity maximum tokens of prompt and answer together; further tokens are ignored */
  constructor(prompt: Int32Array, capacity: number) {
    this.#tokens = new Int32Array(capacity);
    this.#before = new Int32Array(capacity + 1);
    this.#newest = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(16, capacity))));
    for (const token of prompt) this.push(token);
  }

  /** Appends the next token. */
  push(token: number): void {
    if (this.#length >= this.#tokens.length) return;
    this.#index();
    this.#tokens[this.#length++] = token;
  }

  /** @returns at most `tokensMax` draft tokens; empty if no occurrence matches */
  draft(tokensMax: number): Int32Array {
    const end = this.#length;
    if (end < matchTokensMin || tokensMax <= 0) return noTokens;
    let best = none;
    let longest = matchTokensMin - 1;
    let position = this.#newest[this.#hash(end)]!;
    for (let compared = 0; position !== none && compared < occurrencesMax; compared += 1) {
      const length = this.#matchLength(position);
      if (length > longest) [best, longest] = [position, length];
      position = this.#before[position]!;
    }
    return best === none ? noTokens : this.#tokens.slice(best, Math.min(end, best + tokensMax));
  }

  /** Zeroes and removes all tokens. */
  clear(): void {
    this.#tokens.fill(0);
    this.#tokens = noTokens;
    this.#length = 0;
  }

  /** Indexes the n-gram that ends here, because a token now follows it. */
  #index(): void {
    const end = this.#length;
    if (end < matchTokensMin) return;
    const hash = this.#hash(end);
    this.#before[end] = this.#newest[hash]!;
    this.#newest[hash] = end;
  }

  /** The number of tokens before `position` that match those before the end. */
  #matchLength(position: number): number {
    const tokens = this.#tokens;
    const end = this.#length;
    let count = 0;
    while (count < matchTokensMax && count < position && tokens[position - 1 - count] === tokens[end - 1 - count])
      count += 1;
    return count;
  }

  /** Hashes the n-gram before `end`. */
  #hash(end: number): number {
    let hash = 0;
    for (let index = end - matchTokensMin; index < end; index += 1)
      hash = Math.imul(hash ^ this.#tokens[index]!, 0x9e3779b1);
    return (hash >>> 7) & (this.#newest.length - 1);
  }
}

const noTokens = new Int32Array(0);
