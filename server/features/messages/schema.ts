/**
 * The body of Anthropic's Messages API. Members that change no answer (`metadata`, `service_tier`) are ignored.
 * @see https://docs.claude.com/en/api/messages
 */
import type { Static } from 'typebox';
import { choice, flag, text } from '../../schema/members.ts';
import { defaulted } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';
import { samplingFields } from '../chat/schema.ts';
import { anthropicMessage, texts } from './blocks.ts';
import { anthropicEfforts } from './effort.ts';

const byType = { discriminator: { propertyName: 'type' } };

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
  tools: Type.Optional(Type.Array(tool, { maxItems: 512 })),
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
  // Anthropic's API has only three of them; the others mean the same as in chats.
  ...samplingFields,
  temperature: defaulted(Type.Number({ minimum: 0, maximum: 1 }), 1),
  top_k: defaulted(Type.Integer({ minimum: 0, maximum: 1_000_000, description: '0: no limit.' }), 0),
});

export const countTokensBody = Type.Object(prompt);
