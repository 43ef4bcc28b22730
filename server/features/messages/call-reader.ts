/** Reads the bodies of Anthropic's routes, on the serving thread or on the thread for large bodies. */
import type { ChatInput } from '@cloister/models/interface/model';
import { requireCountMayFit, requireMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { CallReader } from '../../bodies/call-reader.ts';
import type { ChatTerms } from '../chat/call-reader.ts';
import { type MessagesCall, readCountCall, readMessagesCall } from './call.ts';

export const messagesCallReader: CallReader<MessagesCall, ChatTerms> = {
  name: 'messages',
  read(body, { seed, models }) {
    requireFewMessages(body, models);
    const call = readMessagesCall(body, seed);
    requireFits(call.model, call.work.input, models);
    return call;
  },
};

type CountCall = ReturnType<typeof readCountCall>;

export const countTokensCallReader: CallReader<CountCall, Pick<ChatTerms, 'models'>> = {
  name: 'count-tokens',
  read(body, { models }) {
    requireFewMessages(body, models);
    const call = readCountCall(body);
    requireFits(call.model, call.input, models);
    return call;
  },
};

/** Checked before tens of thousands of messages are read one by one. */
function requireFewMessages(body: unknown, models: ChatTerms['models']): void {
  const { model: id, messages } = (body ?? {}) as { readonly model?: unknown; readonly messages?: unknown };
  const model = typeof id === 'string' ? models?.get(id) : undefined;
  if (model !== undefined && Array.isArray(messages)) requireCountMayFit(messages.length, model);
}

function requireFits(id: string, { messages }: ChatInput, models: ChatTerms['models']): void {
  const model = models?.get(id);
  if (model !== undefined) requireMayFit(messages, model);
}
