/** Writes answers as OpenAI's responses: items, or the events of a stream with their sequence numbers. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { ChatEvent } from '@cloister/runtime/chat/request';
import { type AnswerBlock, AnswerBlocks } from '../chat/answer-blocks.ts';
import type { AnswerForm } from '../chat/answer-form.ts';
import { areWhole } from '../chat/call-arguments.ts';
import type { AnswerHead, Usage } from '../chat/chat-answer.ts';
import { AnswerItems, type AnswerStatus, type ItemOptions } from './answer-items.ts';
import type { ResponseEcho } from './echo.ts';
import { EventWriter } from './events.ts';
import type { ResponseItem } from './item-schema.ts';
import { readItems } from './items.ts';

type Reason = Extract<ChatEvent, { kind: 'finished' }>['reason'];

export interface ResponseOptions extends ItemOptions {
  /** The conversation that the answer continues. */
  readonly previous: string | undefined;
  readonly isCancelled: () => boolean;
  /** Seals the conversation with its answer. @returns undefined if the client gets no state */
  readonly seal: (answer: readonly ChatMessage[]) => string | undefined;
  /** Called before the answer begins. @param describe the answer to its cancellation */
  readonly onHead: (head: AnswerHead, describe: () => object) => void;
}

/** @param echo the members of the body that the answer repeats */
export function responseForm(echo: ResponseEcho, options: ResponseOptions): AnswerForm {
  const { isCancelled, seal, onHead, previous } = options;
  const begin = (head: AnswerHead) => {
    const items = new AnswerItems(head, options);
    onHead(head, () => responseOf({ head, echo, output: [], status: 'cancelled' }));
    return items;
  };
  const statusOf = (reason: Reason): AnswerStatus => {
    if (isCancelled()) return 'cancelled';
    return reason === 'length' ? 'incomplete' : 'completed';
  };
  const sealed = (blocks: readonly AnswerBlock[]) => (isCancelled() ? undefined : seal(messagesOf(blocks)));
  return {
    idPrefix: 'resp_',

    whole(head) {
      const items = begin(head);
      const blocks = new AnswerBlocks();
      let reason: Reason = 'stop';
      return {
        saw(event) {
          if (event.kind === 'delta') blocks.saw(event);
          if (event.kind !== 'finished') return;
          reason = event.reason;
          blocks.close();
        },
        build: (usage) => {
          const state = sealed(blocks.blocks);
          const status = statusOf(reason);
          const output = items.all(blocks.blocks, status);
          return responseOf({ head, echo, output, status, usage, previous, state });
        },
      };
    },

    stream(head) {
      const items = begin(head);
      const blocks = new AnswerBlocks();
      const events = new EventWriter(items);
      let reason: Reason = 'stop';
      return {
        saw(event) {
          switch (event.kind) {
            case 'started': {
              const response = responseOf({ head, echo, output: [], status: 'in_progress' });
              return (
                events.write('response.created', { response }) + events.write('response.in_progress', { response })
              );
            }
            case 'delta':
              return blocks
                .saw(event)
                .map((step) => events.step(step, 'completed'))
                .join('');
            case 'finished':
              reason = event.reason;
              return blocks
                .close()
                .map((step) => events.step(step, statusOf(reason)))
                .join('');
            case 'further':
              return '';
          }
        },
        end(usage) {
          const status = statusOf(reason);
          const state = sealed(blocks.blocks);
          const output = items.all(blocks.blocks, status);
          const response = responseOf({ head, echo, output, status, usage, previous, state, isStreamed: true });
          // The API has no event for a cancelled answer.
          return events.write(status === 'completed' ? 'response.completed' : 'response.incomplete', { response });
        },
        failure: (body) => events.failure(body),
      };
    },
  };
}

/** The answer as the next request will send it, without a call that the limit of tokens cut. */
function messagesOf(blocks: readonly AnswerBlock[]): readonly ChatMessage[] {
  const items = blocks.filter((block) => block.kind !== 'call' || areWhole(block.text)).map(itemOfBlock);
  return readItems(items).messages;
}

function itemOfBlock({ kind, text, ...block }: AnswerBlock): ResponseItem {
  if (kind === 'reasoning') return { type: 'reasoning', content: [{ type: 'reasoning_text', text }] };
  if (kind === 'text') return { type: 'message', role: 'assistant', content: text };
  const { id, name } = block as Extract<AnswerBlock, { kind: 'call' }>;
  return { type: 'function_call', call_id: id, name, arguments: text };
}

interface Parts {
  readonly head: AnswerHead;
  readonly echo: ResponseEcho;
  readonly output: readonly object[];
  readonly status: AnswerStatus;
  readonly usage?: Usage;
  /** The conversation that the answer continues; the first events of a stream do not repeat it, since it may be long. */
  readonly previous?: string | undefined;
  /** The sealed state, and whether it is the id: clients refuse a stream whose id changes. */
  readonly state?: string | undefined;
  readonly isStreamed?: boolean;
}

function responseOf({ head, echo, output, status, usage, previous, state, isStreamed = false }: Parts) {
  return {
    id: isStreamed ? head.id : (state ?? head.id),
    ...(isStreamed && state !== undefined && { cloister_state: state }),
    object: 'response',
    created_at: head.created,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    model: head.model,
    output,
    previous_response_id: previous ?? null,
    store: state !== undefined,
    background: false,
    ...echo,
    ...(usage !== undefined && { usage: usageOf(usage) }),
  };
}

function usageOf(usage: Usage) {
  return {
    input_tokens: usage.prompt_tokens,
    // Prompts are stored in the cache at no charge.
    input_tokens_details: { ...usage.prompt_tokens_details, cache_write_tokens: 0 },
    output_tokens: usage.completion_tokens,
    output_tokens_details: usage.completion_tokens_details,
    total_tokens: usage.total_tokens,
  };
}
