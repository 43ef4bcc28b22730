/** Converts one choice's tokens to events: text, reasoning, tool calls, log probabilities, finish reason. */
import type { ChatDelta, ChatParser, PreparedChat, TokenLogprobs, Vocabulary } from '@cloister/models/interface/model';
import { AnswerText } from './answer-text.ts';
import type { ChatEvent, TokenReport } from './request.ts';

export interface AnswerReaderOptions {
  readonly choice: number;
  readonly prepared: PreparedChat;
  /** The caller's stop strings. */
  readonly stop: readonly string[];
  readonly vocabulary: Vocabulary;
}

export class AnswerReader {
  readonly prepared: PreparedChat;
  readonly #choice: number;
  /** The caller's stop strings. */
  readonly #stop: readonly string[];
  readonly #text: AnswerText;
  readonly #parser: ChatParser | undefined;
  readonly #lossy = new TextDecoder('utf-8', { ignoreBOM: true });
  #events: ChatEvent[] = [];
  #logprobs: TokenReport[] = [];
  #completionTokens = 0;
  #reasoningTokens = 0;
  /** Tokens received since the last delta. */
  #undeliveredTokens = 0;
  #calledTools = false;
  #finished = false;

  constructor({ choice, prepared, stop, vocabulary }: AnswerReaderOptions) {
    this.prepared = prepared;
    this.#choice = choice;
    this.#stop = stop;
    this.#text = new AnswerText({
      vocabulary,
      stops: [...prepared.stops, ...stop],
      shownTokens: prepared.shownTokens,
    });
    this.#parser = prepared.structured ? prepared.createParser() : undefined;
  }

  /** Whether the answer is complete; tokens sampled after its end are not part of it. */
  get finished(): boolean {
    return this.#finished;
  }

  /** @returns whether a stop string ended the answer */
  push(token: number, logprobs: TokenLogprobs | undefined): boolean {
    this.#completionTokens += 1;
    this.#undeliveredTokens += 1;
    if (logprobs !== undefined) this.#logprobs.push(this.#report(token, logprobs));
    const { text, stopped } = this.#text.push(token);
    this.#emit(text, false);
    return stopped;
  }

  finish(reason: 'stop' | 'length'): void {
    this.#finished = true;
    this.#emit(this.#text.finish(), true);
    const { stop } = this.#text;
    this.#events.push({
      kind: 'finished',
      choice: this.#choice,
      ...(stop !== undefined && this.#stop.includes(stop) ? { stop } : {}),
      reason: this.#calledTools && reason === 'stop' ? 'tool_calls' : reason,
      completionTokens: this.#completionTokens,
      reasoningTokens: this.#reasoningTokens,
    });
  }

  /** Returns the events since the last call. */
  take(): readonly ChatEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #emit(text: string, final: boolean): void {
    if (text === '' && !final && this.#logprobs.length === 0) return;
    const delta = this.#parser?.feed(text, final) ?? { content: text, reasoning: '', toolCalls: [] };
    if (isEmpty(delta) && this.#logprobs.length === 0) return;
    if (delta.toolCalls.length > 0) this.#calledTools = true;
    if (delta.reasoning !== '' && delta.content === '') this.#reasoningTokens += this.#undeliveredTokens;
    this.#events.push({
      kind: 'delta',
      choice: this.#choice,
      ...delta,
      logprobs: this.#logprobs,
      tokens: this.#undeliveredTokens,
    });
    this.#logprobs = [];
    this.#undeliveredTokens = 0;
  }

  #report(token: number, { logprob, top }: TokenLogprobs): TokenReport {
    return {
      ...this.#describe(token),
      logprob,
      top: top.map((other) => ({ ...this.#describe(other.token), logprob: other.logprob })),
    };
  }

  #describe(token: number): { token: string; bytes: number[] } {
    const bytes = this.#text.tokenBytes(token);
    return { token: this.#lossy.decode(bytes), bytes: [...bytes] };
  }
}

function isEmpty({ content, reasoning, toolCalls }: ChatDelta): boolean {
  return content === '' && reasoning === '' && toolCalls.length === 0;
}
