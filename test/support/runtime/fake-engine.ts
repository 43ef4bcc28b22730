/** A `ChatEngine` without a model: a test sends its events one by one, or provides a script. */
import type { ChatMessage, PromptInput, TokenPrompt } from '../../../models/interface/model.ts';
import { emptyEngineStats } from '../../../runtime/chat/engine-stats.ts';
import type {
  ChatEngine,
  ChatEvent,
  ChatRequest,
  CountRequest,
  EngineStats,
  ModelFacts,
  PinnedPrefix,
  PrefixOptions,
  PromptRequest,
} from '../../../runtime/chat/request.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { type EngineHealth, healthy } from '../../../runtime/pool/watchdog.ts';

export const fakeFacts: ModelFacts = {
  description: 'Fake 0.0B',
  device: 'none',
  architecture: 'fake',
  contextPerSequence: 4096,
  sequences: 16,
  supportsTools: true,
  supportsReasoning: true,
  supportsInfill: true,
  imageTokensMax: 0,
  loadMs: 1,
};

export interface FakeEngineOptions {
  readonly state?: EngineState<ModelFacts>;
  /** Called for each request; without it, the test answers each chat from `nextChat()`. */
  readonly script?: (chat: FakeChat) => void | Promise<void>;
}

export class FakeEngine implements ChatEngine {
  state: EngineState<ModelFacts>;
  health: EngineHealth = healthy;
  /** All requests, oldest first. */
  readonly chats: FakeChat[] = [];
  /** The messages of each call of `pinPrefix`. */
  readonly pins: (readonly ChatMessage[])[] = [];
  /** The options of each call of `pinPrefix`. */
  readonly pinOptions: PrefixOptions[] = [];
  readonly #script: FakeEngineOptions['script'];
  readonly #arrivals: ((chat: FakeChat) => void)[] = [];
  #unseen = 0;

  constructor({ state = { kind: 'ready', model: fakeFacts }, script }: FakeEngineOptions = {}) {
    this.state = state;
    this.#script = script;
  }

