/** The schema of the body of a chat: OpenAI's fields and extensions of this server. */
import type { Static } from 'typebox';
import { choice, flag, text } from '../../schema/members.ts';
import { defaulted, type OpenObject } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';
import { message } from './message-schema.ts';
import { effortNames } from './thinking-switches.ts';

const stopStringsMax = 64;
const stopLengthMax = 1024;

export const tool = Type.Object({
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String({
      pattern: '^[A-Za-z0-9_.-]{1,64}$',
      description: '1 to 64 letters, digits, dots, dashes or underscores',
    }),
    description: Type.Optional(text),
    parameters: Type.Optional(Type.Object({}, { description: 'A JSON schema, at most 64 levels deep.' })),
    strict: Type.Optional(
      Type.Boolean({
        description:
          'true: a schema that cannot be enforced as a whole is refused; otherwise, what cannot be enforced is left free.',
      }),
    ),
  }),
});

const toolChoice = Type.Union(
  [
    choice(['none', 'auto', 'required']),
    Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: text }) }),
    Type.Object({
      type: Type.Literal('allowed_tools'),
      allowed_tools: Type.Object({
        mode: choice(['auto', 'required']),
        tools: Type.Array(Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: text }) }), {
          minItems: 1,
          maxItems: 128,
        }),
      }),
    }),
  ],
  {
    description:
      '"auto", "none", "required", {"type": "function", "function": {"name": …}} or {"type": "allowed_tools", "allowed_tools": …}',
  },
);

export type ToolChoice = Static<typeof toolChoice>;

const formats = [
  Type.Object({ type: Type.Literal('text') }),
  Type.Object({
    type: Type.Literal('json_object'),
    schema: Type.Optional(Type.Object({}, { description: 'As `json_schema.schema`. Not part of the OpenAI API.' })),
  }),
  Type.Object({
    type: Type.Literal('json_schema'),
    json_schema: Type.Object({
      name: Type.Optional(Type.Unknown()),
      schema: Type.Optional(Type.Object({})),
      strict: Type.Optional(Type.Unknown()),
    }),
  }),
] as const;

/** The fields of sampling that chats and completions have in common. */
export const samplingFields = {
  top_p: defaulted(Type.Number({ minimum: 0, maximum: 1 }), 1),
  top_k: defaulted(
    Type.Integer({ minimum: -1, maximum: 1_000_000, description: '0 or -1: no limit. Not part of the OpenAI API.' }),
    0,
  ),
  min_p: defaulted(Type.Number({ minimum: 0, maximum: 1, description: 'Not part of the OpenAI API.' }), 0),
  presence_penalty: defaulted(Type.Number({ minimum: -2, maximum: 2 }), 0),
  frequency_penalty: defaulted(Type.Number({ minimum: -2, maximum: 2 }), 0),
  logit_bias: Type.Optional(
    Type.Record(Type.String(), Type.Number({ minimum: -100, maximum: 100 }), {
      maxProperties: 1024,
      propertyNames: Type.String({ pattern: '^\\d{1,10}$', description: 'token ids' }),
    }),
  ),
  // As wide as signed and unsigned integers of 64 bits.
  seed: Type.Optional(Type.Integer({ minimum: -(2 ** 63), maximum: 2 ** 64 })),
};

export const stop = Type.Optional(
  Type.Union(
    [
      Type.String({ minLength: 1, maxLength: stopLengthMax }),
      Type.Array(Type.String({ minLength: 1, maxLength: stopLengthMax }), { maxItems: stopStringsMax }),
    ],
    {
      description: `a string or an array of at most ${stopStringsMax} strings, each of 1 to ${stopLengthMax} characters`,
    },
  ),
);

const byType = { discriminator: { propertyName: 'type' } };
const chatFormat = Type.Union([...formats], byType);
const agentFormat = Type.Union(
  [
    ...formats,
    Type.Object({ type: Type.Literal('agent_report') }),
    Type.Object(
      { type: Type.Literal('agent_facts') },
      { description: "The agent's model lists what the documents state, and the server confirms each fact in them." },
    ),
  ],
  byType,
);

/** OpenAI's limit. */
export const choicesMax = 128;
/** The limit of the contract; also of whole answers with log probabilities, which stay in memory until the last token. */
export const contractChoicesMax = 10;

const prediction = Type.Object({
  type: Type.Literal('content'),
  content: Type.Union([text, Type.Array(Type.Object({ type: Type.Literal('text'), text }))], {
    description: 'a string or an array of text parts',
  }),
});

/** Fields that change nothing here, whose other values are refused as OpenAI does for models without the function. */
const fixedFields = {
  verbosity: Type.Optional(Type.Enum(['medium'], { type: 'string', description: 'Only "medium", the default.' })),
  modalities: Type.Optional(Type.Array(choice(['text']), { description: 'Only text.' })),
  service_tier: Type.Optional(choice(['auto', 'default', 'flex', 'scale', 'priority'])),
  prediction: Type.Optional(prediction),
};
export const fixedNames = Object.keys(fixedFields) as (keyof typeof fixedFields)[];

interface Surface {
  readonly messagesMax: number;
  readonly temperatureMax: number;
  readonly format: typeof chatFormat | typeof agentFormat;
  readonly model?: string;
  /** Default: that of the contract (I-018). */
  readonly choicesMax?: number;
}

/** Builds the schema of a chat request. `Surface` lists what differs between the surfaces. */
function buildChatBody({ messagesMax, temperatureMax, format, model, choicesMax = contractChoicesMax }: Surface) {
  return Type.Object({
    model: Type.String(model === undefined ? {} : { description: model }),
    messages: Type.Array(message, { minItems: 1, maxItems: messagesMax, description: 'an array of messages' }),
    stream: flag(false),
    stream_options: Type.Optional(Type.Object({ include_usage: flag(false) })),
    tools: Type.Optional(Type.Array(tool, { maxItems: 128 })),
    tool_choice: Type.Optional(toolChoice),
    parallel_tool_calls: flag(true),
    response_format: Type.Optional(format),
    reasoning_effort: Type.Optional(choice(effortNames)),
    n: defaulted(Type.Integer({ minimum: 1, maximum: choicesMax }), 1),
    max_tokens: Type.Optional(Type.Integer({ minimum: 1, description: 'Agents have their own default.' })),
    max_completion_tokens: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The newer name of max_tokens; it takes precedence.' }),
    ),
    temperature: defaulted(
      Type.Number({ minimum: 0, maximum: temperatureMax, description: 'Agents have their own default.' }),
      1,
    ),
    ...samplingFields,
    logprobs: flag(false),
    top_logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, description: 'Requires logprobs.' })),
    stop,
    ...fixedFields,
  });
}

/** The size of the body limits the number of messages long before `messagesMax`. */
const direct = { messagesMax: 100_000, temperatureMax: 2, format: chatFormat };
export const chatBody = buildChatBody(direct);
/** The body below `/openai/v1`. */
export const openAiChatBody = buildChatBody({ ...direct, choicesMax });

const confidential = { messagesMax: 100, temperatureMax: 1, model: 'The slug of an agent, or the id of a model.' };

/** The body on the confidential surface if `model` is a model (I-044, I-046). */
export const confidentialBody = buildChatBody({ ...confidential, format: chatFormat });
/** The body on the confidential surface if `model` is an agent. */
export const agentBody = buildChatBody({ ...confidential, format: agentFormat });

export type ChatBodySchema = typeof chatBody;
/** A body whose members are read one by one. */
export type ChatBody = OpenObject<ChatBodySchema['properties']>;
