/**
 * When to guess how answers go on, and how far. A guess costs rows in the next forward pass and gains a token each time
 * it is right; a wrong one changes nothing. Pure.
 */
import { PromptLookup } from './prompt-lookup.ts';
import { StepCost } from './step-cost.ts';

/** `auto` guesses where it makes steps yield more tokens a second, by what guesses and steps did so far. */
export type PromptLookupMode = 'auto' | 'on' | 'off';

/** Guesses per answer and step. */
const guessesFirst = 4;
const guessesMax = 16;
/** How often the next guess is right, before any was seen, and the weight of the newest. */
const likelihoodFirst = 0.7;
const newest = 0.1;
/** After a guess that was wrong at once, an answer pauses for so many tokens, twice as long each time, at most so long. */
const pauseFirst = 2;
const pauseMax = 64;
/** What guessing must promise over not guessing; less is noise. */
const gainMin = 1.1;

/** What one answer's guesses are made from. */
export class Guesser {
  readonly #lookup: PromptLookup;
  /** Guesses at the next try: grows while all are right. */
  #reach = guessesFirst;
  #likelihood = likelihoodFirst;
  #pauseLength = pauseFirst;
  #pause = 0;

  constructor(prompt: Int32Array, capacity: number) {
    this.#lookup = new PromptLookup(prompt, capacity);
  }

  push(token: number): void {
    this.#lookup.push(token);
    if (this.#pause > 0) this.#pause -= 1;
  }

  guess(tokensMax: number): Int32Array {
    return this.#pause > 0 ? nothing : this.#lookup.guess(Math.min(this.#reach, tokensMax));
  }

  /** How many of `count` guesses are likely to be right. */
  expected(count: number): number {
    const p = this.#likelihood;
    return (p * (1 - p ** count)) / (1 - p);
  }

  /** Learns that the first `right` of `count` guesses were what was drawn. */
  judge(count: number, right: number): void {
    for (let index = 0; index < right; index += 1) this.#blend(1);
    if (right < count) this.#blend(0);
    if (right === count) this.#reach = Math.min(guessesMax, this.#reach * 2);
    else this.#reach = Math.max(2, Math.min(this.#reach, right + 2));
    if (right > 0) this.#pauseLength = pauseFirst;
    else {
      this.#pause = this.#pauseLength;
      this.#pauseLength = Math.min(pauseMax, this.#pauseLength * 2);
    }
  }

  /** Forgets what it read. */
  clear(): void {
    this.#lookup.clear();
  }

  #blend(outcome: number): void {
    this.#likelihood = Math.min(0.98, this.#likelihood + newest * (outcome - this.#likelihood));
  }
}

/** An answer that may be guessed at. */
export interface Candidate {
  readonly guesser: Guesser;
  /** Most guesses that it has room for. */
  readonly guessesMax: number;
}

export class Speculation {
  readonly #mode: PromptLookupMode;
  readonly #guessesMax: number;
  readonly #endTokens: ReadonlySet<number>;
  readonly #cost = new StepCost();

  /** @param guessesMax in one step, over all answers */
  constructor(options: { mode: PromptLookupMode; guessesMax: number; endTokens: ReadonlySet<number> }) {
    this.#mode = options.guessesMax > 0 ? options.mode : 'off';
    this.#guessesMax = options.guessesMax;
    this.#endTokens = options.endTokens;
  }

  /** @returns undefined where nothing is ever guessed */
  begin(prompt: Int32Array, capacity: number): Guesser | undefined {
    return this.#mode === 'off' ? undefined : new Guesser(prompt, capacity);
  }

  /**
   * Guesses for the answers that decode in one step without any prompt tokens.
   * @param tokensMax how many tokens the step still takes
   * @returns [candidates], empty for those that are not guessed at
   */
  next(candidates: readonly (Candidate | undefined)[], tokensMax: number): readonly Int32Array[] {
    const none: readonly Int32Array[] = candidates.map(() => nothing);
    if (this.#mode === 'off') return none;
    const guesses = candidates.map((one) => (one === undefined ? nothing : this.#guess(one)));
    let best = none;
    let bestRate = this.#rate(candidates, none) * (this.#mode === 'auto' ? gainMin : 0);
    // Rows of one length share a forward pass, so all that are guessed at are guessed equally far.
    for (const length of new Set(guesses.map((tokens) => tokens.length))) {
      if (length === 0) continue;
      const plan = this.#cut(guesses, length, Math.min(tokensMax, this.#guessesMax));
      const rate = this.#rate(candidates, plan);
      if (rate > bestRate) [best, bestRate] = [plan, rate];
    }
    return best;
  }

  /** Takes in what a step of decoding rows took that each fed so many tokens. */
  observe(rowTokens: readonly number[], micros: number): void {
    const [first] = rowTokens;
    if (first !== undefined && rowTokens.every((tokens) => tokens === first)) {
      this.#cost.observe(first * rowTokens.length, micros);
    }
  }

  /** An end token is never guessed: nothing may be drawn after it. */
  #guess({ guesser, guessesMax }: Candidate): Int32Array {
    const tokens = guesser.guess(guessesMax);
    const end = tokens.findIndex((token) => this.#endTokens.has(token));
    return end < 0 ? tokens : tokens.subarray(0, end);
  }

  #cut(guesses: readonly Int32Array[], length: number, guessesMax: number): Int32Array[] {
    let left = guessesMax;
    return guesses.map((tokens) => {
      if (tokens.length < length || left < length) return nothing;
      left -= length;
      return tokens.subarray(0, length);
    });
  }

  /** Tokens a second, as far as can be known. */
  #rate(candidates: readonly (Candidate | undefined)[], plan: readonly Int32Array[]): number {
    const guessed = plan.filter(({ length }) => length > 0);
    const right = plan.reduce((sum, { length }, index) => sum + (candidates[index]?.guesser.expected(length) ?? 0), 0);
    const tokens = plan.length + right;
    if (this.#mode === 'on') return tokens;
    const length = guessed[0]?.length ?? 0;
    const [first, second] =
      guessed.length === plan.length
        ? [this.#cost.estimate(plan.length * (1 + length)), 0]
        : [this.#cost.estimate(plan.length), length === 0 ? 0 : this.#cost.estimate(guessed.length * length)];
    // Before the first plain step there is nothing to compare with.
    if (first === undefined || second === undefined) return 0;
    return tokens / (first + second);
  }
}

const nothing = new Int32Array(0);
