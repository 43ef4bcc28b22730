/**
 * One round of an answer in which the model may call its agent's tools. Text is emitted immediately. Calls are not emitted, since the
 * server answers them. All tokens are counted.
 */
import type { ChatMessage, ToolCallDelta } from '@cloister/models/interface/model';
import type { ChatEvent, TokenReport } from '@cloister/runtime/chat/request';

type DeltaEvent = Extract<ChatEvent, { kind: 'delta' }>;

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  /** JSON, unless the model wrote invalid JSON. */
  readonly arguments: string;
}

export class Round {
  reason: 'stop' | 'length' | 'tool_calls' = 'stop';
  completionTokens = 0;
  reasoningTokens = 0;
  content = '';
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  #reasoning = '';
  readonly #index: number;
  /** Separates the text of this round from that of the rounds before. */
  #opening: string;
  /** Log probabilities of tokens that may be text or part of a call. */
  #held: TokenReport[] = [];
  #toldTokens = 0;

  /** @param options.index from 0 */
  constructor({ index, opening }: { index: number; opening: string }) {
    this.#index = index;
    this.#opening = opening;
  }

  get calls(): readonly WrittenCall[] {
    return this.#calls;
  }

  /** The message for the prompt of the next round. */
  get message(): ChatMessage {
    return {
      role: 'assistant',
      content: this.content,
      ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
      // A template that parses arguments fails on invalid JSON.
      tool_calls: this.#calls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: isJson(text) ? text : '{}' },
      })),
    };
  }

  /** @returns the part of a delta to emit, if any */
  take(event: DeltaEvent): DeltaEvent | undefined {
    this.#toldTokens += event.tokens;
    this.#reasoning += event.reasoning;
    for (const call of event.toolCalls) this.#extend(call);
    const isCall = event.toolCalls.length > 0;
    const isText = event.content !== '' || event.reasoning !== '';
    const logprobs = isCall ? [] : [...this.#held, ...event.logprobs];
    this.#held = isText || isCall ? [] : logprobs;
    if (!isText && event.tokens === 0) return undefined;
    return { ...event, content: this.#opened(event.content), toolCalls: [], logprobs: isText ? logprobs : [] };
  }

  /** @returns a delta for tokens that no earlier delta counted, if any */
  end(event: Extract<ChatEvent, { kind: 'finished' }>): DeltaEvent | undefined {
    this.reason = event.reason;
    this.completionTokens = event.completionTokens;
    this.reasoningTokens = event.reasoningTokens;
    const tokens = Math.max(0, event.completionTokens - this.#toldTokens);
    const logprobs = event.reason === 'tool_calls' ? [] : this.#held;
    if (tokens === 0 && logprobs.length === 0) return undefined;
    return { kind: 'delta', choice: event.choice, content: '', reasoning: '', toolCalls: [], logprobs, tokens };
  }

  #opened(content: string): string {
    if (content === '') return '';
    const text = this.#opening + content;
    this.#opening = '';
    this.content += content;
    return text;
  }

  #extend({ index, name, arguments: text }: ToolCallDelta): void {
    // Unlike the engine's random ids, these give the same prompt for the same request. Some templates require nine characters.
    const id = `call${this.#index}${String(index).padStart(4, '0')}`;
    this.#calls[index] ??= { id, name: name ?? '', arguments: '' };
    this.#calls[index].arguments += text;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
