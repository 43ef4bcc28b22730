/** The OpenAPI document, whose schemas are those that validate bodies (I-009). */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfidentialCall } from '../../../../server/features/agents/schema.ts';
import { readChatCall } from '../../../../server/features/chat/call.ts';
import {
  readCompletionCall,
  readDetokenizeCall,
  readTokenizeCall,
} from '../../../../server/features/completions/call.ts';
import { readEmbeddingCall } from '../../../../server/features/embeddings/schema.ts';
import { readImageCall } from '../../../../server/features/images/schema.ts';
import { readCountCall, readMessagesCall } from '../../../../server/features/messages/call.ts';
import { type bodySchemas, openApiDocument } from '../../../../server/features/openapi/openapi.ts';
import { readRerankCall, readScoreCall } from '../../../../server/features/rerank/schema.ts';
import { readInputTokensCall, readResponseCall } from '../../../../server/features/responses/call.ts';
import { testAgent } from '../../../support/agents/test-agent.ts';
import type { AttestedApp } from '../../../support/server/attested-app.ts';
import { startConfidentialApp } from '../../../support/server/confidential-app.ts';

type Body = Readonly<Record<string, unknown>>;

const randomSeed = () => 42;
const findAgent = () => testAgent;
const user = { role: 'user', content: 'Hi' };
const chat = { model: 'm', messages: [user] };
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

const chatBodies: readonly Body[] = [
  { messages: [{ ...user, content: [{ type: 'text', text: 'a' }] }], temperature: 0, n: 10, stop: ['a'] },
  {
    messages: [
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'a' },
    ],
  },
  { tools: [tool], tool_choice: { type: 'function', function: { name: 'f' } }, parallel_tool_calls: false },
  { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } }, logit_bias: { 7: -100 } },
  { logprobs: true, top_logprobs: 20, stream: true, stream_options: { include_usage: true }, seed: -1, zzz: [] },
];
const wrongChatBodies: readonly Body[] = [
  { model: 5 },
  { messages: [] },
  { messages: [{ role: 'robot', content: 'a' }] },
  { messages: [{ role: 'tool', content: 'a' }] },
  { messages: [{ ...user, content: [{ type: 'image_url' }] }] },
  { temperature: 2.1 },
  { n: 1.5 },
  { stop: [''] },
  { stop: Array(65).fill('a') },
  { tools: [{ ...tool, function: { name: 'two words' } }] },
  { tools: [tool], tool_choice: 'some' },
  { response_format: { type: 'xml' } },
  { response_format: { type: 'json_schema' } },
  { logit_bias: { cat: 1 } },
  { logit_bias: { 7: 101 } },
  { stream_options: { include_usage: 1 } },
  { reasoning_effort: 'much' },
];
const responseTool = { type: 'function', name: 'f', parameters: { type: 'object' } };
const anthropic = { model: 'm', messages: [user] };
const anthropicTool = { name: 'f', input_schema: { type: 'object' } };
const anthropicBodies: readonly Body[] = [
  {
    system: [{ type: 'text', text: 'a' }],
    messages: [
      user,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' }] },
    ],
  },
  { messages: [user, { role: 'system', content: [{ type: 'text', text: 'a' }] }] },
  {
    tools: [anthropicTool],
    tool_choice: { type: 'tool', name: 'f' },
    thinking: { type: 'enabled', budget_tokens: 1024 },
  },
];
const wrongAnthropicBodies: readonly Body[] = [
  { messages: [] },
  { messages: [{ role: 'developer', content: 'a' }] },
  { messages: [{ ...user, content: [{ type: 'container_upload' }] }] },
  { tools: [{ type: 'bash_20250124', name: 'bash' }] },
  { tools: [anthropicTool], tool_choice: { type: 'some' } },
  { thinking: { type: 'much' } },
];
const draw = { prompt: 'a' };
const embed = { model: 'm', input: 'a' };
const inputs = (...values: unknown[]) => values.map((input) => ({ input }));

