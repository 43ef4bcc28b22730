/**
 * The body of Anthropic's Messages API. Members that change nothing here (`metadata`, `cache_control`, `service_tier`) are ignored.
 * @see https://docs.claude.com/en/api/messages
 */
import type { Static } from 'typebox';
import { choice, flag, text } from '../../schema/members.ts';
import { defaulted } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';
import { anthropicEfforts } from './effort.ts';

const byType = { discriminator: { propertyName: 'type' } };

const textBlock = Type.Object({ type: Type.Literal('text'), text });
const texts = Type.Union([text, Type.Array(textBlock, { description: 'an array of text blocks' })]);

const documentBlock = Type.Object({
  type: Type.Literal('document'),
  title: Type.Optional(text),
  context: Type.Optional(text),
  source: Type.Object({
    type: Type.Enum(['text'], { type: 'string', description: '"text": the models here read no files' }),
    data: text,
  }),
});

const imageBlock = Type.Object({
  type: Type.Literal('image'),
  source: Type.Union(
    [
      Type.Object({
        type: Type.Literal('base64'),
        media_type: choice(['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
        data: text,
      }),
      Type.Object({ type: Type.Literal('url'), url: text }),
    ],
    { discriminator: { propertyName: 'type' } },
  ),
});

const toolResultBlock = Type.Object({
  type: Type.Literal('tool_result'),
  tool_use_id: text,
  content: Type.Optional(texts),
  is_error: flag(false),
});

const userBlock = Type.Union([textBlock, imageBlock, documentBlock, toolResultBlock], byType);

const answerBlock = Type.Union(
  [
    textBlock,
    Type.Object({ type: Type.Literal('tool_use'), id: text, name: text, input: Type.Object({}) }),
    Type.Object({ type: Type.Literal('thinking'), thinking: text }),
    Type.Object({ type: Type.Literal('redacted_thinking') }),
  ],
  byType,
);

export type UserBlock = Static<typeof userBlock>;
export type AnswerBlock = Static<typeof answerBlock>;

export const anthropicMessage = Type.Union(
  [
    Type.Object({
      role: Type.Literal('user'),
      content: Type.Union([text, Type.Array(userBlock, { description: 'an array of content blocks' })]),
    }),
    Type.Object({
      role: Type.Literal('assistant'),
      content: Type.Union([text, Type.Array(answerBlock, { description: 'an array of content blocks' })]),
    }),
    Type.Object({ role: Type.Literal('system'), content: texts }),
  ],
  { discriminator: { propertyName: 'role' } },
);

export type AnthropicMessage = Static<typeof anthropicMessage>;

const tool = Type.Object({
  type: defaulted(
    Type.Enum(['custom'], { type: 'string', description: '"custom": this server runs no tools' }),
    'custom',
  ),
  name: Type.String({
    pattern: '^[A-Za-z0-9_.-]{1,128}$',
    description: '1 to 128 letters, digits, dots, dashes or underscores',
  }),
  description: Type.Optional(text),
  input_schema: Type.Object({}, { description: 'A JSON schema, at most 64 levels deep.' }),
});

const toolChoice = Type.Union(
  [
    Type.Object({ type: choice(['auto', 'any']), disable_parallel_tool_use: flag(false) }),
    Type.Object({ type: Type.Literal('tool'), name: text, disable_parallel_tool_use: flag(false) }),
    Type.Object({ type: Type.Literal('none') }),
  ],
  byType,
);

export type AnthropicToolChoice = Static<typeof toolChoice>;

const outputFormat = Type.Object({ type: Type.Literal('json_schema'), schema: Type.Object({}) });

/** What both routes read. */
const prompt = {
  model: text,
  messages: Type.Array(anthropicMessage, { minItems: 1, maxItems: 100_000, description: 'an array of messages' }),
  system: Type.Optional(texts),
  tools: Type.Optional(Type.Array(tool, { maxItems: 128 })),
  tool_choice: Type.Optional(toolChoice),
  thinking: Type.Optional(
    Type.Object({
      type: choice(['enabled', 'adaptive', 'disabled']),
      budget_tokens: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            'For chat templates with levels or budgets of thinking, as the greatest level that it covers; `max_tokens` bounds thinking and answer together.',
        }),
      ),
    }),
  ),
  output_config: Type.Optional(
    Type.Object({ format: Type.Optional(outputFormat), effort: Type.Optional(choice(anthropicEfforts)) }),
  ),
  output_format: Type.Optional(outputFormat),
};

const stopSequence = Type.String({ minLength: 1, maxLength: 1024 });

export const messagesBody = Type.Object({
  ...prompt,
  max_tokens: Type.Integer({ minimum: 1 }),
  stream: flag(false),
  stop_sequences: Type.Optional(Type.Array(stopSequence, { maxItems: 64 })),
  temperature: defaulted(Type.Number({ minimum: 0, maximum: 1 }), 1),
  top_p: defaulted(Type.Number({ minimum: 0, maximum: 1 }), 1),
  top_k: defaulted(Type.Integer({ minimum: 0, maximum: 1_000_000, description: '0: no limit.' }), 0),
});

export const countTokensBody = Type.Object(prompt);
