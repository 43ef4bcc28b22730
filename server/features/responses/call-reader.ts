/** Read the bodies of responses and of the count of their input's tokens, on either thread. */
import type { ChatInput } from '@cloister/models/interface/model';
import { requireCountMayFit, requireMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { CallReader } from '../../bodies/call-reader.ts';
import type { ChatTerms } from '../chat/call-reader.ts';
import { type ResponseCall, readInputTokensCall, readResponseCall } from './call.ts';

export const responseCallReader: CallReader<ResponseCall, ChatTerms> = {
  name: 'responses',
  read(body, { seed, models }) {
    const { truncation } = (body ?? {}) as { readonly truncation?: unknown };
    const bounded = truncation === 'auto' ? undefined : models;
    requireFewItems(body, bounded);
    const call = readResponseCall(body, seed);
    requireFits(call.model, call.work.input, bounded);
    return call;
  },
};

type InputTokensCall = ReturnType<typeof readInputTokensCall>;

export const inputTokensCallReader: CallReader<InputTokensCall, Pick<ChatTerms, 'models'>> = {
  name: 'input-tokens',
  read(body, { models }) {
    requireFewItems(body, models);
    const call = readInputTokensCall(body);
    requireFits(call.model, call.input, models);
    return call;
  },
};

/** Checked before tens of thousands of items are read one by one. */
function requireFewItems(body: unknown, models: ChatTerms['models']): void {
  const { model: id, input } = (body ?? {}) as { readonly model?: unknown; readonly input?: unknown };
  const model = typeof id === 'string' ? models?.get(id) : undefined;
  if (model !== undefined && Array.isArray(input)) requireCountMayFit(countMessages(input), model);
}

function requireFits(id: string, { messages }: ChatInput, models: ChatTerms['models']): void {
  const model = models?.get(id);
  if (model !== undefined) requireMayFit(messages, model);
}

/** Reasoning and calls are parts of a message; every other item is one. */
function countMessages(items: readonly unknown[]): number {
  return items.filter((item) => {
    const { type } = (item ?? {}) as { readonly type?: unknown };
    return type !== 'reasoning' && type !== 'function_call' && type !== 'custom_tool_call';
  }).length;
}
