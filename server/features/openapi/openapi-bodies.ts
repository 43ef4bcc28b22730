/**
 * The bodies of requests as JSON schemas, for `GET /v1/openapi.json`. The readers beside this file decide what is taken;
 * test/server/features/openapi/openapi.test.ts holds every range, choice and default here against them.
 */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';

const text: JsonObject = { type: 'string' };
const flag = (fallback: boolean): JsonObject => ({ type: 'boolean', default: fallback });
const choice = (choices: readonly string[], fallback?: string): JsonObject => ({
  type: 'string',
  enum: choices,
  ...(fallback === undefined ? {} : { default: fallback }),
});
const number = (minimum: number, maximum: number, fallback: number): JsonObject => ({
  type: 'number',
  minimum,
  maximum,
  default: fallback,
});
const integer = (minimum: number, maximum?: number, fallback?: number): JsonObject => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
  ...(fallback === undefined ? {} : { default: fallback }),
});
const list = (items: JsonObject, { minItems = 1, maxItems }: { minItems?: number; maxItems?: number } = {}) => ({
  type: 'array',
  items,
  minItems,
  ...(maxItems === undefined ? {} : { maxItems }),
});
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const content: JsonObject = {
  description: 'A text, or text parts, which are joined by line feeds.',
  oneOf: [
    text,
    list({ type: 'object', required: ['type', 'text'], properties: { type: choice(['text']), text } }, { minItems: 0 }),
  ],
};

const message: JsonObject = {
  type: 'object',
  required: ['role'],
  properties: {
    role: choice(['system', 'developer', 'user', 'assistant', 'tool']),
    content,
    name: text,
    tool_call_id: { ...text, description: 'Of a message of the role `tool`.' },
    tool_calls: { type: 'array', maxItems: 128, items: { type: 'object' }, description: 'Of an earlier answer.' },
    reasoning_content: { ...text, description: 'Of an earlier answer.' },
  },
};

const tool: JsonObject = {
  type: 'object',
  required: ['type', 'function'],
  properties: {
    type: choice(['function']),
    function: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { ...text, pattern: '^[A-Za-z0-9_.-]{1,64}$' },
        description: text,
        parameters: { type: 'object', description: 'A JSON schema, at most 64 levels deep.' },
      },
    },
  },
};

const format = (types: readonly string[]): JsonObject => ({
  type: 'object',
  required: ['type'],
  properties: {
    type: choice(types),
    json_schema: {
      type: 'object',
      properties: { name: text, schema: { type: 'object' }, strict: { type: 'boolean' } },
    },
  },
});

const formats = ['text', 'json_object', 'json_schema'];

const chatProperties: JsonObject = {
  model: text,
  messages: list(ref('Message')),
  temperature: number(0, 2, 1),
  top_p: number(0, 1, 1),
  top_k: { ...integer(0, 1_000_000, 0), description: '0: no limit. Beyond the contract.' },
  min_p: { ...number(0, 1, 0), description: 'Beyond the contract.' },
  n: integer(1, 10, 1),
  max_tokens: integer(1),
  max_completion_tokens: { ...integer(1), description: 'The newer name of max_tokens; it wins.' },
  presence_penalty: number(-2, 2, 0),
  frequency_penalty: number(-2, 2, 0),
  logit_bias: { type: 'object', additionalProperties: { type: 'number', minimum: -100, maximum: 100 } },
  stop: { oneOf: [text, list(text, { minItems: 0, maxItems: 64 })] },
  seed: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  logprobs: flag(false),
  top_logprobs: { ...integer(0, 20), description: 'Needs logprobs.' },
  stream: flag(false),
  stream_options: { type: 'object', properties: { include_usage: flag(false) } },
  response_format: format(formats),
  tools: { type: 'array', maxItems: 128, items: ref('Tool') },
  tool_choice: { description: 'auto, none, required, or {"type": "function", "function": {"name": …}}.' },
  parallel_tool_calls: flag(true),
  reasoning_effort: choice(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
};

const chat = (properties: JsonObject): JsonObject => ({ type: 'object', required: ['model', 'messages'], properties });

const tokens: JsonObject = list({ type: 'integer', minimum: 0 });

const embedding: JsonObject = {
  type: 'object',
  required: ['model', 'input'],
  properties: {
    model: text,
    input: {
      description: 'A text, texts, token ids, or lists of token ids; none of them empty.',
      oneOf: [text, list(text, { maxItems: 2048 }), tokens, list(tokens, { maxItems: 2048 })],
    },
    encoding_format: choice(['float', 'base64'], 'float'),
    dimensions: { ...integer(1, 65_536), description: 'One of those that the model declares.' },
    truncate: { ...flag(false), description: 'Whether texts that are too long are cut instead of refused.' },
    input_type: choice(['query', 'document']),
    user: text,
  },
};

const image: JsonObject = {
  type: 'object',
  required: ['prompt'],
  properties: {
    prompt: { ...text, minLength: 1, maxLength: 32_000 },
    negative_prompt: { ...text, default: '', maxLength: 32_000 },
    n: integer(1, 10, 1),
    size: choice(['256x256', '512x512', '1024x1024', '1792x1024', '1024x1792'], '1024x1024'),
    response_format: choice(['url', 'b64_json'], 'url'),
    output_format: choice(['png', 'jpeg', 'webp'], 'png'),
    guidance_scale: { ...number(1, 20, 7.5), description: 'A model may have another default.' },
    num_inference_steps: { ...integer(10, 150, 50), description: 'A model may have another default.' },
    seed: integer(0, 2 ** 32 - 1),
    stream: flag(false),
    partial_images: { ...integer(0, 3, 0), description: 'Previews in a stream.' },
  },
};

/** By the name that paths refer to. Fields that no schema has are let through and change nothing. */
export const bodySchemas = {
  Message: message,
  Tool: tool,
  ChatBody: chat(chatProperties),
  ConfidentialChatBody: chat({
    ...chatProperties,
    model: { ...text, description: 'The slug of an agent, or the id of a model.' },
    messages: { ...list(ref('Message'), { maxItems: 100 }), description: 'At most 200,000 characters of content.' },
    temperature: { ...number(0, 1, 1), description: 'The default of a model; an agent has its own.' },
    max_tokens: { ...integer(1), description: 'Where nothing is said, what the agent has: 4096.' },
    response_format: { ...format([...formats, 'agent_report']), description: 'agent_report: of agents only.' },
  }),
  EmbeddingBody: embedding,
  ImageBody: image,
} as const satisfies Record<string, JsonObject>;
