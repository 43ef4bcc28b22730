/**
 * Guesses how an answer goes on by finding where its last tokens stood before, in the prompt or in the answer itself:
 * text that quotes goes on as what it quotes. Time per token and per guess is bounded, memory linear. Pure.
 */

/** So many tokens must agree: with fewer, a guess is right too seldom. */
const gramTokens = 3;
/** Earlier places looked at, newest first. */
const placesMax = 8;
/** Agreement beyond this makes no difference. */
const agreementMax = 32;
const nowhere = 0;

export class PromptLookup {
  #tokens: Int32Array;
  #length = 0;
  /** [power of two] Per hash of a gram: the position behind its newest occurrence, or `NOWHERE`. */
  #newest: Int32Array;
  /** [capacity] Per position behind a gram: the position behind the one before it with the same hash. */
  #before: Int32Array;

  /** @param capacity most tokens of prompt and answer together; more are forgotten */
  constructor(prompt: Int32Array, capacity: number) {
    this.#tokens = new Int32Array(capacity);
    this.#before = new Int32Array(capacity + 1);
    this.#newest = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(16, capacity))));
    for (const token of prompt) this.push(token);
  }

  /** Takes in the token that came next. */
  push(token: number): void {
    if (this.#length >= this.#tokens.length) return;
    this.#note();
    this.#tokens[this.#length++] = token;
  }

  /** @returns at most `tokensMax` tokens that may come next; none where nothing agrees */
  guess(tokensMax: number): Int32Array {
    const end = this.#length;
    if (end < gramTokens || tokensMax <= 0) return nothing;
    let best = nowhere;
    let agreement = gramTokens - 1;
    let place = this.#newest[this.#hash(end)]!;
    for (let looked = 0; place !== nowhere && looked < placesMax; looked += 1) {
      const here = this.#agreement(place);
      if (here > agreement) [best, agreement] = [place, here];
      place = this.#before[place]!;
    }
    return best === nowhere ? nothing : this.#tokens.slice(best, Math.min(end, best + tokensMax));
  }

  /** Forgets everything. */
  clear(): void {
    this.#tokens.fill(0);
    this.#tokens = nothing;
    this.#length = 0;
  }

  /** Files the gram that ends here, now that something follows it. */
  #note(): void {
    const end = this.#length;
    if (end < gramTokens) return;
    const hash = this.#hash(end);
    this.#before[end] = this.#newest[hash]!;
    this.#newest[hash] = end;
  }

  /** How many tokens before `place` are those before the end. */
  #agreement(place: number): number {
    const tokens = this.#tokens;
    const end = this.#length;
    let count = 0;
    while (count < agreementMax && count < place && tokens[place - 1 - count] === tokens[end - 1 - count]) count += 1;
    return count;
  }

  /** Of the gram before `end`. */
  #hash(end: number): number {
    let hash = 0;
    for (let index = end - gramTokens; index < end; index += 1)
      hash = Math.imul(hash ^ this.#tokens[index]!, 0x9e3779b1);
    return (hash >>> 7) & (this.#newest.length - 1);
  }
}

const nothing = new Int32Array(0);
