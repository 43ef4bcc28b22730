/** Writes answers as OpenAI's responses: items, or the events of a stream with their sequence numbers. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { ChatEvent } from '@cloister/runtime/chat/request';
import { type AnswerBlock, AnswerBlocks, type BlockStep } from '../chat/answer-blocks.ts';
import type { AnswerForm } from '../chat/answer-form.ts';
import { type AnswerHead, logprobEntries, type Usage } from '../chat/chat-answer.ts';
import type { ResponseEcho } from './call.ts';
import { readItems } from './items.ts';

type Status = 'in_progress' | 'completed' | 'incomplete' | 'cancelled';
type Reason = Extract<ChatEvent, { kind: 'finished' }>['reason'];

export interface ResponseOptions {
  readonly isCancelled: () => boolean;
  /** Seals the conversation with its answer. @returns undefined if the client gets no state */
  readonly seal: (answer: readonly ChatMessage[]) => string | undefined;
  /** Called before the answer begins. @param describe the answer to its cancellation */
  readonly onHead: (head: AnswerHead, describe: () => object) => void;
}

/** @param echo the members of the body that the answer repeats */
export function responseForm(echo: ResponseEcho, { isCancelled, seal, onHead }: ResponseOptions): AnswerForm {
  const begin = (head: AnswerHead) => onHead(head, () => responseOf({ head, echo, blocks: [], status: 'cancelled' }));
  const statusOf = (reason: Reason): Status => {
    if (isCancelled()) return 'cancelled';
    return reason === 'length' ? 'incomplete' : 'completed';
  };
  const sealed = (blocks: readonly AnswerBlock[]) => (isCancelled() ? undefined : seal(messagesOf(blocks)));
  return {
    idPrefix: 'resp_',

    whole(head) {
      begin(head);
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
          return responseOf({ head, echo, blocks: blocks.blocks, status: statusOf(reason), usage, state });
        },
      };
    },

    stream(head) {
      begin(head);
      const blocks = new AnswerBlocks();
      const events = new EventWriter(head);
      let reason: Reason = 'stop';
      return {
        saw(event) {
          switch (event.kind) {
            case 'started': {
              const response = responseOf({ head, echo, blocks: [], status: 'in_progress' });
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
          const parts = { head, echo, blocks: blocks.blocks, status, usage, state, isStreamed: true };
          const response = responseOf(parts);
          // The API has no event for a cancelled answer.
          return events.write(status === 'completed' ? 'response.completed' : 'response.incomplete', { response });
        },
      };
    },
  };
}

/** The answer as the next request will send it. */
function messagesOf(blocks: readonly AnswerBlock[]): ChatMessage[] {
  return readItems(
    blocks.map(({ kind, text, ...block }) => {
      if (kind === 'reasoning') return { type: 'reasoning', content: [{ type: 'reasoning_text', text }] };
      if (kind === 'text') return { type: 'message', role: 'assistant', content: text };
      const { id, name } = block as Extract<AnswerBlock, { kind: 'call' }>;
      return { type: 'function_call', call_id: id, name, arguments: text };
    }),
  );
}

interface Parts {
  readonly head: AnswerHead;
  readonly echo: ResponseEcho;
  readonly blocks: readonly AnswerBlock[];
  readonly status: Status;
  readonly usage?: Usage;
  /** The sealed state, and whether it is the id: clients refuse a stream whose id changes. */
  readonly state?: string | undefined;
  readonly isStreamed?: boolean;
}

function responseOf({ head, echo, blocks, status, usage, state, isStreamed = false }: Parts) {
  return {
    id: isStreamed ? head.id : (state ?? head.id),
    ...(isStreamed && state !== undefined && { cloister_state: state }),
    object: 'response',
    created_at: head.created,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    model: head.model,
    output: blocks.map((block, index) =>
      itemOf(block, { id: itemId(head, index, block), status: index === blocks.length - 1 ? status : 'completed' }),
    ),
    previous_response_id: null,
    store: state !== undefined,
    background: false,
    truncation: 'disabled',
    ...echo,
    usage: usage === undefined ? null : usageOf(usage),
  };
}

