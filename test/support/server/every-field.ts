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

const question = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] };
const responseTool = {
  type: 'function',
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object' },
  strict: true,
};
const responsePrompt = {
  model: modelId,
  input: [
    question,
    { type: 'reasoning', id: 'r', summary: [], content: [{ type: 'reasoning_text', text: 'Well.' }] },
    { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'There.' },
    question,
  ],
  ...{ instructions: 'Be brief.', tools: [responseTool], parallel_tool_calls: true, reasoning: { effort: 'low' } },
  tool_choice: { type: 'function', name: 'look' },
  text: { format: { type: 'json_schema', name: 'x', description: 'X.', strict: true, schema: { type: 'object' } } },
};
const messagesPrompt = {
  model: modelId,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    { role: 'user', content: [{ type: 'document', title: 'A', source: { type: 'text', data: 'B' } }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Well.', signature: 's' },
        { type: 'tool_use', id: 'c', name: 'look', input: { place: 'here' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'There.', is_error: true }] },
    { role: 'system', content: 'It is noon.' },
  ],
  tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
  tool_choice: { type: 'tool', name: 'look' },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
};

/** By route: bodies of the other APIs for text, each with every field that its reader knows. */
export const everyFieldOf: Readonly<Record<string, object>> = {
  '/v1/completions': {
    ...{ model: modelId, prompt: ['Once', 'upon'], max_tokens: 8, temperature: 1, top_p: 1, top_k: 40, min_p: 0, n: 2 },
    ...{ best_of: 2, seed: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: { 5: 1 }, logprobs: 2 },
    ...{ stop: ['end'], stream: true, stream_options: { include_usage: true }, echo: false, suffix: '' },
    ...{ add_special_tokens: true, user: 'someone' },
  },
  '/v1/tokenize': { model: modelId, prompt: 'Hello', add_special_tokens: true, add_generation_prompt: true },
  '/v1/detokenize': { model: modelId, tokens: [72, 105] },
  '/v1/responses': {
    ...responsePrompt,
    ...{ stream: true, store: true, background: false, max_output_tokens: 8, temperature: 1, top_p: 1 },
    ...{ include: ['message.output_text.logprobs'], top_logprobs: 2, metadata: { note: 'a' } },
  },
  '/v1/responses/input_tokens': responsePrompt,
  '/v1/messages': {
    ...messagesPrompt,
    ...{ max_tokens: 8, stream: true, stop_sequences: ['end'], temperature: 1, top_p: 1, top_k: 40 },
  },
  '/v1/messages/count_tokens': messagesPrompt,
};
