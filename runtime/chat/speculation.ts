/**
 * Speculative decoding: decides when to verify draft tokens, how many, and where they come from: prompt lookup, whose drafts
 * are free, or a draft model, which computes them. A draft costs rows in the next forward pass and gains one token per
 * accepted draft token; rejected draft tokens do not change the answer. Pure.
 */
import { withoutImages } from './prompt-kinds.ts';
import { PromptLookup } from './prompt-lookup.ts';
import { StepCost } from './step-cost.ts';
import { TrialBudget } from './trial-budget.ts';

/** `auto` uses drafts if past acceptance rates and step times predict more tokens per second. */
export type PromptLookupMode = 'auto' | 'on' | 'off';
/** The same for a draft model; `on` is for tests and benches. */
export type DraftModelMode = 'auto' | 'on';

const draftTokensFirst = 4;
/** Maximum draft tokens per answer and step. */
export const draftTokensMax = 16;
/** Initial estimate of the acceptance rate, and the weight of the newest outcome. */
const acceptanceRateFirst = 0.7;
const newestWeight = 0.1;
/** Weight per token with which an estimate returns to its initial value, so that an answer is tried again after a while. */
const forgettingWeight = 0.005;
/** After a draft whose first token was rejected, an answer pauses for this many tokens; the pause doubles up to a maximum. */
const pauseTokensFirst = 2;
const pauseTokensMax = 64;
/** Minimum predicted gain of drafts over a plain step; a smaller gain is noise. */
const gainMin = 1.1;
/** An answer is assumed to have at most this many tokens left when a draft model would have to read its prompt first. */
const tokensLeftMax = 256;

/** Running estimate of the share of draft tokens that are accepted. */
class Acceptance {
  #rate = acceptanceRateFirst;

  /** Expected number of accepted tokens of a draft of `count` tokens. */
  expected(count: number): number {
    const p = this.#rate;
    return (p * (1 - p ** count)) / (1 - p);
  }

  /** Records that the first `accepted` of `count` draft tokens were accepted. */
  record(count: number, accepted: number): void {
    for (let index = 0; index < accepted; index += 1) this.#blend(1, newestWeight);
    if (accepted < count) this.#blend(0, newestWeight);
  }

  forget(): void {
    this.#blend(acceptanceRateFirst, forgettingWeight);
  }

  #blend(outcome: number, weight: number): void {
    this.#rate = Math.min(0.98, this.#rate + weight * (outcome - this.#rate));
  }
}

/** Proposes draft tokens for one answer, and records which were accepted. */
export class Drafter {
  readonly #lookup: PromptLookup | undefined;
  readonly #lookedUp = new Acceptance();
  readonly #modelled = new Acceptance();
  /** Length of the next draft from prompt lookup: grows while all draft tokens are accepted. */
  #draftTokens = draftTokensFirst;
  #pauseLength = pauseTokensFirst;
  #pause = 0;

  /** @param capacity maximum tokens of prompt and answer together */
  constructor(prompt: Int32Array, capacity: number, { looksUp = true }: { looksUp?: boolean } = {}) {
    this.#lookup = looksUp ? new PromptLookup(prompt, capacity) : undefined;
  }

