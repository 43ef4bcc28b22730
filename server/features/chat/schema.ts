/** The schema of the body of a chat: OpenAI's fields and extensions of this server. */
import { reasoningEfforts } from '@cloister/models/interface/model';
import type { Static } from 'typebox';
import { choice, flag, text } from '../../schema/members.ts';
import { defaulted, type OpenObject } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';

const stopStringsMax = 64;
const stopLengthMax = 1024;

const content = Type.Union([
  text,
  Type.Array(Type.Object({ type: Type.Literal('text'), text }), { description: 'an array of text parts' }),
]);

const answerContent = Type.Union([
  text,
  Type.Array(
    Type.Union(
      [
        Type.Object({ type: Type.Literal('text'), text }),
        Type.Object({ type: Type.Literal('refusal'), refusal: text }),
      ],
      { discriminator: { propertyName: 'type' } },
    ),
    { description: 'an array of text and refusal parts' },
  ),
]);

const fileData = Type.String({
  minLength: 1,
  description: 'base64, or a data URL with base64. All files of a request together have at most 5,000,000 bytes.',
});
const filename = Type.Optional(Type.String({ maxLength: 255 }));

/** OpenAI's parts for files in chats and in responses. Only agents read files. */
const filePart = Type.Object({
  type: Type.Literal('file'),
  file: Type.Object({ filename, file_data: fileData }),
});
const inputFilePart = Type.Object({ type: Type.Literal('input_file'), filename, file_data: fileData });

const imagePart = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Object({
    url: Type.String({
      description: 'A data URL with a JPEG, PNG, WebP or GIF image. Only models with a projector take images.',
    }),
  }),
});

const userContent = Type.Union([
  text,
  Type.Array(
    Type.Union([Type.Object({ type: Type.Literal('text'), text }), imagePart, filePart, inputFilePart], {
      discriminator: { propertyName: 'type' },
    }),
    { description: 'an array of text, image and file parts' },
  ),
]);

export type FilePart = Static<typeof filePart> | Static<typeof inputFilePart>;

const toolCall = Type.Object({
  type: Type.Optional(Type.Literal('function')),
  id: text,
  function: Type.Object({ name: text, arguments: text }),
});

export type ToolCall = Static<typeof toolCall>;

const name = Type.Optional(text);

export const message = Type.Union(
  [
    Type.Object({ role: choice(['system', 'developer']), name, content }),
    Type.Object({ role: Type.Literal('user'), name, content: userContent }),
    Type.Object(
      {
        role: Type.Literal('assistant'),
        name,
        reasoning_content: Type.Optional(text),
        content: Type.Optional(answerContent),
        refusal: Type.Optional(text),
        tool_calls: Type.Optional(Type.Array(toolCall, { maxItems: 128 })),
      },
      { description: 'An earlier answer: text or a refusal, tool calls, both or nothing.' },
    ),
    Type.Object({ role: Type.Literal('tool'), name, content, tool_call_id: text }),
  ],
  { discriminator: { propertyName: 'role' } },
);

export type Message = Static<typeof message>;

export const tool = Type.Object({
  type: Type.Literal('function'),
  function: Type.Object({
    name: Type.String({
      pattern: '^[A-Za-z0-9_.-]{1,64}$',
      description: '1 to 64 letters, digits, dots, dashes or underscores',
    }),
    description: Type.Optional(text),
    parameters: Type.Optional(Type.Object({}, { description: 'A JSON schema, at most 64 levels deep.' })),
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
  Type.Object({ type: Type.Literal('json_object') }),
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
    reasoning_effort: Type.Optional(choice(reasoningEfforts)),
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
