/** The items of a response, made of the blocks of an answer. Pure, except that reasoning is sealed. */
import type { AnswerBlock } from '../chat/answer-blocks.ts';
import { type AnswerHead, logprobEntries } from '../chat/chat-answer.ts';
import { inputOf } from './custom-tools.ts';

export type AnswerStatus = 'in_progress' | 'completed' | 'incomplete' | 'cancelled';

export interface ItemOptions {
  /** Names of the tools whose calls have a text as their input. */
  readonly customTools: readonly string[];
  /** Seals reasoning for its client; undefined if the request did not ask for it. */
  readonly sealReasoning?: ((text: string) => string | undefined) | undefined;
}

const itemPrefixes = { reasoning: 'rs', text: 'msg', call: 'fc', custom: 'ctc' } as const;

export class AnswerItems {
  readonly #head: AnswerHead;
  readonly #options: ItemOptions;
  /** Each is sealed once, so that the events of a stream agree. */
  readonly #sealed = new Map<AnswerBlock, string | undefined>();

  constructor(head: AnswerHead, options: ItemOptions) {
    this.#head = head;
    this.#options = options;
  }

  /** @param index of the item in the answer */
  idOf(block: AnswerBlock, index: number): string {
    const kind = this.isCustom(block) ? 'custom' : block.kind;
    return `${itemPrefixes[kind]}_${this.#head.id.slice('resp_'.length)}_${index}`;
  }

  /** Whether the block is a call of a custom tool. */
  isCustom(block: AnswerBlock): boolean {
    return block.kind === 'call' && this.#options.customTools.includes(block.name);
  }

  /** @param ofAnswer the status of the answer if this is its last item: the API has no status for a cancelled item */
  itemOf(block: AnswerBlock, index: number, ofAnswer: AnswerStatus) {
    const id = this.idOf(block, index);
    const status = ofAnswer === 'cancelled' ? 'incomplete' : ofAnswer;
    switch (block.kind) {
      case 'reasoning':
        return { id, type: 'reasoning', summary: [], content: [partOf(block)], ...this.#encrypted(block), status };
      case 'text':
        return { id, type: 'message', status, role: 'assistant', content: [partOf(block)] };
      case 'call': {
        const { id: callId, name, text } = block;
        if (this.isCustom(block)) {
          return { id, type: 'custom_tool_call', status, call_id: callId, name, input: inputOf(text) };
        }
        return { id, type: 'function_call', status, call_id: callId, name, arguments: text };
      }
    }
  }

  /** All items of an answer. If the limit of tokens cut it before its first text, it has an empty message, which is incomplete. */
  all(blocks: readonly AnswerBlock[], status: AnswerStatus): readonly object[] {
    if (blocks.length === 0 && status === 'incomplete')
      return [this.emptyItem({ kind: 'text', text: '', logprobs: [] }, 0, status)];
    return blocks.map((block, index) => this.itemOf(block, index, index === blocks.length - 1 ? status : 'completed'));
  }

  /** The item as it is added to a stream. */
  emptyItem(block: AnswerBlock, index: number, status: AnswerStatus = 'in_progress') {
    const item = this.itemOf(emptied(block), index, status);
    return block.kind === 'call' ? item : { ...item, content: [] };
  }

  #encrypted(block: AnswerBlock): { readonly encrypted_content?: string | null } {
    const { sealReasoning } = this.#options;
    if (sealReasoning === undefined || block.text === '') return {};
    if (!this.#sealed.has(block)) this.#sealed.set(block, sealReasoning(block.text));
    return { encrypted_content: this.#sealed.get(block) ?? null };
  }
}

/** The contents of a text or of reasoning. */
export function partOf(block: AnswerBlock) {
  const { kind, text } = block;
  if (kind === 'reasoning') return { type: 'reasoning_text', text };
  const logprobs = kind === 'text' ? logprobEntries(block.logprobs) : [];
  return { type: 'output_text', text, annotations: [], logprobs };
}

/** The block as it was opened: later events have its text and log probabilities. */
export function emptied(block: AnswerBlock): AnswerBlock {
  return block.kind === 'text' ? { ...block, text: '', logprobs: [] } : { ...block, text: '' };
}
