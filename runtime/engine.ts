/**
 * The loop that keeps a text model busy: schedule, run, take in, tell. Lives in the model's own thread.
 * The next step starts before the text of the last one is put together, so JavaScript works while the model computes.
 */
import type { Step, TextModel, TextModelInfo } from '../models/model.ts';
import { AnswerReader } from './answer-reader.ts';
import { RuntimeError } from './errors.ts';
import { PrefillPace } from './prefill-pace.ts';
import type { ChatRequest, EngineStats } from './request.ts';
import { type Answer, type Drawn, type Job, type PlannedStep, Scheduler } from './scheduler.ts';
import { type RequestEvent, toCodedMessage } from './worker-messages.ts';

export interface EngineOptions {
  readonly model: TextModel;
  readonly queuedRequestsMax: number;
  /** Host memory for cached prefixes. */
  readonly prefixCacheBytes: number;
  /** Hears of every step's events, in order. */
  readonly emit: (events: readonly RequestEvent[], stats: EngineStats) => void;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

interface ChatJob extends Job {
  readonly id: number;
  readonly arrival: number;
  readonly deadline: number;
  readonly readers: readonly AnswerReader[];
  /** When its first answer was given a sequence. */
  begun: number;
  started: boolean;
  unfinished: number;
}

/** A guess at how long a full queue takes to move, for `Retry-After`. */
const RETRY_AFTER_SECONDS = 5;

export class Engine {
  readonly #options: EngineOptions;
  readonly #info: TextModelInfo;
  readonly #scheduler: Scheduler<ChatJob>;
  readonly #pace: PrefillPace;
  readonly #jobs = new Map<number, ChatJob>();
  /** Requests still being rendered and tokenised. */
  readonly #preparing = new Set<number>();
  readonly #totals = {
    promptTokens: 0,
    cachedPromptTokens: 0,
    completionTokens: 0,
    steps: 0,
    decodeMs: 0,
    sampleMs: 0,
    scriptMs: 0,
  };
  #events: RequestEvent[] = [];
  #wake: (() => void) | undefined;
  #state: 'open' | 'draining' | 'closed' = 'open';
  readonly #finished: Promise<void>;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#info = options.model.info;
    const { sequences, contextPerSequence, stepTokensMax, endTokens, stateBytesFixed, stateBytesPerToken, canTrim } =
      this.#info;
    this.#scheduler = new Scheduler<ChatJob>({
      sequences,
      contextPerSequence,
      stepTokensMax,
      endTokens,
      stateBytesFixed,
      stateBytesPerToken,
      canTrim,
      queuedRequestsMax: options.queuedRequestsMax,
      stateBytesMax: options.prefixCacheBytes,
    });
    this.#pace = new PrefillPace({ stepTokensMax });
    this.#finished = this.#run();
  }

  /** Takes a request in; whatever becomes of it is told through `emit`. */
  async submit(id: number, request: ChatRequest): Promise<void> {
    const arrival = this.#options.now();
    this.#preparing.add(id);
    try {
      if (this.#state !== 'open') throw new RuntimeError('ERR_DRAINING', 'the service is stopping');
      const job = await this.#prepare(id, request, arrival);
      if (!this.#preparing.has(id)) return; // Cancelled meanwhile.
      if (!this.#scheduler.submit(job)) {
        throw new RuntimeError('ERR_QUEUE_FULL', `${this.#scheduler.waiting} requests wait already; try again later`, {
          details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
        });
      }
      this.#jobs.set(id, job);
    } catch (error) {
      this.#tellError(id, error);
      this.#flush();
    } finally {
      this.#preparing.delete(id);
      this.#wakeUp();
    }
  }

  /** Ends a request that nobody waits for any more. Silent. */
  cancel(id: number): void {
    this.#preparing.delete(id);
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#jobs.delete(id);
    this.#scheduler.cancel(job);
    this.#wakeUp();
  }

  /** Refuses new requests and resolves when the last one has finished and the model is freed. */
  drain(): Promise<void> {
    if (this.#state === 'open') this.#state = 'draining';
    this.#wakeUp();
    return this.#finished;
  }

  /** As `drain`, but ends what runs with ERR_DRAINING. */
  stop(): Promise<void> {
    this.#state = 'closed';
    for (const id of [...this.#preparing, ...this.#jobs.keys()]) {
      this.#giveUp(id, new RuntimeError('ERR_DRAINING', 'the service is stopping'));
    }
    this.#flush();
    this.#wakeUp();
    return this.#finished;
  }

  async #run(): Promise<void> {
    const { model, now } = this.#options;
    let drawn: readonly Drawn<ChatJob>[] = [];
    let scriptStart = now();
    while (true) {
      this.#expire();
      const planned = this.#scheduler.nextStep({ prefillTokens: this.#pace.chunkTokens });
      const running = planned === undefined ? undefined : this.#start(planned);
      const started = now();
      this.#totals.scriptMs += started - scriptStart;
      this.#tell(drawn);
      drawn = [];
      if (planned === undefined || running === undefined) {
        if (this.#isDone()) break;
        await this.#sleep();
        scriptStart = now();
        continue;
      }
      drawn = await this.#finish(planned.step, running);
      scriptStart = now();
    }
    await model.close();
  }

  /** Begins the forward pass. Everything between two of these calls is time the model stands still. */
  async #start({ step, begun }: PlannedStep<ChatJob>): Promise<StepOutcome> {
    const { model, now } = this.#options;
    try {
      for (const answer of begun) {
        const { job, choice } = answer;
        if (choice === 0) job.begun = now();
        const seed = (job.sampling.seed + choice) >>> 0;
        model.beginSampling(answer.sequence, { ...job.sampling, seed }, job.readers[choice]!.prepared);
      }
      return { kind: 'done', result: await model.step(step) };
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  async #finish(step: Step, running: Promise<StepOutcome>): Promise<Drawn<ChatJob>[]> {
    const outcome = await running;
    if (outcome.kind === 'failed') {
      for (const answer of this.#scheduler.fail()) this.#giveUp(answer.job.id, outcome.error);
      this.#flush();
      return [];
    }
    const { result } = outcome;
    const decodeRows = step.rows.reduce((count, row) => count + (row.tokens.length === 1 ? 1 : 0), 0);
    const tokens = step.rows.reduce((sum, row) => sum + row.tokens.length, 0);
    this.#pace.observe({ decodeRows, prefillTokens: tokens - decodeRows, micros: result.decodeMicros });
    this.#totals.steps += 1;
    this.#totals.decodeMs += result.decodeMicros / 1000;
    this.#totals.sampleMs += result.sampleMicros / 1000;
    return this.#scheduler.complete(step, result);
  }

  /** Puts the drawn tokens into words and hands everything over in one message. */
  #tell(drawn: readonly Drawn<ChatJob>[]): void {
    for (const { answer, token, logprobs, end } of drawn) {
      const { job, choice } = answer;
      if (!this.#jobs.has(job.id)) continue;
      this.#tellStarted(job, answer);
      const reader = job.readers[choice]!;
      if (end !== 'stop') this.#totals.completionTokens += 1;
      const stopped = end === 'stop' ? false : reader.push(token, logprobs);
      if (stopped) this.#scheduler.end(answer);
      const finish = stopped ? 'stop' : end;
      if (finish !== undefined) reader.finish(finish);
      for (const event of reader.take()) this.#events.push({ id: job.id, event });
      if (finish !== undefined) this.#countDown(job);
    }
    this.#flush();
  }

  #tellStarted(job: ChatJob, answer: Answer<ChatJob>): void {
    if (job.started) return;
    job.started = true;
    this.#totals.promptTokens += job.prompt.length;
    this.#totals.cachedPromptTokens += answer.reused;
    const event = {
      kind: 'started',
      promptTokens: job.prompt.length,
      cachedTokens: answer.reused,
      queuedMs: job.begun - job.arrival,
    } as const;
    this.#events.push({ id: job.id, event });
  }

  #countDown(job: ChatJob): void {
    job.unfinished -= 1;
    if (job.unfinished > 0) return;
    this.#jobs.delete(job.id);
    this.#events.push({ id: job.id, event: { kind: 'done' } });
  }

  async #prepare(id: number, request: ChatRequest, arrival: number): Promise<ChatJob> {
    const { input, sampling, stop, choices } = request;
    if (input.tools.length > 0 && !this.#info.supportsTools) {
      throw new RuntimeError('ERR_TOOLS_UNSUPPORTED', "the model's template has no place for tools");
    }
    const prepared = await this.#options.model.prepareChat(input);
    const limit = Math.min(this.#info.contextPerSequence, request.contextMax ?? Number.POSITIVE_INFINITY);
    const counted = prepared.tokens.length;
    // One token of the answer must fit as well.
    if (counted >= limit) {
      throw new RuntimeError(
        'ERR_CONTEXT_OVERFLOW',
        `the prompt has ${counted} tokens; at most ${limit - 1} are taken, and answers count too`,
        { details: { limit, counted } },
      );
    }
    const strange = sampling.logitBias.find(({ token }) => token >= this.#info.vocabulary.size);
    if (strange !== undefined) {
      const known = this.#info.vocabulary.size - 1;
      throw new RuntimeError(
        'ERR_TOKEN_UNKNOWN',
        `\`logit_bias\` names token ${strange.token}; this model knows 0…${known}`,
      );
    }
    const readers = Array.from(
      { length: choices },
      (_, choice) => new AnswerReader({ choice, prepared, stop, vocabulary: this.#info.vocabulary }),
    );
    return {
      id,
      prompt: prepared.tokens,
      account: request.account,
      salt: request.account,
      priority: request.priority,
      choices,
      // The last token of an answer takes no room: nothing is computed from it.
      maxTokens: Math.min(request.maxTokens ?? limit, limit - counted + 1),
      sampling,
      arrival,
      begun: arrival,
      deadline: arrival + request.timeoutMs,
      readers,
      started: false,
      unfinished: choices,
    };
  }

  #expire(): void {
    const now = this.#options.now();
    for (const job of this.#jobs.values()) {
      if (job.deadline <= now) {
        this.#giveUp(job.id, new RuntimeError('ERR_DEADLINE', 'the request ran out of time; ask for fewer tokens'));
      }
    }
  }

  #giveUp(id: number, error: unknown): void {
    this.cancel(id);
    this.#tellError(id, error);
  }

  #tellError(id: number, error: unknown): void {
    this.#events.push({ id, event: { kind: 'error', error: toCodedMessage(toRuntimeError(error)) } });
  }

  #flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#options.emit(events, this.stats);
  }

  get stats(): EngineStats {
    return { running: this.#scheduler.running, waiting: this.#scheduler.waiting, ...this.#totals };
  }

  #isDone(): boolean {
    return this.#state !== 'open' && this.#jobs.size === 0 && this.#preparing.size === 0;
  }

  /** Until something arrives. Nothing runs meanwhile, so no deadline of a running job can pass unseen. */
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

type StepOutcome =
  | { readonly kind: 'done'; readonly result: Awaited<ReturnType<TextModel['step']>> }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Model errors keep their code where the caller can act on it; everything else is a defect. */
function toRuntimeError(error: unknown): RuntimeError {
  if (error instanceof RuntimeError) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ERR_CHAT_TEMPLATE' || code === 'ERR_GRAMMAR_INVALID') {
    return new RuntimeError(code, message ?? code, { cause: error });
  }
  // The code alone: the message of a defect could hold anything.
  const kind = code ?? (error instanceof Error ? error.name : 'unknown');
  return new RuntimeError('ERR_INTERNAL', `the model failed to compute this request (${kind})`, { cause: error });
}
