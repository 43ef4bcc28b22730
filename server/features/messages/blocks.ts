/** The content blocks of Anthropic's messages. Members that change nothing here (`cache_control`, `citations`, `detail`) are ignored. */
import type { Static } from 'typebox';
import { choice, flag, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const byType = { discriminator: { propertyName: 'type' } };

const textBlock = Type.Object({ type: Type.Literal('text'), text });

/** A text, or blocks of text. */
export const texts = Type.Union([text, Type.Array(textBlock, { description: 'an array of text blocks' })]);

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
    byType,
  ),
});

const documentBlock = Type.Object({
  type: Type.Literal('document'),
  title: Type.Optional(text),
  context: Type.Optional(text),
  source: Type.Union(
    [
      Type.Object({ type: Type.Literal('text'), data: text }),
      Type.Object({
        type: Type.Literal('content'),
        content: Type.Union([
          text,
          Type.Array(Type.Union([textBlock, imageBlock], byType), { description: 'an array of text and image blocks' }),
        ]),
      }),
    ],
    byType,
  ),
});

const searchResultBlock = Type.Object({
  type: Type.Literal('search_result'),
  source: Type.String({ description: 'The address of the text.', examples: ['https://example.com/returns'] }),
  title: text,
  content: Type.Array(textBlock, {
    description: 'an array of text blocks',
    examples: [[{ type: 'text', text: 'Returns are free.' }]],
  }),
});

const toolReferenceBlock = Type.Object({
  type: Type.Literal('tool_reference'),
  tool_name: Type.String({ description: 'Name of a tool that a search found.', examples: ['weather'] }),
});

const toolResultBlock = Type.Object({
  type: Type.Literal('tool_result'),
  tool_use_id: text,
  content: Type.Optional(
    Type.Union([
      text,
      Type.Array(Type.Union([textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock], byType), {
        description: 'an array of content blocks',
      }),
    ]),
  ),
  is_error: flag(false),
});

const userBlock = Type.Union([textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock], byType);

const webSearchResult = Type.Object({
  title: Type.Optional(text),
  url: Type.Optional(
    Type.String({ description: 'The address of the page.', examples: ['https://example.com/returns'] }),
  ),
});

/** Blocks of answers, those of searches that Anthropic's servers ran included. */
const answerBlock = Type.Union(
  [
    textBlock,
    Type.Object({ type: Type.Literal('tool_use'), id: text, name: text, input: Type.Object({}) }),
    Type.Object({ type: Type.Literal('thinking'), thinking: text }),
    Type.Object({ type: Type.Literal('redacted_thinking') }),
    Type.Object({ type: Type.Literal('server_tool_use') }),
    Type.Object({
      type: Type.Literal('web_search_tool_result'),
      // An object is the error of a search.
      content: Type.Union([Type.Array(webSearchResult), Type.Object({})], {
        examples: [[{ title: 'Returns', url: 'https://example.com/returns' }]],
      }),
    }),
  ],
  byType,
);

export type UserBlock = Static<typeof userBlock>;
export type AnswerBlock = Static<typeof answerBlock>;

const blocksOf = <Block extends typeof userBlock | typeof answerBlock>(block: Block) =>
  Type.Union([text, Type.Array(block, { minItems: 1, description: 'an array of at least one content block' })]);

export const anthropicMessage = Type.Union(
  [
    Type.Object({ role: Type.Literal('user'), content: blocksOf(userBlock) }),
    Type.Object({ role: Type.Literal('assistant'), content: blocksOf(answerBlock) }),
    Type.Object({ role: Type.Literal('system'), content: texts }),
  ],
  { discriminator: { propertyName: 'role' } },
);

export type AnthropicMessage = Static<typeof anthropicMessage>;