function usageOf(usage: Usage) {
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: usage.prompt_tokens_details,
    output_tokens: usage.completion_tokens,
    output_tokens_details: usage.completion_tokens_details,
    total_tokens: usage.total_tokens,
  };
}

const itemPrefixes = { reasoning: 'rs', text: 'msg', call: 'fc' } as const;

function itemId({ id }: AnswerHead, index: number, { kind }: AnswerBlock): string {
  return `${itemPrefixes[kind]}_${id.slice('resp_'.length)}_${index}`;
}

function itemOf(block: AnswerBlock, { id, status }: { id: string; status: Status }) {
  switch (block.kind) {
    case 'reasoning':
      return { id, type: 'reasoning', summary: [], content: [partOf(block)], status };
    case 'text':
      return { id, type: 'message', status, role: 'assistant', content: [partOf(block)] };
    case 'call':
      return { id, type: 'function_call', status, call_id: block.id, name: block.name, arguments: block.text };
  }
}

function partOf(block: AnswerBlock) {
  const { kind, text } = block;
  if (kind === 'reasoning') return { type: 'reasoning_text', text };
  const logprobs = kind === 'text' ? logprobEntries(block.logprobs) : [];
  return { type: 'output_text', text, annotations: [], logprobs };
}

class EventWriter {
  readonly #head: AnswerHead;
  #sequence = 0;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  write(type: string, members: object): string {
    const data = JSON.stringify({ type, sequence_number: this.#sequence++, ...members });
    return `event: ${type}\ndata: ${data}\n\n`;
  }

  /** @param status of an item that this step closes */
  step(step: BlockStep, status: Status): string {
    const { index, block } = step;
    const id = itemId(this.#head, index, block);
    const place = { item_id: id, output_index: index };
    const content = { ...place, content_index: 0 };
    switch (step.kind) {
      case 'open': {
        const item = emptyItem(block, id);
        const added = this.write('response.output_item.added', { output_index: index, item });
        if (block.kind === 'call') return added;
        return added + this.write('response.content_part.added', { ...content, part: partOf(emptied(block)) });
      }
      case 'append':
        return this.#append(step, { place, content });
      case 'close':
        return (
          this.#done(block, { place, content }) +
          this.write('response.output_item.done', { output_index: index, item: itemOf(block, { id, status }) })
        );
    }
  }

  #append({ block, text: delta, logprobs }: Appended, { place, content }: Places): string {
    switch (block.kind) {
      case 'text':
        return this.write('response.output_text.delta', { ...content, delta, logprobs: logprobEntries(logprobs) });
      case 'reasoning':
        return this.write('response.reasoning_text.delta', { ...content, delta });
      case 'call':
        return this.write('response.function_call_arguments.delta', { ...place, delta });
    }
  }

  #done(block: AnswerBlock, { place, content }: Places): string {
    if (block.kind === 'call') {
      const { name, text } = block;
      return this.write('response.function_call_arguments.done', { ...place, name, arguments: text });
    }
    const type = block.kind === 'text' ? 'response.output_text.done' : 'response.reasoning_text.done';
    const logprobs = block.kind === 'text' ? { logprobs: logprobEntries(block.logprobs) } : {};
    return (
      this.write(type, { ...content, text: block.text, ...logprobs }) +
      this.write('response.content_part.done', { ...content, part: partOf(block) })
    );
  }
}

type Appended = Extract<BlockStep, { kind: 'append' }>;

interface Places {
  readonly place: object;
  readonly content: object;
}

function emptyItem(block: AnswerBlock, id: string) {
  const item = itemOf(emptied(block), { id, status: 'in_progress' });
  return block.kind === 'call' ? item : { ...item, content: [] };
}

/** The block as it was opened: later events have its text and log probabilities. */
function emptied(block: AnswerBlock): AnswerBlock {
  return block.kind === 'text' ? { ...block, text: '', logprobs: [] } : { ...block, text: '' };
}
