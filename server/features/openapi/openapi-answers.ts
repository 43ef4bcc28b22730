/** The bodies of answers as JSON schemas, for `GET /v1/openapi.json`. What a route answers is decided by the route. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';

const text: JsonObject = { type: 'string' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Every one of `properties` is there, but for those of `optional`. */
function object(properties: JsonObject, optional: JsonObject = {}): JsonObject {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

const finishReason: JsonObject = { enum: ['stop', 'length', 'tool_calls', null] };

const usage = object(
  { prompt_tokens: count, completion_tokens: count, total_tokens: count },
  {
    prompt_tokens_details: object({ cached_tokens: count }),
    completion_tokens_details: object({ reasoning_tokens: count }),
  },
);

const delta: JsonObject = {
  type: 'object',
  properties: { role: text, content: text, reasoning_content: text, tool_calls: list({ type: 'object' }) },
};

const message = object(
  { role: { const: 'assistant' }, content: { type: ['string', 'null'] } },
  { reasoning_content: text, tool_calls: list({ type: 'object' }), refusal: { type: 'null' } },
);

const head: JsonObject = { id: text, created: { type: 'integer', description: 'Unix seconds.' }, model: text };
const agent: JsonObject = { type: 'object', description: 'Of an agent: what its tools found, and what it was shown.' };

const dollars: JsonObject = { type: 'number', minimum: 0 };

const pricing: JsonObject = {
  type: 'object',
  description:
    'What the account pays, in US dollars: `prompt` and `completion` per million tokens, `image` for each picture, `step` ' +
    'for each of its denoising steps.',
  properties: { prompt: dollars, completion: dollars, image: dollars, step: dollars },
};

const digits = (bytes: number): JsonObject => ({ type: ['string', 'null'], pattern: `^[0-9a-f]{${2 * bytes}}$` });

/** By the name that paths refer to. */
export const answerSchemas = {
  ChannelProof: object({
    version: { const: 'cloister.channel.v1' },
    keyset_digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    quote: { type: 'string', description: 'Base64.' },
    channel_key: { ...digits(32), description: 'Ed25519. Null where the quote was made for this connection.' },
    signature: { ...digits(64), description: 'By `channel_key`, over the statement about this connection.' },
  }),
  ChatCompletion: object(
    {
      ...head,
      object: { const: 'chat.completion' },
      choices: list(object({ index: count, message, finish_reason: finishReason, logprobs: {} })),
      usage,
    },
    { system_fingerprint: text, agent },
  ),
  ChatCompletionChunk: object(
    {
      ...head,
      object: { const: 'chat.completion.chunk' },
      choices: list(object({ index: count, delta, finish_reason: finishReason }, { logprobs: {} })),
    },
    { system_fingerprint: text, usage: { oneOf: [usage, { type: 'null' }] }, agent },
  ),
  EmbeddingList: object({
    object: { const: 'list' },
    data: list(
      object({
        object: { const: 'embedding' },
        index: count,
        embedding: { oneOf: [list({ type: 'number' }), { ...text, description: 'base64 of little-endian floats' }] },
      }),
    ),
    model: text,
    usage: object({ prompt_tokens: count, completion_tokens: { const: 0 }, total_tokens: count }),
  }),
  ImageList: object({
    created: { type: 'integer' },
    data: list({ type: 'object', properties: { url: text, b64_json: text }, minProperties: 1, maxProperties: 1 }),
  }),
  Model: object(
    { id: text, object: { const: 'model' } },
    {
      created: { type: 'integer' },
      owned_by: text,
      status: text,
      context_length: count,
      max_output_tokens: count,
      pricing,
      capabilities: { type: 'object' },
      endpoint: text,
    },
  ),
  ModelList: object({ object: { const: 'list' }, data: list(ref('Model')) }),
  Error: object(
    {
      error: {
        description:
          'What is wrong, and what to do. Where ACI defines the refusal, and on its routes: an object as ACI has it.',
        oneOf: [text, object({ message: text, type: text, code: { type: 'null' }, param: { type: 'null' } })],
      },
    },
    {
      details: object(
        { status: { type: 'integer' }, endpoint: text, code: { ...text, description: 'Stable.' } },
        {
          plan: text,
          attempts: list(object({ step: text, url: text, status: { type: 'integer' }, latency_ms: count })),
          usage: object({ tokens_used: count, tokens_limit: count }),
          retry_after: { type: 'integer', description: 'Seconds.' },
        },
      ),
    },
  ),
} as const satisfies Record<string, JsonObject>;
