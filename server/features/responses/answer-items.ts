/** The items of a response, made of the blocks of an answer. Pure. */
import type { AnswerBlock } from '../chat/answer-blocks.ts';
import { type AnswerHead, logprobEntries } from '../chat/chat-answer.ts';

export type AnswerStatus = 'in_progress' | 'completed' | 'incomplete' | 'cancelled';

const itemPrefixes = { reasoning: 'rs', text: 'msg', call: 'fc' } as const;

/** @param index of the item in the answer */
export function itemId({ id }: AnswerHead, index: number, { kind }: AnswerBlock): string {
  return `${itemPrefixes[kind]}_${id.slice('resp_'.length)}_${index}`;
}

/** @param status of the answer if this is its last item: the API has no status for a cancelled item */
export function itemOf(block: AnswerBlock, { id, status: ofAnswer }: { id: string; status: AnswerStatus }) {
  const status = ofAnswer === 'cancelled' ? 'incomplete' : ofAnswer;
  switch (block.kind) {
    case 'reasoning':
      return { id, type: 'reasoning', summary: [], content: [partOf(block)], status };
    case 'text':
      return { id, type: 'message', status, role: 'assistant', content: [partOf(block)] };
    case 'call':
      return { id, type: 'function_call', status, call_id: block.id, name: block.name, arguments: block.text };
  }
}

/** The contents of a text or of reasoning. */
export function partOf(block: AnswerBlock) {
  const { kind, text } = block;
  if (kind === 'reasoning') return { type: 'reasoning_text', text };
  const logprobs = kind === 'text' ? logprobEntries(block.logprobs) : [];
  return { type: 'output_text', text, annotations: [], logprobs };
}

/** The item as it is added to a stream. */
export function emptyItem(block: AnswerBlock, id: string) {
  const item = itemOf(emptied(block), { id, status: 'in_progress' });
  return block.kind === 'call' ? item : { ...item, content: [] };
}

/** The block as it was opened: later events have its text and log probabilities. */
export function emptied(block: AnswerBlock): AnswerBlock {
  return block.kind === 'text' ? { ...block, text: '', logprobs: [] } : { ...block, text: '' };
}
