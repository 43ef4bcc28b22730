/**
 * Decides each step: every decoding row first, then prefill chunks up to a token budget, so that a long prompt never
 * stalls the others. Pure: no clock, no model, no text; `test/runtime/scheduler.test.ts` is its specification.
 */
import type { Sampling, Step, StepOperation, StepResult, StepRow, TokenLogprobs } from '../models/model.ts';
import { type Claim, PrefixCache, type PrefixCacheOptions } from './prefix-cache.ts';
import { FairQueue, type Queued } from './queue.ts';

export interface SchedulerOptions extends PrefixCacheOptions {
  readonly contextPerSequence: number;
  /** Most tokens one step may feed over all rows. */
  readonly stepTokensMax: number;
  readonly queuedRequestsMax: number;
  readonly endTokens: ReadonlySet<number>;
}

/** What the scheduler needs to know of a request. */
export interface Job extends Queued {
  readonly prompt: Int32Array;
  /** Whose cached prefixes it may reuse. */
  readonly salt: string;
  readonly choices: number;
  /** Most tokens per answer; the context may leave fewer. */
  readonly maxTokens: number;
  readonly sampling: Sampling;
}

/** One answer being written: a job has `choices` of them. */
export interface Answer<J extends Job = Job> {
  readonly job: J;
  readonly choice: number;
  /** Prompt tokens that were found in the cache. */
  reused: number;
  sampled: number;
  phase: 'waiting' | 'prefill' | 'decode' | 'ended';
  sequence: number;
  /** Tokens the sequence holds. */
  position: number;
  /** Drawn by the last step, not yet fed. */
  nextToken: number;
}

export interface PlannedStep<J extends Job> {
  readonly step: Step;
  /** The answers that begin with this step; their sampling must be set before it runs. */
  readonly begun: readonly Answer<J>[];
}

export interface Drawn<J extends Job> {
  readonly answer: Answer<J>;
  readonly token: number;
  readonly logprobs: TokenLogprobs | undefined;
  /** Set when this token was the answer's last. An end token is not part of the answer. */
  readonly end: 'stop' | 'length' | undefined;
}

/** Generating a token keeps a sequence busy for a whole step; feeding a prompt token does not. */
const GENERATED_TOKEN_WORK = 2;

export class Scheduler<J extends Job = Job> {
  readonly #options: SchedulerOptions;
  readonly #cache: PrefixCache;
  readonly #queue: FairQueue<J>;
  readonly #active: Answer<J>[] = [];
  /** Second and later choices: they wait until the first one's prompt is in the cache. */
  readonly #siblings: Answer<J>[] = [];
  #inFlight: readonly Answer<J>[] = [];
  #operations: StepOperation[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#cache = new PrefixCache(options);
    this.#queue = new FairQueue({ itemsMax: options.queuedRequestsMax });
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Answers that hold a sequence or wait for one behind their sibling. */
  get running(): number {
    return this.#active.length + this.#siblings.length;
  }

  /** @returns false if too many requests wait already */
  submit(job: J): boolean {
    return this.#queue.push(job);
  }

  waitingJobs(): Iterable<J> {
    return this.#queue.items();
  }

