/** The schema of the messages of a chat: OpenAI's, with the parts that other servers have. */
import type { Static } from 'typebox';
import { choice, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const byType = { discriminator: { propertyName: 'type' } };
const textPart = Type.Object({ type: Type.Literal('text'), text });
const content = Type.Union([text, Type.Array(textPart, { description: 'an array of text parts' })]);

/** Thoughts of an earlier answer: as Mistral, Anthropic and the AI SDK write them. */
const thinkingPart = Type.Object({
  type: Type.Literal('thinking'),
  thinking: Type.Union([text, Type.Array(textPart)], { description: 'a string or an array of text parts' }),
});
const reasoningPart = Type.Object({
  type: Type.Literal('reasoning'),
  text: Type.Optional(text),
  reasoning: Type.Optional(text),
});

const answerContent = Type.Union([
  text,
  Type.Array(
    Type.Union(
      [
        Type.Object({ type: choice(['text', 'output_text']), text }),
        Type.Object({ type: Type.Literal('refusal'), refusal: text }),
        reasoningPart,
        thinkingPart,
      ],
      byType,
    ),
    { description: 'an array of text, reasoning and refusal parts' },
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

const imageUrl = Type.String({
  description: 'A data URL with a JPEG, PNG, WebP or GIF image. Only models with a projector take images.',
});
const imagePart = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Union([Type.Object({ url: imageUrl }), imageUrl], {
    description: 'an object with `url`, or the data URL itself',
  }),
});

const userContent = Type.Union([
  text,
  Type.Array(Type.Union([textPart, imagePart, filePart, inputFilePart], byType), {
    description: 'an array of text, image and file parts',
  }),
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
        reasoning: Type.Optional(Type.String({ description: "vLLM's and OpenRouter's name of `reasoning_content`." })),
        content: Type.Optional(answerContent),
        refusal: Type.Optional(text),
        tool_calls: Type.Optional(Type.Array(toolCall, { maxItems: 128 })),
      },
      { description: 'An earlier answer: text or a refusal, tool calls, both or nothing.' },
    ),
    Type.Object({ role: Type.Literal('tool'), name, content: Type.Optional(content), tool_call_id: text }),
  ],
  { discriminator: { propertyName: 'role' } },
);

export type Message = Static<typeof message>;