  /** Resolves with the next request that no earlier call returned. */
  nextChat(): Promise<FakeChat> {
    const index = this.#unseen++;
    const chat = this.chats[index];
    return chat ? Promise.resolve(chat) : new Promise((resolve) => this.#arrivals.push(resolve));
  }

  get stats(): EngineStats {
    const running = this.chats.filter((chat) => !chat.isOver).length;
    return {
      ...emptyEngineStats,
      running,
      promptTokens: this.chats.length * 5,
      cachedPromptTokens: this.chats.length * 2,
      completionTokens: this.chats.reduce((sum, chat) => sum + chat.tokens, 0),
    };
  }

  async *chat(request: PromptRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ChatEvent> {
    if (this.state.kind === 'loading') {
      throw new RuntimeError('ERR_NOT_READY', 'the model is loading', { details: { retryAfterSeconds: 30 } });
    }
    if (this.state.kind === 'draining') throw new RuntimeError('ERR_DRAINING', 'the server is stopping');
    const chat = new FakeChat(request as ChatRequest, signal);
    this.chats.push(chat);
    this.#arrivals.shift()?.(chat);
    void this.#script?.(chat);
    try {
      yield* chat.events();
    } finally {
      chat.leave();
    }
  }

  /** The number of characters of the text, or of all messages. */
  async countPrompt(request: CountRequest): Promise<number> {
    return (await this.tokenize(request)).length;
  }

  /** A token for each UTF-16 unit of the text, or of all messages. */
  async tokenize({ input }: CountRequest): Promise<readonly number[]> {
    if ('tokens' in input) return input.tokens;
    const text = 'text' in input ? input.text : input.messages.map(({ content }) => content).join('');
    return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  }

  async detokenize({ input }: CountRequest<TokenPrompt>): Promise<string> {
    return String.fromCharCode(...input.tokens);
  }

  async pinPrefix(messages: readonly ChatMessage[], options: PrefixOptions = {}): Promise<PinnedPrefix> {
    this.pins.push(messages);
    this.pinOptions.push(options);
    return { tokens: 100, computedTokens: 100, ms: 1 };
  }

  async drain({ signal }: { signal: AbortSignal }): Promise<void> {
    this.state = { kind: 'draining' };
    const running = this.chats.filter((chat) => !chat.isOver);
    const cut = () => {
      for (const chat of running) chat.fail(new RuntimeError('ERR_DRAINING', 'the server is stopping'));
    };
    if (signal.aborted) cut();
    else signal.addEventListener('abort', cut, { once: true });
    await Promise.all(running.map((chat) => chat.over));
  }
}

/** One request, answered by the test. */
export class FakeChat {
  /** Of a completion, `input` is a text or tokens: see `prompt`. */
  readonly request: ChatRequest;
  tokens = 0;
  /** Settles when the caller disconnects, by abort or by ending the loop early. */
  readonly cancelled: Promise<void>;
  /** Settles after the last event. */
  readonly over: Promise<void>;
  isOver = false;
  readonly #queue: (ChatEvent | Error)[] = [];
  readonly #cancel: () => void;
  readonly #end: () => void;
  #wake: (() => void) | undefined;
  #open: number;

  constructor(request: ChatRequest, signal: AbortSignal) {
    this.request = request;
    this.#open = request.choices;
    const cancelled = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    this.cancelled = cancelled.promise;
    this.over = over.promise;
    this.#cancel = cancelled.resolve;
    this.#end = over.resolve;
    const abort = () => this.fail(new RuntimeError('ERR_CANCELLED', 'the caller disconnected'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }

  get messages(): readonly ChatMessage[] {
    return this.request.input.messages;
  }

  get prompt(): PromptInput {
    return this.request.input;
  }

  start({ promptTokens = 5, cachedTokens = 2 } = {}): this {
    return this.send({ kind: 'started', promptTokens, cachedTokens, queuedMs: 0 });
  }

  text(content: string, choice = 0): this {
    return this.send({
      kind: 'delta',
      choice,
      content,
      reasoning: '',
      toolCalls: [],
      logprobs: [],
      tokens: 1,
    });
  }

  delta(event: Partial<Extract<ChatEvent, { kind: 'delta' }>>): this {
    const empty = {
      kind: 'delta',
      choice: 0,
      content: '',
      reasoning: '',
      toolCalls: [],
      logprobs: [],
      tokens: 1,
    } as const;
    return this.send({ ...empty, ...event });
  }

  finish(reason: 'stop' | 'length' | 'tool_calls' = 'stop', choice = 0, reasoningTokens = 0): this {
    return this.send({ kind: 'finished', choice, reason, completionTokens: this.tokens, reasoningTokens });
  }

  /** Sends the start, each word and the finish of every choice. */
  answer(...words: string[]): this {
    this.start();
    for (let choice = 0; choice < this.request.choices; choice++) {
      for (const word of words) this.text(word, choice);
      this.finish('stop', choice);
      this.tokens = 0;
    }
    return this;
  }

  fail(error: Error): void {
    this.#push(error);
  }

  send(event: ChatEvent): this {
    if (event.kind === 'delta') this.tokens += event.tokens;
    this.#push(event);
    return this;
  }

  /** Called when the loop over the events ends. */
  leave(): void {
    this.isOver = true;
    if (this.#open > 0) this.#cancel();
    this.#end();
  }

  async *events(): AsyncGenerator<ChatEvent> {
    while (this.#open > 0) {
      const next = this.#queue.shift();
      if (next instanceof Error) throw next;
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      if (next.kind === 'finished') this.#open -= 1;
      yield next;
    }
  }

  #push(item: ChatEvent | Error): void {
    this.#queue.push(item);
    this.#wake?.();
    this.#wake = undefined;
  }
}
