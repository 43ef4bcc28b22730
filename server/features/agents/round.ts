/**
 * One round of an answer in which the model may call its agent's own tools: what it wrote, and what of that is told. Text is
 * told as it comes; calls are kept, since they are not the caller's to answer. Every token is counted all the same.
 */
import type { ChatMessage, ToolCallDelta } from '@cloister/models/interface/model';
import type { ChatEvent, TokenReport } from '@cloister/runtime/chat/request';

type DeltaEvent = Extract<ChatEvent, { kind: 'delta' }>;

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  /** JSON, if the model kept to it. */
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
  /** What sets this round's text apart from that of the rounds before. */
  #opening: string;
  /** Log probabilities of tokens that are not known yet to be text or part of a call. */
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

  /** As the next round's prompt has it. */
  get message(): ChatMessage {
    return {
      role: 'assistant',
      content: this.content,
      ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
      // A template that parses arguments fails on what is no JSON.
      tool_calls: this.#calls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: isJson(text) ? text : '{}' },
      })),
    };
  }

  /** @returns what is told of a delta, if anything */
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

  /** @returns a delta for the tokens that no other stood for, if there are any */
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
    // The engine's ids are random; these give the same prompt for the same request. Some templates want nine characters.
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
