/** Runs a chat and learns how many tokens its marked part has, before the answer starts. */
import type { ChatEngine, ChatRequest } from '@cloister/runtime/chat/request';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import { countMarked } from './cache-marks.ts';
import type { MessagesCall } from './call.ts';

export class MarkedPart {
  /** 0 until the answer starts, and without a mark. */
  tokens = 0;
  readonly #messages: number | undefined;
  readonly #engine: Pick<ChatEngine, 'chat' | 'tokenize'>;

  constructor({ markedMessages }: Pick<MessagesCall, 'markedMessages'>, engine: Pick<ChatEngine, 'chat' | 'tokenize'>) {
    this.#messages = markedMessages;
    this.#engine = engine;
  }

  /** Sends the chat to the engine before it returns: pixels of images are zeroed afterwards. */
  run(work: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<AnswerEvent> {
    const events = this.#engine.chat(work, options);
    if (this.#messages === undefined) return events;
    return this.#countFirst(events, this.#count(work, this.#messages, options));
  }

  async *#countFirst(events: AsyncIterable<AnswerEvent>, counted: Promise<number>): AsyncGenerator<AnswerEvent> {
    for await (const event of events) {
      if (event.kind === 'started') this.tokens = await counted;
      yield event;
    }
  }

  async #count(work: ChatRequest, messages: number, options: { signal: AbortSignal }): Promise<number> {
    if (messages === work.input.messages.length) return Number.POSITIVE_INFINITY;
    // A template may refuse a part of a chat that it renders as a whole: then nothing is reported as created.
    return await countMarked(work, messages, (part) => this.#engine.tokenize(part, options)).catch(() => 0);
  }
}
