/** The engine loop, in the model's thread. Each step starts before the tokens of the last one are detokenized. */
import type { ChatMessage, TextModel, TextModelInfo } from '@cloister/models/interface/model';
import { toCodedMessage } from '../pool/coded-message.ts';
import { answerFailed, cancelled, draining, outOfTime, queueFull, toComputeError } from '../pool/errors.ts';
import { Preparations } from '../pool/preparations.ts';
import type { Answer, PlannedStep, Sampled } from './answer.ts';
import { runCanary } from './canary.ts';
import { type ChatJob, countEvents, prepareJob } from './chat-job.ts';
import type { DraftModel } from './draft-model.ts';
import { addStep, emptyEngineStats, emptyTotals, memoryStats } from './engine-stats.ts';
import { PrefillPace } from './prefill-pace.ts';
import { reuseTokensMin } from './prefix-cache.ts';
import type { EngineStats, PinnedPrefix, PrefixOptions, PromptRequest } from './request.ts';
import { runStep, type StepOutcome, type StepRunner } from './run-step.ts';
import { Scheduler } from './scheduler.ts';
import { sharedPrefix } from './shared-prefix.ts';
import type { DraftModelMode, PromptLookupMode } from './speculation.ts';
import type { RequestEvent } from './worker-messages.ts';