  /** Ends everything of a job. Its sequences are free after the step in flight. */
  cancel(job: J): void {
    this.#queue.remove(job);
    for (const answer of [...this.#active, ...this.#siblings]) if (answer.job === job) this.end(answer);
  }

  /** Ends one answer, for example because a stop string appeared in it. */
  end(answer: Answer<J>): void {
    if (answer.phase === 'ended') return;
    const held = answer.phase !== 'waiting';
    answer.phase = 'ended';
    if (!held) remove(this.#siblings, answer);
    else if (!this.#inFlight.includes(answer)) this.#release(answer);
  }

  /**
   * @param prefillTokens most prompt tokens to feed beside decoding rows; without any, a step may be full
   * @returns undefined if there is nothing to do
   */
  nextStep({ prefillTokens }: { prefillTokens: number }): PlannedStep<J> | undefined {
    const begun = this.#admit();
    const decoding = this.#active.filter((answer) => answer.phase === 'decode');
    const { stepTokensMax } = this.#options;
    const budget = Math.min(stepTokensMax - decoding.length, decoding.length > 0 ? prefillTokens : stepTokensMax);
    const rows = decoding.map((answer) => this.#row(answer, Int32Array.of(answer.nextToken), true));
    const fed = [...decoding];
    for (const { answer, tokens } of this.#shareOut(budget)) {
      const end = answer.position + tokens;
      const prompt = answer.job.prompt;
      rows.push(this.#row(answer, prompt.subarray(answer.position, end), end === prompt.length));
      fed.push(answer);
    }
    if (rows.length === 0 && this.#operations.length === 0) return undefined;
    this.#inFlight = fed;
    const operations = this.#operations;
    this.#operations = [];
    return { step: { operations, rows }, begun };
  }

  /** Takes in what the step drew. Answers that end give their sequence back. */
  complete(step: Step, result: StepResult): Drawn<J>[] {
    const answers = this.#inFlight;
    this.#inFlight = [];
    const drawn: Drawn<J>[] = [];
    let draw = 0;
    step.rows.forEach((row, index) => {
      const answer = answers[index]!;
      const work = answer.phase === 'decode' ? GENERATED_TOKEN_WORK : row.tokens.length;
      this.#queue.charge(answer.job.account, work);
      const token = row.sample ? result.tokens[draw] : undefined;
      const logprobs = row.sample ? result.logprobs[draw++] : undefined;
      if (answer.phase === 'ended') this.#release(answer);
      else if (token !== undefined) drawn.push(this.#draw(answer, token, logprobs));
    });
    return drawn;
  }

  /** The step failed: whatever took part in it is lost. @returns the answers to report as failed */
  fail(): Answer<J>[] {
    const lost = this.#inFlight.filter((answer) => answer.phase !== 'ended');
    for (const answer of this.#inFlight) {
      answer.phase = 'ended';
      remove(this.#active, answer);
      this.#operations.push(this.#cache.discard(answer.sequence));
    }
    this.#inFlight = [];
    return lost;
  }

  /** Gives idle sequences to siblings whose prompt is ready, then to the queue. */
  #admit(): Answer<J>[] {
    const begun: Answer<J>[] = [];
    const begin = (answer: Answer<J>) => {
      const claim = this.#cache.claim(answer.job.prompt, answer.job.salt);
      if (claim === undefined) throw new Error('a sequence was idle and could not be claimed');
      this.#begin(answer, claim);
      begun.push(answer);
    };
    for (const sibling of [...this.#siblings]) {
      if (this.#cache.idleSequences === 0) return begun;
      if (!this.#isReadyToFork(sibling.job)) continue;
      remove(this.#siblings, sibling);
      begin(sibling);
    }
    while (this.#cache.idleSequences > 0) {
      const job = this.#queue.take();
      if (job === undefined) break;
      const [first, ...others] = Array.from({ length: job.choices }, (_, choice) => newAnswer(job, choice));
      begin(first!);
      this.#siblings.push(...others);
    }
    return begun;
  }

  #begin(answer: Answer<J>, claim: Claim): void {
    answer.sequence = claim.sequence;
    answer.reused = claim.reused;
    answer.position = claim.reused;
    answer.phase = 'prefill';
    this.#active.push(answer);
    this.#operations.push(...claim.operations);
  }

  /** Whether the part of a job's prompt that its siblings copy, all but its last token, is in a sequence. */
  #isReadyToFork(job: J): boolean {
    const isAhead = ({ phase, position }: Answer<J>) => phase !== 'prefill' || position >= job.prompt.length - 1;
    return this.#active.every((answer) => answer.job !== job || isAhead(answer));
  }

  /**
   * Prompt tokens to feed before the next pause. A state that cannot be cut back must be copied before the last prompt
   * token is in it, which every sibling feeds itself; so the first answer stops there for one step.
   */
  #left({ job, position }: Answer<J>): number {
    const left = job.prompt.length - position;
    const forks = !this.#options.canTrim && this.#siblings.some((sibling) => sibling.job === job);
    return forks && left > 1 ? left - 1 : left;
  }

  /**
   * Splits the prefill budget. The prompt that began first always gets a quarter, so that a long one cannot starve;
   * the rest goes to those with least left, so that a short one does not wait behind it. Only a prompt that is longer
   * than the whole budget is cut: rows of unequal length cost a pass each, and a remainder one more in the next step.
   */
  #shareOut(budget: number): { answer: Answer<J>; tokens: number }[] {
    const left = (answer: Answer<J>) => this.#left(answer);
    const prefilling = this.#active.filter((answer) => answer.phase === 'prefill');
    const oldest = prefilling[0];
    if (oldest === undefined || budget <= 0) return [];
    const quarter = Math.ceil(budget / 4);
    const share = new Map([[oldest, left(oldest) <= budget ? left(oldest) : quarter]]);
    let rest = budget - share.get(oldest)!;
    for (const answer of [...prefilling].sort((a, b) => left(a) - left(b))) {
      const taken = share.get(answer) ?? 0;
      const needed = left(answer) - taken;
      const isWorthCutting = left(answer) > budget && rest + taken >= quarter;
      const more = needed <= rest ? needed : isWorthCutting ? rest : 0;
      if (more > 0) share.set(answer, taken + more);
      rest -= more;
    }
    return [...share].map(([answer, tokens]) => ({ answer, tokens }));
  }

  #row(answer: Answer<J>, tokens: Int32Array, sample: boolean): StepRow {
    const row = { sequence: answer.sequence, position: answer.position, tokens, sample };
    answer.position += tokens.length;
    this.#cache.append(answer.sequence, tokens);
    return row;
  }

  #draw(answer: Answer<J>, token: number, logprobs: TokenLogprobs | undefined): Drawn<J> {
    answer.phase = 'decode';
    answer.nextToken = token;
    const isEnd = this.#options.endTokens.has(token);
    if (!isEnd) answer.sampled += 1;
    const isFull = answer.sampled >= answer.job.maxTokens || answer.position >= this.#options.contextPerSequence;
    const end = isEnd ? 'stop' : isFull ? 'length' : undefined;
    if (end !== undefined) this.end(answer);
    return { answer, token, logprobs, end };
  }

  #release(answer: Answer<J>): void {
    remove(this.#active, answer);
    this.#cache.release(answer.sequence);
  }
}

function newAnswer<J extends Job>(job: J, choice: number): Answer<J> {
  return { job, choice, reused: 0, sampled: 0, phase: 'waiting', sequence: 0, position: 0, nextToken: 0 };
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}
