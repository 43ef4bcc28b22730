/** A chat engine as requests for one LoRA adapter use it: the same thread, queue and sequences. */
import type { ChatMessage, TokenPrompt } from '@cloister/models/interface/model';
import type { ChatEngine, ChatEvent, CountRequest, PinnedPrefix, PrefixOptions, PromptRequest } from './request.ts';

export class AdaptedEngine implements ChatEngine {
  readonly #engine: ChatEngine;
  readonly #adapter: number;

  /** @param adapter position among the model's adapters, from 1 */
  constructor(engine: ChatEngine, adapter: number) {
    this.#engine = engine;
    this.#adapter = adapter;
  }

  get state(): ChatEngine['state'] {
    return this.#engine.state;
  }

  get stats(): ChatEngine['stats'] {
    return this.#engine.stats;
  }

  get health(): ChatEngine['health'] {
    return this.#engine.health;
  }

  chat(request: PromptRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent> {
    return this.#engine.chat({ ...request, adapter: this.#adapter }, options);
  }

  // An adapter changes no token of a prompt.
  countPrompt(request: CountRequest, options: { signal: AbortSignal }): Promise<number> {
    return this.#engine.countPrompt(request, options);
  }

  tokenize(request: CountRequest, options: { signal: AbortSignal }): Promise<readonly number[]> {
    return this.#engine.tokenize(request, options);
  }

  detokenize(request: CountRequest<TokenPrompt>, options: { signal: AbortSignal }): Promise<string> {
    return this.#engine.detokenize(request, options);
  }

  /** Only chats without an adapter reuse it. */
  pinPrefix(messages: readonly ChatMessage[], options?: PrefixOptions): Promise<PinnedPrefix> {
    return this.#engine.pinPrefix(messages, options);
  }

  drain(options: { signal: AbortSignal }): Promise<void> {
    return this.#engine.drain(options);
  }
}
