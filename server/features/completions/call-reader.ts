/** Read the bodies of completions, `tokenize` and `detokenize`, on either thread. */
import type { PromptInput, TokenPrompt } from '@cloister/models/interface/model';
import { requireCountMayFit, requirePromptMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { CallReader } from '../../bodies/call-reader.ts';
import type { ChatTerms } from '../chat/call-reader.ts';
import {
  type CompletionCall,
  readCompletionCall,
  readDetokenizeCall,
  readTokenizeCall,
  type TokensCall,
} from './call.ts';

export const completionCallReader: CallReader<CompletionCall, ChatTerms> = {
  name: 'completions',
  read(body, { seed, models }) {
    const call = readCompletionCall(body, seed);
    requireFits(call.model, call.prompts, models);
    return call;
  },
};

export const tokenizeCallReader: CallReader<TokensCall<PromptInput>, Pick<ChatTerms, 'models'>> = {
  name: 'tokenize',
  read(body, { models }) {
    requireFewMessages(body, models);
    const call = readTokenizeCall(body);
    requireFits(call.model, [call.input], models);
    return call;
  },
};

export const detokenizeCallReader: CallReader<TokensCall<TokenPrompt>, Pick<ChatTerms, 'models'>> = {
  name: 'detokenize',
  read(body, { models }) {
    const call = readDetokenizeCall(body);
    requireFits(call.model, [call.input], models);
    return call;
  },
};

/** Checked before tens of thousands of messages are read one by one. */
function requireFewMessages(body: unknown, models: ChatTerms['models']): void {
  const { model: id, messages } = (body ?? {}) as { readonly model?: unknown; readonly messages?: unknown };
  const model = typeof id === 'string' ? models?.get(id) : undefined;
  if (model !== undefined && Array.isArray(messages)) requireCountMayFit(messages.length, model);
}

function requireFits(id: string, prompts: readonly PromptInput[], models: ChatTerms['models']): void {
  const model = models?.get(id);
  if (model === undefined) return;
  for (const prompt of prompts) requirePromptMayFit(prompt, model);
}