/** Valid and invalid bodies, and the functions that parse them. */
const cases: Readonly<Record<keyof typeof bodySchemas, Case>> = {
  ChatBody: {
    ...{ whole: chat, right: chatBodies, wrong: [...wrongChatBodies, { response_format: { type: 'agent_report' } }] },
    read: (body) => readChatCall(body, randomSeed),
  },
  ConfidentialChatBody: {
    ...{ whole: chat, right: [...chatBodies, { response_format: { type: 'agent_report' } }] },
    wrong: [...wrongChatBodies, { temperature: 1.1 }, { messages: Array(101).fill(user) }],
    read: (body) => readConfidentialCall(body, { findAgent, randomSeed }),
  },
  CompletionBody: {
    whole: { model: 'm', prompt: 'a' },
    right: [
      { prompt: ['a', 'b'], n: 2, best_of: 2, logprobs: 0, echo: false },
      { prompt: [1, 2] },
      { n: 128, prompt: 'a', stream: true },
      { prompt: [[1], [2]], stream: true, stream_options: { include_usage: true }, add_special_tokens: false, zzz: [] },
    ],
    wrong: [
      { prompt: '' },
      { prompt: [] },
      { prompt: [-1] },
      { prompt: Array(129).fill('a') },
      { n: 129 },
      { logprobs: 21 },
      { stop: [''] },
    ],
    read: (body) => readCompletionCall(body, 42),
  },
  TokenizeBody: {
    whole: { model: 'm' },
    right: [],
    wrong: [{ prompt: 5 }, { messages: [] }, { prompt: 'a', add_special_tokens: 1 }],
    read: (body) => readTokenizeCall('prompt' in body || 'messages' in body ? body : { ...body, prompt: 'a' }),
  },
  DetokenizeBody: {
    whole: { model: 'm', tokens: [] },
    right: [{ tokens: [0, 2 ** 31 - 1] }],
    wrong: [{ tokens: 'a' }, { tokens: [-1] }, { tokens: [1.5] }],
    read: readDetokenizeCall,
  },
  RerankBody: {
    whole: { model: 'm', query: 'a', documents: ['b'] },
    right: [{ documents: ['a', { text: 'b' }], top_n: 1, return_documents: true, max_tokens_per_doc: 5, zzz: 1 }],
    wrong: [{ query: '' }, { documents: [] }, { documents: [5] }, { documents: Array(1001).fill('a') }, { top_n: -1 }],
    read: readRerankCall,
  },
  ScoreBody: {
    whole: { model: 'm', text_1: 'a', text_2: 'b' },
    right: [{ text_1: ['a'], text_2: ['b', 'c'], truncate_prompt_tokens: -1, use_activation: false }],
    wrong: [{ text_1: '' }, { text_2: [] }, { truncate_prompt_tokens: 5 }, { use_activation: 'no' }],
    read: readScoreCall,
  },
  ResponsesBody: {
    whole: { model: 'm', input: 'Hi' },
    right: [
      { input: [user, { type: 'function_call_output', call_id: 'c', output: 'a' }], instructions: 'a', stream: true },
      {
        input: [
          { type: 'reasoning', id: 'r', summary: [] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '' },
          user,
        ],
      },
      { tools: [responseTool], tool_choice: { type: 'function', name: 'f' }, max_output_tokens: 1, zzz: [] },
      { text: { format: { type: 'json_schema', name: 'a', schema: {} } }, reasoning: { effort: 'none' } },
      { include: ['message.output_text.logprobs'], top_logprobs: 20, metadata: { note: 'a' } },
    ],
    wrong: [
      { input: [] },
      { input: 5 },
      { input: [{ type: 'item_reference', id: 'a' }] },
      { tools: [{ type: 'web_search' }] },
      { temperature: 2.1 },
      { max_output_tokens: 0 },
      { metadata: { a: 1 } },
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'a'])) },
      { metadata: { ['a'.repeat(65)]: 'a' } },
      { include: 'all' },
      { top_logprobs: 21 },
      { text: { format: { type: 'xml' } } },
    ],
    read: (body) => readResponseCall(body, 42),
  },
  InputTokensBody: {
    whole: { model: 'm', input: 'Hi' },
    right: [{ input: [user], instructions: 'a', tools: [responseTool], reasoning: { effort: 'low' } }],
    wrong: [{ input: [] }, { tools: [{ type: 'web_search' }] }, { text: { format: { type: 'xml' } } }],
    read: readInputTokensCall,
  },
  MessagesBody: {
    whole: { ...anthropic, max_tokens: 1 },
    right: [...anthropicBodies, { stop_sequences: ['a'], top_k: 0, stream: true }],
    wrong: [...wrongAnthropicBodies, { max_tokens: 0 }, { stop_sequences: [''] }, { temperature: 1.1 }],
    read: (body) => readMessagesCall(body, 42),
  },
  CountTokensBody: {
    ...{ whole: anthropic, right: anthropicBodies, wrong: wrongAnthropicBodies },
    read: readCountCall,
  },
  EmbeddingBody: {
    whole: embed,
    right: inputs('a', ['a', 'b'], [0, 2 ** 31 - 1], [[1], [2, 3]]),
    wrong: inputs('', [], [''], [1, 'a'], ['a', 1], [[]], [-1], [1.5], [2 ** 31], Array(2049).fill('a'), 7, {}),
    read: readEmbeddingCall,
  },
  ImageBody: {
    whole: draw,
    right: [{ size: '512x512', n: 10, seed: 2 ** 32 - 1, guidance_scale: 1, output_format: 'webp' }],
    wrong: [{ prompt: '' }, { prompt: 'a'.repeat(32_001) }, { size: '1x1' }, { n: 0 }, { num_inference_steps: 9 }],
    read: (body) => readImageCall(body, { randomSeed }),
  },
};

