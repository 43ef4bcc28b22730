/** Tools of a response, and the choice among them. */
import type { Static } from 'typebox';
import { choice, flag, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const byType = { discriminator: { propertyName: 'type' } };

const toolsMax = 512;

const name = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,64}$',
  description: '1 to 64 letters, digits, dots, dashes or underscores',
});

const functionTool = Type.Object({
  type: Type.Literal('function'),
  name,
  description: Type.Optional(text),
  parameters: Type.Optional(Type.Object({}, { description: 'A JSON schema, at most 64 levels deep.' })),
  strict: flag(true, 'Arguments always match the schema.'),
});

const customTool = Type.Object({
  type: Type.Literal('custom'),
  name,
  description: Type.Optional(text),
  format: Type.Optional(
    Type.Union(
      [
        Type.Object({ type: Type.Literal('text') }),
        Type.Object({
          type: Type.Literal('grammar'),
          syntax: Type.Enum(['lark', 'regex'], { type: 'string', description: 'The language of the grammar.' }),
          definition: Type.String({ description: 'The grammar.', examples: ['start: "a"'] }),
        }),
      ],
      {
        ...byType,
        description: 'The form of the input. The model reads a grammar with the description; it is not enforced.',
      },
    ),
  ),
});

export const tools = Type.Optional(Type.Array(Type.Union([functionTool, customTool], byType), { maxItems: toolsMax }));

export type ResponseTool = NonNullable<Static<typeof tools>>[number];
export type CustomTool = Static<typeof customTool>;

const named = Type.Object({ type: choice(['function', 'custom']), name: text });

export const toolChoice = Type.Union(
  [
    choice(['none', 'auto', 'required']),
    named,
    Type.Object({
      type: Type.Literal('allowed_tools'),
      mode: choice(['auto', 'required']),
      tools: Type.Array(named, { minItems: 1, maxItems: toolsMax }),
    }),
  ],
  { description: '"auto", "none", "required", {"type": "function", "name": …} or {"type": "allowed_tools", …}' },
);

export type ResponseToolChoice = Static<typeof toolChoice>;