export interface EngineOptions {
  readonly model: TextModel;
  readonly queuedRequestsMax: number;
  /** Host memory for cached prefixes. */
  readonly prefixCacheBytes: number;
  readonly promptLookup: PromptLookupMode;
  /** Closed together with the model. */
  readonly draft?: { readonly model: DraftModel; readonly mode: DraftModelMode } | undefined;
  /** Called with the events of each step, in order. */
  readonly emit: (events: readonly RequestEvent[], stats: EngineStats) => void;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #info: TextModelInfo;
  readonly #scheduler: Scheduler<ChatJob>;
  readonly #runner: StepRunner;
  readonly #pace: PrefillPace;
  readonly #jobs = new Map<number, ChatJob>();
  readonly #preparations: Preparations;
  /** Requests that are being rendered and tokenized, with their abort controllers. */
  readonly #preparing = new Map<number, AbortController>();
  readonly #totals = emptyTotals();
  #events: RequestEvent[] = [];
  #emittedStats: EngineStats = emptyEngineStats;
  #canary: PromiseWithResolvers<void> | undefined;
  #wake: (() => void) | undefined;
  #state: 'open' | 'draining' | 'closed' = 'open';
  readonly #finished: Promise<void>;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#info = options.model.info;
    this.#scheduler = new Scheduler<ChatJob>({
      ...this.#info,
      promptLookup: options.promptLookup,
      draft: options.draft,
      queuedRequestsMax: options.queuedRequestsMax,
      stateBytesMax: options.prefixCacheBytes,
    });
    this.#preparations = new Preparations({
      slowMax: this.#info.preparationThreads,
      onLeft: () => this.#wakeUp(),
    });
    this.#pace = new PrefillPace(this.#info);
    this.#runner = { model: options.model, draftModel: options.draft?.model, now: options.now };
    this.#finished = this.#run();
  }

  /** Accepts a request; all its events, errors included, go to `emit`. */
  async submit(id: number, request: PromptRequest): Promise<void> {
    const arrival = this.#options.now();
    const ended = new AbortController();
    this.#preparing.set(id, ended);
    const timer = setTimeout(() => ended.abort(outOfTime()), request.timeoutMs);
    try {
      this.#requireOpen();
      // Also checked before rendering, so that a request that will be refused takes no time from others.
      this.#requireRoom(request);
      const task = { id, request, arrival, signal: ended.signal };
      const preparing = prepareJob(task, { model: this.#options.model, preparations: this.#preparations });
      this.#wakeUp(); // So that an idle engine reports the preparation in its gauges.
      const job = await preparing;
      if (!this.#preparing.has(id)) return; // Cancelled meanwhile.
      if (job.choices === 0) {
        this.#events.push(...countEvents(job, request, this.#info.vocabulary));
        return this.#flush();
      }
      this.#requireRoom(request);
      this.#scheduler.submit(job);
      this.#jobs.set(id, job);
    } catch (error) {
      if (!this.#preparing.has(id)) return; // The function that removed it has reported the error.
      this.#addError(id, error);
      this.#flush();
    } finally {
      clearTimeout(timer);
      this.#preparing.delete(id);
      this.#wakeUp();
    }
  }

  /** Ends a request whose caller has left. Emits no event. */
  cancel(id: number): void {
    const preparing = this.#preparing.get(id);
    this.#preparing.delete(id);
    preparing?.abort(cancelled());
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    this.#scheduler.cancel(job);
    this.#wakeUp();
  }

  /**
   * Computes the common prefix of all chats that begin with these messages and keeps it for all accounts until the engine
   * ends. A prefix of fewer than 16 tokens is not kept.
   * @throws {RuntimeError} ERR_MEMORY_BUDGET, ERR_CONTEXT_OVERFLOW, ERR_DRAINING, and errors of the model's template
   */
  async pinPrefix(messages: readonly ChatMessage[], options: PrefixOptions = {}): Promise<PinnedPrefix> {
    const started = this.#options.now();
    try {
      this.#requireOpen();
      const tokens = await sharedPrefix(this.#options.model, messages, options);
      this.#requireOpen();
      const isWorthIt = tokens.length >= reuseTokensMin;
      const { computed } = isWorthIt ? await this.#pin(tokens) : { computed: 0 };
      const ms = this.#options.now() - started;
      return { tokens: isWorthIt ? tokens.length : 0, computedTokens: computed, ms };
    } catch (error) {
      throw toComputeError(error);
    }
  }

  /** Resolves when a step has completed: a step of the running work, or of the canary if the engine is idle. @throws the canary's error */
  canary(): Promise<void> {
    this.#canary ??= Promise.withResolvers<void>();
    this.#wakeUp();
    return this.#canary.promise;
  }

  /** Refuses new requests and resolves when the last one has finished and the model is freed. */
  drain(): Promise<void> {
    if (this.#state === 'open') this.#state = 'draining';
    this.#scheduler.cancelPins(draining());
    this.#wakeUp();
    return this.#finished;
  }

  /** Like `drain`, but ends running requests with ERR_DRAINING. */
  stop(): Promise<void> {
    this.#state = 'closed';
    this.#scheduler.cancelPins(draining());
    for (const id of [...this.#preparing.keys(), ...this.#jobs.keys()]) this.#fail(id, draining());
    this.#flush();
    this.#wakeUp();
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { model, now } = this.#options;
    let drawn: readonly Sampled<ChatJob>[] = [];
    let scriptStart = now();
    while (true) {
      this.#expire();
      const planned = this.#scheduler.nextStep({ prefillTokens: this.#pace.chunkTokens });
      const running = planned === undefined ? undefined : runStep(planned, this.#runner);
      const started = now();
      this.#totals.scriptMs += started - scriptStart;
      this.#emitTokens(drawn);
      drawn = [];
      if (planned === undefined && this.#isDone()) break;
      this.#emitStats();
      if (planned === undefined || running === undefined) {
        if (this.#scheduler.running === 0) model.endSampling();
        if (this.#canary === undefined) await this.#sleep();
        else await this.#runCanary();
        scriptStart = now();
        continue;
      }
      drawn = await this.#finish(planned, running);
      scriptStart = now();
    }
    await Promise.all([model.close(), this.#runner.draftModel?.close()]);
  }

  async #finish(planned: PlannedStep<ChatJob>, running: Promise<StepOutcome>): Promise<Sampled<ChatJob>[]> {
    const outcome = await running;
    if (outcome.kind === 'failed') {
      for (const answer of this.#scheduler.fail(outcome.error)) this.#fail(answer.job.id, outcome.error);
      this.#flush();
      return [];
    }
    this.#canary?.resolve();
    this.#canary = undefined;
    const { step, result, draftTokens, draftMicros } = outcome;
    const fed = step.rows.reduce((sum, row) => sum + row.tokens.length, 0);
    // Only steps without prompt tokens have draft tokens, so these steps contain no measurement of prefill.
    const prefillTokens = fed - planned.decodeRows - draftTokens;
    if (draftTokens === 0)
      this.#pace.observe({ decodeRows: planned.decodeRows, prefillTokens, micros: result.decodeMicros });
    addStep(this.#totals, result, { draftTokens });
    const { drawn, failed } = this.#scheduler.complete(step, result, draftMicros);
    for (const { answer, failure } of failed) this.#fail(answer.job.id, answerFailed(failure));
    return drawn;
  }

  /** Detokenizes the sampled tokens and emits all events in one message. */
  #emitTokens(drawn: readonly Sampled<ChatJob>[]): void {
    for (const { answer, token, logprobs, end } of drawn) {
      const { job, choice } = answer;
      if (!this.#jobs.has(job.id)) continue;
      this.#emitStarted(job, answer);
      const reader = job.readers[choice]!;
      if (reader.finished) continue; // A stop string ended the answer before an accepted draft token.
      if (end !== 'stop') this.#totals.completionTokens += 1;
      const stopped = end === 'stop' ? false : reader.push(token, logprobs);
      if (stopped) this.#scheduler.end(answer);
      const finish = stopped ? 'stop' : end;
      if (finish !== undefined) reader.finish(finish);
      for (const event of reader.take()) this.#events.push({ id: job.id, event });
      if (finish !== undefined) this.#finishChoice(job);
    }
    this.#flush();
  }

  #emitStarted(job: ChatJob, answer: Answer<ChatJob>): void {
    if (job.started) return;
    job.started = true;
    this.#totals.promptTokens += job.prompt.length;
    this.#totals.cachedPromptTokens += answer.reused;
    this.#totals.sharedPromptTokens += answer.shared;
    const event = {
      kind: 'started',
      promptTokens: job.prompt.length,
      cachedTokens: answer.reused,
      queuedMs: job.begun - job.arrival,
    } as const;
    this.#events.push({ id: job.id, event });
  }

  #finishChoice(job: ChatJob): void {
    job.unfinished -= 1;
    if (job.unfinished > 0) return;
    this.#jobs.delete(job.id);
    this.#events.push({ id: job.id, event: { kind: 'done' } });
  }

  async #runCanary(): Promise<void> {
    const canary = this.#canary;
    await runCanary(this.#options.model, this.#scheduler.spareSequence).then(canary?.resolve, canary?.reject);
    this.#canary = undefined;
  }

  #pin(tokens: Int32Array): Promise<{ readonly computed: number }> {
    return new Promise((onPinned, onFailed) => {
      this.#scheduler.pin({ tokens, onPinned, onFailed });
      this.#wakeUp();
    });
  }

  #requireOpen(): void {
    if (this.#state !== 'open') throw draining();
  }

  /** An account with nothing in the queue may enter until the queue is twice its length, so that others cannot lock it out. */
  #requireRoom({ account }: PromptRequest): void {
    const { waitingMax } = this.#scheduler;
    const waiting = this.#scheduler.waiting + this.#preparations.length;
    const own = this.#scheduler.waitingOf(account) + this.#preparations.lengthOf(account);
    if (waiting < (own === 0 ? 2 : 1) * waitingMax) return;
    throw queueFull(waiting);
  }

  #expire(): void {
    const now = this.#options.now();
    for (const job of this.#jobs.values()) {
      if (job.deadline <= now) this.#fail(job.id, outOfTime());
    }
  }

  #fail(id: number, error: unknown): void {
    this.cancel(id);
    this.#addError(id, error);
  }

  #addError(id: number, error: unknown): void {
    this.#events.push({ id, event: { kind: 'error', error: toCodedMessage(toComputeError(error)) } });
  }

  #flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#emit(events);
  }

  /** Cancelled work and steps that only feed prompts emit no event; without this call, the gauges would not change with them. */
  #emitStats(): void {
    const { stats } = this;
    const emitted = this.#emittedStats;
    const gauges = ['preparing', 'running', 'waiting', 'promptTokensLeft', 'cachedStateBytes'] as const;
    if (gauges.some((name) => stats[name] !== emitted[name])) this.#emit([]);
  }

  #emit(events: readonly RequestEvent[]): void {
    this.#emittedStats = this.stats;
    this.#options.emit(events, this.#emittedStats);
  }

  get stats(): EngineStats {
    const { running, waiting, promptTokensLeft, cached } = this.#scheduler;
    const memory = memoryStats(cached, this.#info);
    return { preparing: this.#preparations.length, running, waiting, promptTokensLeft, ...memory, ...this.#totals };
  }

  #isDone(): boolean {
    if (this.#state === 'open') return false;
    // A cancelled preparation uses the model until its thread notices.
    const isPreparing = this.#preparing.size > 0 || this.#preparations.length > 0;
    return this.#jobs.size === 0 && !isPreparing && this.#scheduler.pinning === 0;
  }

  /** Waits for work. No job runs meanwhile, so no deadline of a running job can be missed. */
  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
