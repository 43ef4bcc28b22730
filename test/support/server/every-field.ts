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
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'output_text', text: 'So.' },
      ],
    },
    { role: 'user', content: 'And?' },
  ],
  ...{ max_tokens: 8, max_completion_tokens: 8, temperature: 1, top_p: 1, top_k: 40, min_p: 0, n: 1, seed: 1 },
  ...{ presence_penalty: 0, frequency_penalty: 0, logit_bias: { 5: 1 }, logprobs: true, top_logprobs: 2 },
  ...{ stop: ['end'], stream: true, stream_options: { include_usage: true }, user: 'someone' },
  ...{ tools: [tool], tool_choice: { type: 'function', function: { name: 'look' } }, parallel_tool_calls: true },
  response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema: { type: 'object' } } },
  ...{ reasoning_effort: 'low', reasoning: { effort: 'low' }, thinking: { type: 'enabled' }, enable_thinking: true },
  ...{ chat_template_kwargs: { reasoning_effort: 'low' }, reasoning_budget: -1, think: true, service_tier: 'auto' },
  ...{ verbosity: 'medium', modalities: ['text'], prediction: { type: 'content', content: 'Hello' }, documents: [] },
  ...{ reasoning_format: 'auto', structured_outputs: {}, best_of: 1, grammar: '' },
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
const customTool = {
  ...{ type: 'custom', name: 'write', description: 'Writes.' },
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
};
const textFile = { type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,YQ==' };
const responsePrompt = {
  model: modelId,
  input: [
    question,
    { type: 'reasoning', summary: [], encrypted_content: 'e' },
    { type: 'custom_tool_call', call_id: 'd', name: 'write', input: 'Text.' },
    { type: 'custom_tool_call_output', call_id: 'd', output: [{ type: 'input_text', text: 'Done.' }, textFile] },
    { type: 'reasoning', id: 'r', summary: [], content: [{ type: 'reasoning_text', text: 'Well.' }] },
    { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'There.' },
    question,
  ],
  ...{
    instructions: 'Be brief.',
    tools: [responseTool, customTool],
    parallel_tool_calls: true,
    reasoning: { effort: 'low' },
  },
  tool_choice: { type: 'function', name: 'look' },
  text: { format: { type: 'json_schema', name: 'x', description: 'X.', strict: true, schema: { type: 'object' } } },
};
const messagesPrompt = {
  model: modelId,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'document', title: 'A', context: 'C', source: { type: 'text', data: 'B' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'D' }] } },
        { type: 'search_result', source: 'E', title: 'F', content: [{ type: 'text', text: 'G' }] },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Well.', signature: 's' },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'H' } },
        { type: 'web_search_tool_result', tool_use_id: 's', content: [{ title: 'I', url: 'J' }] },
        { type: 'tool_use', id: 'c', name: 'look', input: { place: 'here' } },
        { type: 'tool_use', id: 'd', name: 'look', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c', content: 'There.', is_error: true },
        { type: 'tool_result', tool_use_id: 'd', content: [{ type: 'tool_reference', tool_name: 'look' }] },
        { type: 'text', text: 'Well?', cache_control: { type: 'ephemeral' } },
      ],
    },
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
  '/v1/tokenize': {
    ...{ model: modelId, prompt: 'Hello', add_special_tokens: true, add_generation_prompt: true },
    ...{ return_token_strs: false },
  },
  '/v1/detokenize': { model: modelId, tokens: [72, 105] },
  '/v1/responses': {
    ...responsePrompt,
    ...{ stream: true, store: true, background: false, max_output_tokens: 8, temperature: 1, top_p: 1 },
    ...{ include: ['message.output_text.logprobs'], top_logprobs: 2, metadata: { note: 'a' }, truncation: 'auto' },
    ...{ top_k: 40, min_p: 0, seed: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: { 5: 1 }, stop: ['end'] },
    ...{ max_tool_calls: 1, service_tier: 'auto', prompt_cache_key: 'a', safety_identifier: 'b', user: 'c' },
  },
  '/v1/responses/input_tokens': responsePrompt,
  '/v1/messages': {
    ...messagesPrompt,
    ...{ max_tokens: 8, stream: true, stop_sequences: ['end'], temperature: 1, top_p: 1, top_k: 40 },
    ...{ min_p: 0, seed: 1, presence_penalty: 0, frequency_penalty: 0, logit_bias: { 5: 1 } },
  },
  '/v1/messages/count_tokens': messagesPrompt,
};
