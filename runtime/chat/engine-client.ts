/** The serving thread's client of an engine in a worker thread. Restarts the thread when it ends or hangs. */
import { Worker } from 'node:worker_threads';
import type { ChatMessage, TokenPrompt } from '@cloister/models/interface/model';
import { assertNever, toRuntimeError } from '../pool/coded-message.ts';
import { type EngineState, requireReady } from '../pool/engine-state.ts';
import { cancelled, draining, RuntimeError } from '../pool/errors.ts';
import { EventChannel } from '../pool/event-channel.ts';
import { type RestartDelays, Restarts } from '../pool/restarts.ts';
import { type EngineHealth, type ThreadWatch, type Watch, Watchdog } from '../pool/watchdog.ts';
import { emptyEngineStats } from './engine-stats.ts';
import { requirePromptMayFit } from './prompt-bound.ts';
import type {
  ChatEngine,
  ChatEvent,
  CountRequest,
  EngineStats,
  ModelFacts,
  PinnedPrefix,
  PrefixOptions,
  PromptRequest,
} from './request.ts';
import type { FromEngine, RequestEvent, StepReport, ToEngine } from './worker-messages.ts';

export interface EngineClientOptions {
  /** Entry point of the worker, `server/start/model-worker.ts` or one of the tests. */
  readonly workerUrl: URL;
  /** Passed to the worker unchanged. */
  readonly workerData: unknown;
  /** Called before a restarted thread loads the model again; rejects if the file must not be loaded any more. */
  readonly verifyWeights: () => Promise<unknown>;
  readonly onState?: (state: EngineState<ModelFacts>) => void;
  readonly watch: ThreadWatch;
  readonly restartDelays?: RestartDelays;
}

export function startEngine(options: EngineClientOptions): ChatEngine {
  return new EngineClient(options);
}

/** A requested pin. It is sent again to each restarted thread; the first reply settles the promise. */
interface Pin extends PromiseWithResolvers<PinnedPrefix> {
  readonly messages: readonly ChatMessage[];
  readonly options: PrefixOptions;
}

class EngineClient implements ChatEngine {
  readonly #options: EngineClientOptions;
  readonly #pins = new Map<number, Pin>();
  readonly #channels = new Map<number, EventChannel<ChatEvent>>();
  readonly #restarts: Restarts;
  readonly #watchdog: Watchdog;
  /** Set while a probe is unanswered. */
  #probed: Watch | undefined;
  #probedSteps = 0;
  /** Settles when a thread that hung has ended, or could not be ended. */
  #ending: Promise<void> | undefined;
  #lossReason = '';
  #worker: Worker;
  #exited: Promise<unknown> = Promise.resolve();
  #state: EngineState<ModelFacts> = { kind: 'loading', fraction: 0 };
  #stats = emptyEngineStats;
  #nextId = 1;
  #closed = Promise.withResolvers<void>();