  push(token: number): void {
    this.#lookup?.push(token);
    this.#modelled.forget();
    if (this.#pause > 0) this.#pause -= 1;
  }

  /** A draft from prompt lookup. */
  draft(tokensMax: number): Int32Array {
    if (this.#pause > 0 || this.#lookup === undefined) return noTokens;
    return this.#lookup.draft(Math.min(this.#draftTokens, tokensMax));
  }

  /** Expected number of accepted tokens of a draft of `count` tokens. */
  expectedAccepted(count: number, source: DraftSourceKind = 'prompt'): number {
    return (source === 'prompt' ? this.#lookedUp : this.#modelled).expected(count);
  }

  /** Records that the first `accepted` of `count` draft tokens were accepted. */
  record(count: number, accepted: number, source: DraftSourceKind = 'prompt'): void {
    if (source === 'model') {
      this.#modelled.record(count, accepted);
      return;
    }
    this.#lookedUp.record(count, accepted);
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
    this.#lookup?.clear();
  }
}

export type DraftSourceKind = 'prompt' | 'model';

/** An answer for which drafts are allowed. */
export interface Candidate {
  readonly drafter: Drafter;
  /** Maximum draft tokens that the answer has room for. */
  readonly draftTokensMax: number;
  /** Tokens of the answer that the draft model would have to read first; undefined if it cannot draft for it. */
  readonly unread?: number | undefined;
}

/** What the decision needs to know of a draft model. */
export interface DraftModelCosts {
  /** Answers for which it can draft at the same time. */
  readonly sequences: number;
  /** Microseconds per token that it reads, and of a pass that drafts one token for each of `rows` answers. */
  readonly readMicros: number;
  passMicros(rows: number): number;
}

/** The drafts of one step, from one source. */
export interface StepDrafts {
  /** [candidates] Draft tokens from prompt lookup; empty for answers without a draft. */
  readonly tokens: readonly Int32Array[];
  /** Draft tokens that the draft model computes for each answer instead; 0: none. */
  readonly modelTokens: number;
}

export interface SpeculationOptions {
  readonly mode: PromptLookupMode;
  /** Maximum draft tokens of one step, over all answers. */
  readonly draftTokensMax: number;
  readonly endTokens: ReadonlySet<number>;
  readonly draftModel?: { readonly costs: DraftModelCosts; readonly mode: DraftModelMode } | undefined;
}

/** A step of decoding rows. */
export interface DecodedStep {
  /** [rows] Tokens fed, draft tokens included. */
  readonly rowTokens: readonly number[];
  /** Tokens sampled, over all rows. */
  readonly sampled: number;
  readonly micros: number;
  /** Time of the draft model before the pass; 0 if it was not used. */
  readonly draftMicros: number;
}

export class Speculation {
  readonly #options: SpeculationOptions;
  readonly #mode: PromptLookupMode;
  readonly #cost = new StepCost();
  readonly #trials = new TrialBudget();

  constructor(options: SpeculationOptions) {
    this.#options = options;
    this.#mode = options.draftTokensMax > 0 ? options.mode : 'off';
  }

  get #draftModel(): SpeculationOptions['draftModel'] {
    return this.#options.draftTokensMax > 0 ? this.#options.draftModel : undefined;
  }

  /** @returns undefined if speculative decoding is off */
  begin(prompt: Int32Array, capacity: number): Drafter | undefined {
    if (this.#mode === 'off' && this.#draftModel === undefined) return undefined;
    return new Drafter(prompt, capacity, { looksUp: this.#mode !== 'off' });
  }

  /**
   * Drafts for the answers that decode in one step without prompt tokens.
   * @param tokensMax tokens for which the step still has room
   */
  next(candidates: readonly (Candidate | undefined)[], tokensMax: number): StepDrafts {
    const room = Math.min(tokensMax, this.#options.draftTokensMax);
    const noDrafts: readonly Int32Array[] = candidates.map(() => noTokens);
    let best = noDrafts;
    let bestRate = this.#rate(candidates, noDrafts) * (this.#mode === 'on' ? 0 : gainMin);
    const drafts = candidates.map((one) => (one === undefined ? noTokens : this.#draft(one)));
    // Rows of equal length share a forward pass, so all drafts of a step have one length.
    for (const length of new Set(drafts.map((tokens) => tokens.length))) {
      if (length === 0) continue;
      const plan = this.#cut(drafts, length, room);
      const rate = this.#rate(candidates, plan);
      if (rate > bestRate) [best, bestRate] = [plan, rate];
    }
    if (best !== noDrafts && this.#mode === 'on') return { tokens: best, modelTokens: 0 };
    const modelTokens = this.#modelTokens(candidates, { room, rateMin: bestRate });
    return modelTokens > 0 ? { tokens: noDrafts, modelTokens } : { tokens: best, modelTokens: 0 };
  }

  /** Records a step of decoding rows. */
  observe({ rowTokens, sampled, micros, draftMicros }: DecodedStep): void {
    const [first] = rowTokens;
    if (first === undefined) return;
    if (rowTokens.every((tokens) => tokens === first)) this.#cost.observe(first * rowTokens.length, micros);
    const plainMicros = this.#cost.estimate(rowTokens.length);
    if (plainMicros === undefined) return;
    const savedMicros = draftMicros > 0 ? (plainMicros * sampled) / rowTokens.length - micros - draftMicros : undefined;
    this.#trials.record({ plainMicros, savedMicros });
  }

  /**
   * Draft tokens to take from the draft model: only for all answers of a step, and only if they are few.
   * @param rateMin tokens per microsecond that prompt lookup promises
   */
  #modelTokens(
    candidates: readonly (Candidate | undefined)[],
    { room, rateMin }: { room: number; rateMin: number },
  ): number {
    const rows = candidates.length;
    const followed = candidates.filter((one) => one?.unread !== undefined).map((one) => one!);
    const { costs, mode } = this.#draftModel ?? {};
    if (costs === undefined || rows === 0 || followed.length < rows || rows > costs.sequences) return 0;
    const left = followed.map((one) => one.draftTokensMax);
    const tokensMax = Math.max(0, Math.min(draftTokensMax, Math.floor(room / rows), ...left));
    if (mode === 'on') return Math.min(draftTokensFirst, tokensMax);
    const plainMicros = this.#cost.estimate(rows);
    if (plainMicros === undefined) return 0;
    let [best, bestRate] = [0, Math.max(rateMin, (gainMin * rows) / plainMicros)];
    for (let count = 1; count <= tokensMax; count += 1) {
      const accepted = followed.reduce((sum, { drafter }) => sum + drafter.expectedAccepted(count, 'model'), 0);
      const micros = this.#cost.estimate(rows * (1 + count))! + count * costs.passMicros(rows);
      const rate = (rows + accepted) / micros;
      if (rate > bestRate) [best, bestRate] = [count, rate];
    }
    const unread = followed.reduce((sum, one) => sum + one.unread!, 0);
    // The two newest tokens of each answer are read with its first draft token.
    const readMicros = Math.max(0, unread - 2 * rows) * costs.readMicros;
    const tokensLeft = left.reduce((sum, tokens) => sum + Math.min(tokens, tokensLeftMax), 0);
    const savedMicros = tokensLeft * (plainMicros / rows - 1 / bestRate);
    return savedMicros > readMicros && this.#trials.allows(readMicros) ? best : 0;
  }

  /** Cuts the draft before an end token: no token may be sampled after it. */
  #draft({ drafter, draftTokensMax }: Candidate): Int32Array {
    const tokens = withoutImages(drafter.draft(draftTokensMax));
    const end = tokens.findIndex((token) => this.#options.endTokens.has(token));
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
