/**
 * Plans each step: every decoding row first, then prefill chunks up to a token budget, so that a long prompt does not
 * stall other answers. Pure: no clock, no model, no text; `test/runtime/chat/scheduler.test.ts` is its specification.
 */
import type { Step, StepResult, StepRow } from '@cloister/models/interface/model';
import { FairQueue } from '../pool/queue.ts';
import { type Answer, type Failed, type Feed, type Job, newAnswer, type PlannedStep, type Sampled } from './answer.ts';
import { AnswerDrafts } from './answer-drafts.ts';
import type { SpareSequence } from './canary.ts';
import { type Pin, PinQueue } from './pin-queue.ts';
import { dividePrefill } from './prefill-share.ts';
import { type Claim, PrefixCache } from './prefix-cache.ts';
import { PromptBacklog } from './prompt-backlog.ts';
import { tokensOfOneKind } from './prompt-kinds.ts';
import { generatedTokenWork, moveTokensMin, type SchedulerOptions } from './scheduler-options.ts';
import { SharedPrefill } from './shared-prefill.ts';
import { Siblings } from './siblings.ts';
import { StepOperations } from './step-operations.ts';

export class Scheduler<J extends Job = Job> {
  readonly #options: SchedulerOptions;
  readonly #cache: PrefixCache;
  readonly #queue = new FairQueue<J>();
  readonly #pins: PinQueue;
  readonly #drafts: AnswerDrafts;
  readonly #sharedPrefill = new SharedPrefill<J>((answer) => {
    this.#take(answer, this.#cache.extend(answer.sequence, answer.job.prompt));
  });
  readonly #active: Answer<J>[] = [];
  readonly #siblings = new Siblings<J>();
  readonly #operations = new StepOperations();
  readonly #backlog = new PromptBacklog();
  /** [rows of the step in flight]; undefined if the row feeds a pin */
  #inFlight: readonly (Answer<J> | undefined)[] = [];

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#cache = new PrefixCache(options);
    this.#pins = new PinQueue(this.#cache);
    this.#drafts = new AnswerDrafts(options);
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Answers that have a sequence, or wait for the first choice of their job. */
  get running(): number {
    return this.#active.length + this.#siblings.length;
  }

  /** Prompt tokens that no completed step has computed. */
  get promptTokensLeft(): number {
    return this.#backlog.tokens(this.#active);
  }

  /** Prefixes that are not pinned yet. */
  get pinning(): number {
    return this.#pins.length;
  }

  /** What the cache holds, for statistics. */
  get cached(): Pick<PrefixCache, 'stateBytes' | 'busyTokens'> {
    return this.#cache;
  }

  /** The sequence for a canary; undefined while pending operations could change it. */
  get spareSequence(): SpareSequence | undefined {
    return this.#operations.isEmpty ? this.#cache.spareSequence(this.#options.contextPerSequence) : undefined;
  }

  /** Pins a prefix. It is computed before waiting requests, because it shortens their prefill. */
  pin(pin: Pin): void {
    this.#pins.push(pin);
  }

  /** Fails pins that have not started. */
  cancelPins(error: unknown): void {
    this.#pins.cancelAll(error);
  }

  /** Maximum waiting jobs; a job for which a sequence is idle does not count as waiting. */
  get waitingMax(): number {
    return this.#options.queuedRequestsMax + this.#cache.idleSequences;
  }

  waitingOf(account: string): number {
    return this.#queue.lengthOf(account);
  }

  /** Queues a job. The caller checks that at most `waitingMax` wait. */
  submit(job: J): void {
    this.#queue.push(job);
    this.#backlog.join(job);
  }

  /** Ends all answers of a job. Its sequences are released after the step in flight. */
  cancel(job: J): void {
    if (this.#queue.remove(job)) this.#backlog.leave(job);
    for (const answer of [...this.#siblings.of(job), ...this.#active]) if (answer.job === job) this.end(answer);
  }

  /** Ends one answer, for example because it contains a stop string. */
  end(answer: Answer<J>): void {
    if (answer.phase === 'ended') return;
    const hadSequence = answer.phase !== 'waiting';
    answer.phase = 'ended';
    if (!hadSequence) this.#siblings.remove(answer);
    else if (!this.#inFlight.includes(answer)) this.#release(answer);
  }

  /**
   * @param prefillTokens maximum prompt tokens to feed alongside decoding rows; without decoding rows, a step may be full
   * @returns undefined if there is no work
   */
  nextStep({ prefillTokens }: { prefillTokens: number }): PlannedStep<J> | undefined {
    this.#operations.push(...this.#pins.begin());
    const begun = this.#admit();
    if (begun.length === 0) this.#closeGap();
    const decoding = this.#active.filter((answer) => answer.phase === 'decode');
    const room = this.#options.stepTokensMax - decoding.length;
    const prefill = this.#prefillRows(Math.min(room, decoding.length > 0 ? prefillTokens : room), room);
    const planned = [...decoding.map((answer) => this.#decodeRow(answer)), ...prefill];
    if (planned.length === 0 && !this.#operations.areDue) return undefined;
    // llama.cpp computes rows in one forward pass only if their sequence numbers are consecutive and ascending.
    planned.sort((a, b) => a.row.sequence - b.row.sequence);
    this.#inFlight = planned.map(({ answer }) => answer);
    this.#backlog.feed(prefill);
    return {
      step: { operations: this.#operations.take(), rows: planned.map(({ row }) => row) },
      begun,
      decodeRows: decoding.length,
      ...this.#drafts.plan(decoding, {
        room: prefill.length > 0 ? 0 : room,
        tokensOf: ({ sequence }) => this.#cache.tokensOf(sequence),
      }),
    };
  }

  /**
   * Applies the result of the step. Answers that end release their sequence.
   * @param step the planned step, with drafts · @param draftMicros time of the draft model; 0 if it was not used
   */
  complete(step: Step, result: StepResult, draftMicros = 0): { drawn: Sampled<J>[]; failed: Failed<J>[] } {
    const answers = this.#inFlight;
    this.#inFlight = [];
    this.#backlog.endStep();
    this.#operations.complete();
    if (answers.every((answer) => answer?.phase === 'decode')) this.#drafts.observe(step, result, draftMicros);
    const [drawn, failed]: [Sampled<J>[], Failed<J>[]] = [[], []];
    let [drawingRow, at] = [0, 0];
    step.rows.forEach((row, index) => {
      const [count = 0, failure] = row.sample ? [result.drawn[drawingRow], result.failures.get(drawingRow++)] : [];
      const answer = answers[index];
      if (answer === undefined) this.#operations.push(...this.#pins.complete());
      else if (failure !== undefined) {
        if (this.#endFailed(answer)) failed.push({ answer, failure });
        this.#operations.push(this.#cache.discard(answer.sequence));
      } else drawn.push(...this.#applyRow(answer, row, { result, at, count }));
      at += count;
    });
    return { drawn, failed };
  }

  /**
   * Handles a failed step: ends all answers that took part in it, including those for which it only copied a cached prefix.
   * @returns the answers to report as failed
   */
  fail(error: unknown): Answer<J>[] {
    const { sequences, saved } = this.#operations.fail();
    const isUnknown = (answer: Answer<J>) => this.#inFlight.includes(answer) || sequences.has(answer.sequence);
    const answers = this.#active.filter(isUnknown);
    const lost = answers.filter((answer) => this.#endFailed(answer));
    const pinning = this.#pins.sequence;
    const isPinLost = pinning !== undefined && (this.#inFlight.includes(undefined) || sequences.has(pinning));
    if (isPinLost) this.#pins.fail(error);
    const unknown = new Set([
      ...sequences,
      ...answers.map(({ sequence }) => sequence),
      ...(isPinLost ? [pinning] : []),
    ]);
    this.#operations.push(...[...unknown].map((sequence) => this.#cache.discard(sequence)));
    this.#inFlight = [];
    this.#backlog.endStep();
    this.#dropUncertainStates(saved);
    return lost;
  }

  /** Assigns idle sequences to siblings whose prompt is ready, and to queued jobs: first those of the account served least. */
  #admit(): Answer<J>[] {
    const begun: Answer<J>[] = [];
    const begin = (answer: Answer<J>) => {
      const claim = this.#cache.claim(answer.job.prompt, answer.job.salt);
      if (claim === undefined) throw new Error('no sequence could be claimed although one is idle');
      this.#begin(answer, claim);
      begun.push(answer);
    };
    while (this.#cache.idleSequences > 0) {
      const sibling = this.#siblings.take(this.#queue, (job) => this.#isReadyToFork(job));
      if (sibling !== undefined) {
        begin(sibling);
        continue;
      }
      const job = this.#queue.take();
      if (job === undefined) break;
      this.#backlog.leave(job);
      const [first, ...others] = Array.from({ length: job.choices }, (_, choice) => newAnswer(job, choice));
      begin(first!);
      this.#siblings.add(job, others);
    }
    return begun;
  }

  #begin(answer: Answer<J>, claim: Claim): void {
    answer.phase = 'prefill';
    this.#take(answer, claim);
    if (this.#options.canSplit) this.#sharedPrefill.begin(answer, this.#active);
    this.#active.push(answer);
  }

  #take(answer: Answer<J>, claim: Claim | undefined): void {
    if (claim === undefined) return;
    const { operations, ...where } = claim;
    Object.assign(answer, { ...where, position: where.reused });
    this.#operations.push(...operations);
  }

  /** Whether the part of the prompt that siblings copy (all but the last token) is in a sequence. */
  #isReadyToFork(job: J): boolean {
    const isAhead = ({ phase, position }: Answer<J>) => phase !== 'prefill' || position >= job.prompt.length - 1;
    return this.#active.every((answer) => answer.job !== job || isAhead(answer));
  }

  /**
   * Prompt tokens to feed before the next pause. A state that cannot be split must be copied before it contains the last
   * prompt token, which every sibling feeds itself. The first answer therefore pauses there for one step.
   */
  #left({ job, position }: Answer<J>): number {
    const left = tokensOfOneKind(job, position);
    const forks = !this.#options.canSplit && this.#siblings.has(job);
    return forks && left > 1 ? left - 1 : left;
  }

  /** Moves an answer to a sequence where it shares a forward pass with more answers. Waiting jobs have filled gaps before. */
  #closeGap(): void {
    const movable = new Map<number, Answer<J>>();
    for (const answer of this.#active) {
      const isLong = answer.job.maxTokens - answer.sampled >= moveTokensMin;
      if (answer.phase === 'decode' && isLong) movable.set(answer.sequence, answer);
    }
    const move = this.#cache.closeGap((sequence) => movable.has(sequence));
    if (move === undefined) return;
    movable.get(move.from)!.sequence = move.to;
    this.#operations.push(...move.operations);
  }

  #prefillRows(budget: number, budgetMax: number): Feed<J>[] {
    const prefilling = this.#sharedPrefill.fed(this.#active.filter(({ phase }) => phase === 'prefill'));
    // A pin shortens the prompts that wait for it, but must not stop other prompts.
    const pinRow = this.#pins.nextRow(prefilling.length > 0 ? Math.ceil(budget / 2) : budget);
    const pinned = pinRow?.tokens.length ?? 0;
    const shares = dividePrefill(prefilling, {
      left: (answer) => this.#left(answer),
      budget: budget - pinned,
      budgetMax: budgetMax - pinned,
    });
    const rows = shares.map(({ item: answer, tokens }) => {
      const end = answer.position + tokens;
      const { prompt } = answer.job;
      return this.#feed(answer, prompt.subarray(answer.position, end), { sample: end === prompt.length });
    });
    return pinRow === undefined ? rows : [...rows, { answer: undefined, row: pinRow }];
  }

  /** Draft tokens are appended to the row later, and to the sequence once they are accepted. */
  #decodeRow(answer: Answer<J>): Feed<J> {
    return this.#feed(answer, Int32Array.of(answer.nextToken), { sample: true });
  }

  #feed(answer: Answer<J>, tokens: Int32Array, how: Pick<StepRow, 'sample'>): Feed<J> {
    const { sequence, position, job } = answer;
    const row = { sequence, adapter: job.adapter ?? 0, position, tokens, ...how };
    answer.position += tokens.length;
    this.#cache.append(answer.sequence, tokens);
    return { answer, row };
  }

  #applyRow(answer: Answer<J>, row: StepRow, drawn: { result: StepResult; at: number; count: number }): Sampled<J>[] {
    const { result, at, count } = drawn;
    const draftTokens = row.guesses ?? 0;
    if (draftTokens > 0) {
      answer.position += count - 1;
      this.#cache.append(answer.sequence, row.tokens.subarray(1, count));
    }
    const work = answer.phase === 'decode' ? generatedTokenWork * count : row.tokens.length;
    this.#queue.charge(answer.job.account, work);
    if (answer.phase === 'ended') {
      this.#release(answer);
      return [];
    }
    if (draftTokens > 0) this.#drafts.record(answer, draftTokens, count - 1);
    return Array.from({ length: count }, (_, index) => {
      const isLast = index === count - 1;
      return this.#add(answer, { token: result.tokens[at + index]!, logprobs: result.logprobs[at + index], isLast });
    });
  }

  #add(answer: Answer<J>, { token, logprobs, isLast }: Pick<Sampled<J>, 'token' | 'logprobs'> & { isLast: boolean }) {
    const { contextPerSequence, endTokens } = this.#options;
    answer.phase = 'decode';
    answer.nextToken = token;
    this.#drafts.push(answer, token);
    const isEnd = endTokens.has(token);
    if (!isEnd) answer.sampled += 1;
    const isFull = answer.sampled >= answer.job.maxTokens || (isLast && answer.position >= contextPerSequence);
    const end: Sampled<J>['end'] = isEnd ? 'stop' : isFull ? 'length' : undefined;
    if (end !== undefined) this.end(answer);
    return { answer, token, logprobs, end };
  }

  /** Ends an answer whose sequence will be cleared. @returns whether the answer was still running */
  #endFailed(answer: Answer<J>): boolean {
    const isExpected = answer.phase !== 'ended';
    answer.phase = 'ended';
    this.#forget(answer);
    return isExpected;
  }

  #release(answer: Answer<J>): void {
    this.#forget(answer);
    this.#cache.release(answer.sequence);
  }

  #forget(answer: Answer<J>): void {
    const index = this.#active.indexOf(answer);
    if (index >= 0) this.#active.splice(index, 1);
    this.#sharedPrefill.forget(answer);
    this.#drafts.forget(answer);
  }

  /** Drops states that a failed step may not have saved. Pinned prefixes are fed again. */
  #dropUncertainStates(saved: readonly number[]): void {
    const { operations, pinned } = this.#cache.lose(saved);
    this.#operations.push(...operations);
    for (const tokens of pinned) this.#pins.push({ tokens, onPinned: () => undefined, onFailed: () => undefined });
  }
}