interface Case {
  readonly whole: Body;
  readonly right: readonly Body[];
  readonly wrong: readonly Body[];
  readonly read: (body: Body) => unknown;
}

describe.each(Object.entries(cases))('the published schema %s', (name, { whole, right, wrong, read }) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...openApiDocument });
  const isValid = ajv.compile({ $ref: `document#/components/schemas/${name}` });
  const describeBody = (fields: Body) => ({ name: JSON.stringify(fields).slice(0, 80), body: { ...whole, ...fields } });

  it.each([{}, ...right].map(describeBody))('accepts a body that the route accepts: $name', ({ body }) => {
    expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true);
    expect(() => read(body)).not.toThrow();
  });

  it.each(wrong.map(describeBody))('rejects a body that the route rejects: $name', ({ body }) => {
    expect(isValid(body)).toBe(false);
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'ERR_REQUEST_INVALID' }));
  });
});

describe('GET /v1/openapi.json', () => {
  let running: AttestedApp;
  beforeAll(async () => {
    running = await startConfidentialApp();
  });
  afterAll(() => running.close());

  it('returns the OpenAPI document with version 1.0.0, also without a key (I-009)', async () => {
    const { status, text } = await running.get('/v1/openapi.json');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument)));
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  it('lists only existing routes', () => {
    for (const [path, operations] of Object.entries(openApiDocument.paths as Record<string, object>)) {
      const url = `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`;
      for (const method of Object.keys(operations)) {
        const has = running.app.hasRoute({ method: method.toUpperCase() as 'GET', url });
        expect({ url, has }).toEqual({ url, has: true });
      }
    }
  });

  it('has no unresolved references', () => {
    const text = JSON.stringify(openApiDocument);
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
    expect(names.filter((name) => !Object.hasOwn(openApiDocument.components.schemas, name))).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
  });
});
