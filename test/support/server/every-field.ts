/** A chat body with every field that its reader knows. */
import { modelId } from './test-app.ts';

const tool = { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } };
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };

export const everyChatField = {
  model: modelId,
  messages: [
    { role: 'system', content: 'Be brief.', name: 'operator' },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', content: 'Hm.', reasoning_content: 'Well.', tool_calls: [call] },
    { role: 'tool', content: 'There.', tool_call_id: 'call_1' },
  ],
  ...{ max_tokens: 8, max_completion_tokens: 8, temperature: 1, top_p: 1, top_k: 40, min_p: 0, n: 1, seed: 1 },
  ...{ presence_penalty: 0, frequency_penalty: 0, logit_bias: { 5: 1 }, logprobs: true, top_logprobs: 2 },
  ...{ stop: ['end'], stream: true, stream_options: { include_usage: true }, user: 'someone' },
  ...{ tools: [tool], tool_choice: { type: 'function', function: { name: 'look' } }, parallel_tool_calls: true },
  response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object' } } },
  reasoning_effort: 'low',
  provider: { aci_verified: false, aci_session_ids: [] },
};
