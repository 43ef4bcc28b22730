/** Engine events gathered into one `chat.completion` object. Pure. */
import type { ChatEvent, TokenReport } from '@cloister/runtime/chat/request';
import type { AnswerEvent } from '../../serving/answer-event.ts';

/** The members that every chunk of one answer repeats. */
export interface AnswerHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly systemFingerprint: string;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Adds up what one request used, over all of its choices and prompts. */
export class UsageCount {
  #promptTokens = 0;
  #cachedTokens = 0;
  #completionTokens = 0;
  #reasoningTokens = 0;

  saw(event: AnswerEvent): void {
    if (event.kind === 'started' || event.kind === 'further') {
      this.#promptTokens += event.promptTokens;
      this.#cachedTokens += event.cachedTokens;
    } else if (event.kind === 'finished') {
      this.#completionTokens += event.completionTokens;
      this.#reasoningTokens += event.reasoningTokens;
    }
  }

  get total(): Usage {
    return {
      prompt_tokens: this.#promptTokens,
      completion_tokens: this.#completionTokens,
      total_tokens: this.#promptTokens + this.#completionTokens,
      prompt_tokens_details: { cached_tokens: this.#cachedTokens },
      completion_tokens_details: { reasoning_tokens: this.#reasoningTokens },
    };
  }
}

/** Gathers the choices of one answer. */
export class AnswerBuilder {
  readonly #choices: ChoiceText[];
  readonly #withLogprobs: boolean;

  constructor({ choices, withLogprobs }: { choices: number; withLogprobs: boolean }) {
    this.#choices = Array.from({ length: choices }, () => new ChoiceText());
    this.#withLogprobs = withLogprobs;
  }

  saw(event: AnswerEvent): void {
    if (event.kind === 'delta' || event.kind === 'finished') this.#choices[event.choice]?.saw(event);
  }

  /** The body of the response. */
  build(head: AnswerHead, usage: Usage) {
    return {
      id: head.id,
      object: 'chat.completion',
      created: head.created,
      model: head.model,
      system_fingerprint: head.systemFingerprint,
      choices: this.#choices.map((choice, index) => ({
        index,
        message: choice.message,
        logprobs: this.#withLogprobs ? { content: logprobEntries(choice.logprobs), refusal: null } : null,
        finish_reason: choice.reason,
      })),
      usage,
    };
  }
}

class ChoiceText {
  readonly logprobs: TokenReport[] = [];
  reason: string | null = null;
  #content = '';
  #reasoning = '';
  readonly #calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];

  saw(event: Exclude<ChatEvent, { kind: 'started' }>): void {
    if (event.kind === 'finished') {
      this.reason = event.reason;
      return;
    }
    this.#content += event.content;
    this.#reasoning += event.reasoning;
    this.logprobs.push(...event.logprobs);
    for (const { index, id, name, arguments: text } of event.toolCalls) {
      this.#calls[index] ??= { id: id ?? '', type: 'function', function: { name: name ?? '', arguments: '' } };
      this.#calls[index].function.arguments += text;
    }
  }

  get message() {
    const hasCalls = this.#calls.length > 0;
    return {
      role: 'assistant',
      content: hasCalls && this.#content === '' ? null : this.#content,
      refusal: null,
      ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
      ...(hasCalls ? { tool_calls: this.#calls } : {}),
    };
  }
}

/** In OpenAI's form. */
export function logprobEntries(reports: readonly TokenReport[]) {
  return reports.map(({ top, ...report }) => ({ ...report, top_logprobs: top }));
}
