/**
 * The body of OpenAI's Responses API. Members that change nothing here (`metadata`, `user`, `service_tier`, `truncation`) are ignored.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
import { reasoningEfforts } from '@cloister/models/interface/model';
import type { Static } from 'typebox';
import { choice, flag, text } from '../../schema/members.ts';
import { defaulted, type ReadOf } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';

const byType = { discriminator: { propertyName: 'type' } };

const part = Type.Union(
  [
    Type.Object({ type: choice(['input_text', 'output_text', 'text']), text }),
    Type.Object({ type: Type.Literal('refusal'), refusal: text }),
  ],
  byType,
);

const content = Type.Union([text, Type.Array(part, { description: 'an array of text parts' })]);

const image = Type.Object({
  type: Type.Literal('input_image'),
  image_url: Type.String({ description: 'A data URL; links are refused.' }),
});

/** Only messages of users may have images: others are refused before. */
const messageContent = Type.Union([
  text,
  Type.Array(Type.Union([...part.anyOf, image], byType), { description: 'an array of text and image parts' }),
]);

export type ResponseContent = Static<typeof messageContent>;

const message = Type.Object({
  type: defaulted(Type.Literal('message'), 'message'),
  role: choice(['user', 'assistant', 'system', 'developer']),
  content: messageContent,
});

const functionCall = Type.Object({
  type: Type.Literal('function_call'),
  call_id: text,
  name: text,
  arguments: text,
});

const functionCallOutput = Type.Object({
  type: Type.Literal('function_call_output'),
  call_id: text,
  output: content,
});

const reasoningItem = Type.Object({
  type: Type.Literal('reasoning'),
  content: Type.Optional(Type.Array(Type.Object({ type: Type.Literal('reasoning_text'), text }))),
});

/** An item of `input`; a message may leave out its type. */
export const responseItem = Type.Union([message, functionCall, functionCallOutput, reasoningItem], byType);

export type ResponseItem = Static<typeof responseItem>;

const tool = Type.Object({
  type: Type.Enum(['function'], { type: 'string', description: '"function": this server runs no tools' }),
  name: Type.String({
    pattern: '^[A-Za-z0-9_.-]{1,64}$',
    description: '1 to 64 letters, digits, dots, dashes or underscores',
  }),
  description: Type.Optional(text),
  parameters: Type.Optional(Type.Object({}, { description: 'A JSON schema, at most 64 levels deep.' })),
  strict: flag(true, 'Arguments always match the schema.'),
});

const named = Type.Object({ type: Type.Literal('function'), name: text });

const toolChoice = Type.Union(
  [
    choice(['none', 'auto', 'required']),
    named,
    Type.Object({
      type: Type.Literal('allowed_tools'),
      mode: choice(['auto', 'required']),
      tools: Type.Array(named, { minItems: 1, maxItems: 128 }),
    }),
  ],
  { description: '"auto", "none", "required", {"type": "function", "name": …} or {"type": "allowed_tools", …}' },
);

export type ResponseToolChoice = Static<typeof toolChoice>;

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
  byType,
);

const effort = choice(reasoningEfforts);

/** What both routes read. */
const prompt = {
  model: text,
  input: Type.Union([text, Type.Array(responseItem, { minItems: 1, maxItems: 100_000 })], {
    description: 'a text or an array of items',
  }),
  instructions: Type.Optional(text),
  previous_response_id: Type.Optional(
    Type.String({
      description:
        'The `id` of the answer that this request continues, or `cloister_state` of a stream; its request had `store: true`.',
    }),
  ),
  tools: Type.Optional(Type.Array(tool, { maxItems: 128 })),
  tool_choice: Type.Optional(toolChoice),
  parallel_tool_calls: flag(true),
  text: Type.Optional(Type.Object({ format: Type.Optional(format) })),
  reasoning: Type.Optional(Type.Object({ effort: Type.Optional(effort) })),
};

/** The value of `include` that asks for log probabilities. */
export const logprobsIncluded = 'message.output_text.logprobs';

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
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  temperature: defaulted(Type.Number({ minimum: 0, maximum: 2 }), 1),
  top_p: defaulted(Type.Number({ minimum: 0, maximum: 1 }), 1),
  include: Type.Optional(
    Type.Array(Type.String({ maxLength: 256 }), {
      maxItems: 64,
      description: `an array of texts; only "${logprobsIncluded}" has an effect`,
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
});

/** Members of the sampling of an answer are ignored. */
export const inputTokensBody = Type.Object(prompt);

export type InputTokensBody = ReadOf<typeof inputTokensBody>;

export type ResponsesBody = ReadOf<typeof responsesBody>;
