import type { Sampling } from '../../../models/interface/model.ts';
import type { ChatRequest } from '../../../runtime/chat/request.ts';

export const greedy: Sampling = {
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  logitBias: [],
  seed: 1,
  logprobs: undefined,
};

/** A plain request for one greedy answer to `prompt`. */
export function chatRequest(prompt: string, overrides: Partial<ChatRequest> = {}): ChatRequest {
  return {
    input: {
      messages: [{ role: 'user', content: prompt }],
      tools: [],
      toolChoice: 'none',
      parallelToolCalls: false,
      jsonSchema: undefined,
      reasoning: true,
    },
    choices: 1,
    maxTokens: 8,
    sampling: greedy,
    stop: [],
    account: 'account',
    contextMax: undefined,
    priority: 0,
    timeoutMs: 60_000,
    ...overrides,
  };
}
