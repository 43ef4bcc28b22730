/**
 * The body of OpenAI's Responses API. Members that change no answer (`user`, `max_tool_calls`, `service_tier`) have no effect.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */

import { choice, flag, text } from '../../schema/members.ts';
import { defaulted, type ReadOf } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';
import { samplingFields, stop } from '../chat/schema.ts';
import { effortNames } from '../chat/thinking-switches.ts';
import { responseItem } from './item-schema.ts';
import { toolChoice, tools } from './tool-schema.ts';

const format = Type.Union(
  [
    Type.Object({ type: choice(['text', 'json_object']) }),
    Type.Object({
      type: Type.Literal('json_schema'),
      name: Type.Optional(text),
      description: Type.Optional(text),
      schema: Type.Object({}),
      strict: flag(true, 'Answers always match the schema.'),
    }),
  ],
  { discriminator: { propertyName: 'type' } },
);

/** What both routes read. */
const prompt = {
  model: text,
  input: Type.Union([
    text,
    Type.Array(responseItem, { minItems: 1, maxItems: 100_000, description: 'an array of at least one item' }),
  ]),
  instructions: Type.Optional(text),
  previous_response_id: Type.Optional(
    Type.String({
      description:
        'The `id` of the answer that this request continues, or `cloister_state` of a stream; its request had `store: true`.',
    }),
  ),
  tools,
  tool_choice: Type.Optional(toolChoice),
  parallel_tool_calls: flag(true),
  text: Type.Optional(
    Type.Object({
      format: Type.Optional(format),
      verbosity: defaulted(
        Type.Enum(['medium'], { type: 'string', description: 'Only "medium", the default.' }),
        'medium',
      ),
    }),
  ),
  reasoning: Type.Optional(Type.Object({ effort: Type.Optional(choice(effortNames)) })),
};

/** The values of `include` that have an effect: no other value names a part of an answer that this server gives. */
export const logprobsIncluded = 'message.output_text.logprobs';
export const encryptedReasoning = 'reasoning.encrypted_content';

const label = Type.Optional(
  Type.String({
    maxLength: 512,
    description: 'Repeated in the answer, without another effect.',
    examples: ['customer-17'],
  }),
);

export const responsesBody = Type.Object({
  ...prompt,
  stream: flag(false),
  store: Type.Optional(
    Type.Boolean({
      description:
        'true: the `id` of the answer, or `cloister_state` of a stream, is its sealed state, valid for one hour. Nothing is stored.',
    }),
  ),
  background: flag(false, 'Only false: nothing is stored, so there would be nothing to fetch.'),
  truncation: defaulted(
    Type.Enum(['disabled', 'auto'], {
      type: 'string',
      description: '`auto`: a conversation without images that exceeds the context loses its oldest turns.',
    }),
    'disabled',
  ),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  max_tool_calls: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Repeated in the answer. It limits tools of OpenAI’s servers, which this server does not have.',
      examples: [3],
    }),
  ),
  ...samplingFields,
  temperature: defaulted(Type.Number({ minimum: 0, maximum: 2 }), 1),
  stop,
  include: Type.Optional(
    Type.Array(Type.String({ maxLength: 256 }), {
      maxItems: 64,
      description: `an array of texts; only "${logprobsIncluded}" and "${encryptedReasoning}" have an effect`,
    }),
  ),
  top_logprobs: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 20, description: `Requires "${logprobsIncluded}" in include.` }),
  ),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 512 }), {
      maxProperties: 16,
      propertyNames: Type.String({ maxLength: 64, description: 'texts of at most 64 characters' }),
    }),
  ),
  service_tier: Type.Optional(
    Type.Enum(['auto', 'default', 'flex', 'scale', 'priority'], {
      type: 'string',
      description: 'All tiers are alike.',
    }),
  ),
  prompt_cache_key: label,
  safety_identifier: label,
  user: label,
});

/** Members of the sampling of an answer are ignored. */
export const inputTokensBody = Type.Object(prompt);

export type InputTokensBody = ReadOf<typeof inputTokensBody>;

export type ResponsesBody = ReadOf<typeof responsesBody>;
