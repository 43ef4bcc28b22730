/**
 * Speculative decoding: decides when to verify draft tokens, and how many. A draft costs rows in the next forward pass and
 * gains one token per accepted draft token; rejected draft tokens do not change the answer. Pure.
 */
import { PromptLookup } from './prompt-lookup.ts';
import { StepCost } from './step-cost.ts';

/** `auto` uses drafts if past acceptance rates and step times predict more tokens per second. */
export type PromptLookupMode = 'auto' | 'on' | 'off';

/** Draft tokens per answer and step. */
const draftTokensFirst = 4;
const draftTokensMax = 16;
/** Initial estimate of the acceptance rate, and the weight of the newest outcome. */
const acceptanceRateFirst = 0.7;
const newestWeight = 0.1;
/** After a draft whose first token was rejected, an answer pauses for this many tokens; the pause doubles up to a maximum. */
const pauseTokensFirst = 2;
const pauseTokensMax = 64;
/** Minimum predicted gain of drafts over a plain step; a smaller gain is noise. */
const gainMin = 1.1;

/** Proposes draft tokens for one answer. */
export class Drafter {
  readonly #lookup: PromptLookup;
  /** Length of the next draft: grows while all draft tokens are accepted. */
  #draftTokens = draftTokensFirst;
  #acceptanceRate = acceptanceRateFirst;
  #pauseLength = pauseTokensFirst;
  #pause = 0;

  constructor(prompt: Int32Array, capacity: number) {
    this.#lookup = new PromptLookup(prompt, capacity);
  }

  push(token: number): void {
    this.#lookup.push(token);
    if (this.#pause > 0) this.#pause -= 1;
  }

  draft(tokensMax: number): Int32Array {
    return this.#pause > 0 ? noTokens : this.#lookup.draft(Math.min(this.#draftTokens, tokensMax));
  }

  /** Expected number of accepted tokens of a draft of `count` tokens. */
  expectedAccepted(count: number): number {
    const p = this.#acceptanceRate;
    return (p * (1 - p ** count)) / (1 - p);
  }

  /** Records that the first `accepted` of `count` draft tokens were accepted. */
  record(count: number, accepted: number): void {
    for (let index = 0; index < accepted; index += 1) this.#blend(1);
    if (accepted < count) this.#blend(0);
    if (accepted === count) this.#draftTokens = Math.min(draftTokensMax, this.#draftTokens * 2);
    else this.#draftTokens = Math.max(2, Math.min(this.#draftTokens, accepted + 2));
    if (accepted > 0) this.#pauseLength = pauseTokensFirst;
    else {
      this.#pause = this.#pauseLength;
      this.#pauseLength = Math.min(pauseTokensMax, this.#pauseLength * 2);
    }
  }

  /** Zeroes and removes the tokens of the answer. */
  clear(): void {
    this.#lookup.clear();
  }

  #blend(outcome: number): void {
    this.#acceptanceRate = Math.min(0.98, this.#acceptanceRate + newestWeight * (outcome - this.#acceptanceRate));
  }
}

/** An answer for which drafts are allowed. */
export interface Candidate {
  readonly drafter: Drafter;
  /** Maximum draft tokens that the answer has room for. */
  readonly draftTokensMax: number;
}

export class Speculation {
  readonly #mode: PromptLookupMode;
  readonly #draftTokensMax: number;
  readonly #endTokens: ReadonlySet<number>;
  readonly #cost = new StepCost();

  /** @param draftTokensMax maximum draft tokens of one step, over all answers */
  constructor(options: { mode: PromptLookupMode; draftTokensMax: number; endTokens: ReadonlySet<number> }) {
    this.#mode = options.draftTokensMax > 0 ? options.mode : 'off';
    this.#draftTokensMax = options.draftTokensMax;
    this.#endTokens = options.endTokens;
  }

  /** @returns undefined if speculative decoding is off */
  begin(prompt: Int32Array, capacity: number): Drafter | undefined {
    return this.#mode === 'off' ? undefined : new Drafter(prompt, capacity);
  }

  /**
   * Drafts for the answers that decode in one step without prompt tokens.
   * @param tokensMax tokens for which the step still has room
   * @returns [candidates], empty for answers without a draft
   */
  next(candidates: readonly (Candidate | undefined)[], tokensMax: number): readonly Int32Array[] {
    const noDrafts: readonly Int32Array[] = candidates.map(() => noTokens);
    if (this.#mode === 'off') return noDrafts;
    const drafts = candidates.map((one) => (one === undefined ? noTokens : this.#draft(one)));
    let best = noDrafts;
    let bestRate = this.#rate(candidates, noDrafts) * (this.#mode === 'auto' ? gainMin : 0);
    // Rows of equal length share a forward pass, so all drafts of a step have one length.
    for (const length of new Set(drafts.map((tokens) => tokens.length))) {
      if (length === 0) continue;
      const plan = this.#cut(drafts, length, Math.min(tokensMax, this.#draftTokensMax));
      const rate = this.#rate(candidates, plan);
      if (rate > bestRate) [best, bestRate] = [plan, rate];
    }
    return best;
  }

  /** Records the time of a step of decoding rows, from the number of tokens of each row. */
  observe(rowTokens: readonly number[], micros: number): void {
    const [first] = rowTokens;
    if (first !== undefined && rowTokens.every((tokens) => tokens === first)) {
      this.#cost.observe(first * rowTokens.length, micros);
    }
  }

  /** Cuts the draft before an end token: no token may be sampled after it. */
  #draft({ drafter, draftTokensMax }: Candidate): Int32Array {
    const tokens = drafter.draft(draftTokensMax);
    const end = tokens.findIndex((token) => this.#endTokens.has(token));
    return end < 0 ? tokens : tokens.subarray(0, end);
  }

  #cut(drafts: readonly Int32Array[], length: number, draftTokensMax: number): Int32Array[] {
    let left = draftTokensMax;
    return drafts.map((tokens) => {
      if (tokens.length < length || left < length) return noTokens;
      left -= length;
      return tokens.subarray(0, length);
    });
  }

  /** Predicted tokens per unit of time. */
  #rate(candidates: readonly (Candidate | undefined)[], plan: readonly Int32Array[]): number {
    const drafted = plan.filter(({ length }) => length > 0);
    const accepted = plan.reduce(
      (sum, { length }, index) => sum + (candidates[index]?.drafter.expectedAccepted(length) ?? 0),
      0,
    );
    const tokens = plan.length + accepted;
    if (this.#mode === 'on') return tokens;
    const length = drafted[0]?.length ?? 0;
    const [first, second] =
      drafted.length === plan.length
        ? [this.#cost.estimate(plan.length * (1 + length)), 0]
        : [this.#cost.estimate(plan.length), length === 0 ? 0 : this.#cost.estimate(drafted.length * length)];
    // Without a measured plain step there is no baseline.
    if (first === undefined || second === undefined) return 0;
    return tokens / (first + second);
  }
}

const noTokens = new Int32Array(0);