  constructor(options: EngineClientOptions) {
    const { verifyWeights, restartDelays: delays, watch } = options;
    this.#options = options;
    this.#restarts = new Restarts({
      ...{ verifyWeights, delays },
      onLoss: (loss) => this.#setState({ kind: 'loading', fraction: 0, loss }),
    });
    this.#watchdog = new Watchdog({ ...watch, onProbe: () => this.#probe() });
    this.#worker = this.#startWorker();
  }

  get state(): EngineState<ModelFacts> {
    return this.#state;
  }

  get stats(): EngineStats {
    return this.#stats;
  }

  get health(): EngineHealth {
    return { stalledMs: this.#watchdog.stalledMs, losses: this.#restarts.losses };
  }

  chat(request: PromptRequest, { signal }: { signal: AbortSignal }): AsyncIterable<ChatEvent> {
    const model = requireReady(this.#state);
    if (signal.aborted) throw cancelled();
    if (request.countsOverlongPrompt !== true) requirePromptMayFit(request.input, model, request.contextMax);
    const id = this.#nextId++;
    const cancel = () => {
      this.#channels.delete(id);
      this.#send({ kind: 'cancel', id });
    };
    const channel = new EventChannel<ChatEvent>({ onLeave: cancel });
    const onAbort = () => {
      if (!this.#channels.has(id)) return;
      cancel();
      channel.fail(cancelled());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#channels.set(id, channel);
    this.#send({ kind: 'chat', id, request });
    return channel;
  }

  async countPrompt(request: CountRequest, options: { signal: AbortSignal }): Promise<number> {
    return (await this.#inspect(request, options)).promptTokens;
  }

  async tokenize(request: CountRequest, options: { signal: AbortSignal }): Promise<readonly number[]> {
    return (await this.#inspect({ ...request, shows: 'tokens' }, options)).shown as readonly number[];
  }

  async detokenize(request: CountRequest<TokenPrompt>, options: { signal: AbortSignal }): Promise<string> {
    return (await this.#inspect({ ...request, shows: 'text' }, options)).shown as string;
  }

  async #inspect(
    request: CountRequest & Pick<PromptRequest, 'shows'>,
    options: { signal: AbortSignal },
  ): Promise<Extract<ChatEvent, { kind: 'started' }>> {
    const all = { ...request, choices: 0, maxTokens: undefined, contextMax: undefined, sampling: greedy, stop: [] };
    for await (const event of this.chat(all, options)) if (event.kind === 'started') return event;
    throw lostError();
  }

  async pinPrefix(messages: readonly ChatMessage[], options: PrefixOptions = {}): Promise<PinnedPrefix> {
    if (this.#state.kind !== 'loading') requireReady(this.#state);
    const id = this.#nextId++;
    const pin = { messages, options, ...Promise.withResolvers<PinnedPrefix>() };
    this.#pins.set(id, pin);
    // A thread that is still loading reads the message when it is ready.
    this.#send({ kind: 'pin', id, messages, options });
    return await pin.promise;
  }

  async drain({ signal }: { signal: AbortSignal }): Promise<void> {
    await this.#drain(signal);
    // The thread ends by itself once its model is freed; only then is all of its memory free.
    if (this.#ending === undefined) await this.#watchdog.waitForEnd(this.#exited);
    this.#watchdog.close();
  }

  async #drain(signal: AbortSignal): Promise<void> {
    if (this.#state.kind === 'failed' || this.#state.kind === 'loading') {
      this.#setState({ kind: 'draining' });
      this.#restarts.stop();
      this.#failPins(draining());
      // No model is loaded, so there is no work to finish.
      await (this.#ending ?? this.#worker.terminate());
      return;
    }
    this.#setState({ kind: 'draining' });
    this.#send({ kind: 'drain' });
    const stop = () => {
      this.#send({ kind: 'stop' });
      // A step that hangs would not notice the message.
      this.#watchdog.shortenTimeout();
      this.#probed ??= this.#watchdog.watch(() => this.#endWorker());
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    await this.#closed.promise;
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.workerUrl, { workerData: this.#options.workerData });
    this.#ending = undefined;
    this.#lossReason = 'the engine thread ended';
    worker.on('message', (message: FromEngine) => this.#receive(message));
    // `exit` follows; the old model is freed only then. Only the error's name is kept: its message could contain request data.
    worker.on('error', (error: unknown) => {
      this.#failChats();
      this.#lossReason = `the engine thread failed (${error instanceof Error ? error.name : typeof error})`;
    });
    this.#exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.once('exit', () => void this.#lost());
    return worker;
  }

  /** Probes the thread unless it has completed a step since the last call. */
  #probe(): void {
    if (this.#state.kind !== 'ready' && this.#state.kind !== 'draining') return;
    const { steps } = this.#stats;
    if (steps !== this.#probedSteps && this.#probed === undefined) {
      this.#probedSteps = steps;
      return;
    }
    this.#probed ??= this.#watchdog.watch(() => this.#endWorker());
    this.#send({ kind: 'probe' });
  }

  #isAlive(): void {
    this.#probed?.end();
    this.#probed = undefined;
  }

  /** Fails the thread's requests at once. Its replacement starts after `exit`, because two models may not fit in memory. */
  #endWorker(): void {
    this.#lossReason = 'a step did not complete in time';
    this.#setState({ kind: 'loading', fraction: 0 });
    this.#failChats();
    this.#ending = this.#watchdog.end(this.#worker).catch(() => {
      this.#failPins(lostError());
      this.#setState({ kind: 'failed', message: 'the engine thread hangs and cannot be terminated' });
      this.#closed.resolve();
    });
  }

  #receive(message: FromEngine): void {
    switch (message.kind) {
      case 'loading':
        this.#setState({ kind: 'loading', fraction: message.fraction });
        return;
      case 'ready':
        this.#restarts.ready();
        this.#setState({ kind: 'ready', model: message.model });
        return;
      case 'failed':
        this.#lossReason = message.error.message;
        // The thread ends now and is restarted. A model that was never ready would fail again, so it is not.
        if (this.#restarts.wasReady) return;
        this.#setState({ kind: 'failed', message: message.error.message });
        this.#failPins(lostError());
        return;
      case 'events': {
        const { events, stats }: StepReport = JSON.parse(message.report);
        this.#stats = stats;
        for (const event of events) this.#deliver(event);
        return;
      }
      case 'pinned':
        this.#stats = message.stats;
        this.#pins.get(message.id)?.resolve(message.prefix);
        return;
      case 'notPinned':
        this.#pins.get(message.id)?.reject(toRuntimeError(message.error));
        this.#pins.delete(message.id);
        return;
      case 'alive':
        this.#isAlive();
        return;
      case 'closed':
        this.#closed.resolve();
        return;
      default:
        assertNever(message);
    }
  }

  #deliver({ id, event }: RequestEvent): void {
    const channel = this.#channels.get(id);
    if (channel === undefined) return; // Cancelled; the engine had not received the message yet.
    if (event.kind === 'done') {
      this.#channels.delete(id);
      channel.close();
    } else if (event.kind === 'error') {
      this.#channels.delete(id);
      channel.fail(toRuntimeError(event.error));
    } else {
      channel.push(event);
    }
  }

  async #lost(): Promise<void> {
    this.#isAlive();
    this.#failChats();
    this.#closed.resolve();
    if (this.#state.kind === 'draining' || this.#state.kind === 'failed') {
      this.#failPins(lostError());
      return;
    }
    this.#stats = emptyEngineStats;
    try {
      await this.#restarts.afterLoss(this.#lossReason);
    } catch (error) {
      this.#failPins(lostError());
      this.#setState({ kind: 'failed', message: (error as Error).message });
      return;
    }
    this.#closed = Promise.withResolvers<void>();
    this.#worker = this.#startWorker();
    for (const [id, { messages, options }] of this.#pins) this.#send({ kind: 'pin', id, messages, options });
  }

  #failChats(): void {
    for (const channel of this.#channels.values()) channel.fail(lostError());
    this.#channels.clear();
  }

  /** Rejecting a pin that was already resolved has no effect. */
  #failPins(error: RuntimeError): void {
    for (const pin of this.#pins.values()) pin.reject(error);
    this.#pins.clear();
  }

  #setState(state: EngineState<ModelFacts>): void {
    if (this.#state.kind === 'draining') return;
    this.#state = state;
    this.#options.onState?.(state);
  }

  #send(message: ToEngine): void {
    this.#worker.postMessage(message);
  }
}

/** For a request that samples nothing. */
const greedy: PromptRequest['sampling'] = {
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  logitBias: [],
  seed: 0,
  logprobs: undefined,
};

function lostError(): RuntimeError {
  return new RuntimeError('ERR_ENGINE_LOST', 'the engine stopped while it processed the request; try again');
}
