/** The items of the input of a response, and their contents. */
import type { Static } from 'typebox';
import { choice, text } from '../../schema/members.ts';
import { defaulted } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';

const byType = { discriminator: { propertyName: 'type' } };

const image = Type.Object({
  type: Type.Literal('input_image'),
  image_url: Type.String({
    description: 'A data URL; links are refused.',
    examples: ['data:image/png;base64,iVBORw0KGgo='],
  }),
});

const file = Type.Object({
  type: Type.Literal('input_file'),
  filename: Type.Optional(Type.String({ maxLength: 255 })),
  file_data: Type.String({ description: 'A data URL with a text file in base64.' }),
});

const part = Type.Union(
  [
    Type.Object({ type: choice(['input_text', 'output_text', 'text']), text }),
    Type.Object({ type: Type.Literal('refusal'), refusal: text }),
    image,
    file,
  ],
  byType,
);

/** Of messages, only those of users may have images: others are refused before. */
const content = Type.Union([text, Type.Array(part, { description: 'an array of text, image and file parts' })]);

export type ResponseContent = Static<typeof content>;
export type ResponsePart = Static<typeof part>;

const message = Type.Object({
  type: defaulted(Type.Literal('message'), 'message'),
  role: choice(['user', 'assistant', 'system', 'developer']),
  content,
});

export type ResponseMessage = Static<typeof message>;

const functionCall = Type.Object({
  type: Type.Literal('function_call'),
  call_id: text,
  name: text,
  arguments: text,
});

const customCall = Type.Object({ type: Type.Literal('custom_tool_call'), call_id: text, name: text, input: text });

const callOutput = Type.Object({
  type: choice(['function_call_output', 'custom_tool_call_output']),
  call_id: text,
  output: content,
});

const reasoningItem = Type.Object({
  type: Type.Literal('reasoning'),
  content: Type.Optional(Type.Array(Type.Object({ type: Type.Literal('reasoning_text'), text }))),
  encrypted_content: Type.Optional(
    Type.String({
      description: 'Reasoning that this server sealed. It is left out if it can no longer be opened.',
      examples: ['resp_EXAMPLE'],
    }),
  ),
});

/** An item of `input`; a message may leave out its type. */
export const responseItem = Type.Union([message, functionCall, customCall, callOutput, reasoningItem], byType);

export type ResponseItem = Static<typeof responseItem>;
