/** The chat route in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeModelRequest, json, ref } from '../../http/openapi-operations.ts';
import { chatCompletion, chatCompletionChunk, quote } from './answer-schema.ts';
import { message } from './message-schema.ts';
import { chatBody, tool } from './schema.ts';

/** A completion, or its chunks. */
export const chatContent: JsonObject = {
  ...json(ref('ChatCompletion')),
  'text/event-stream': { schema: ref('ChatCompletionChunk') },
};

export const chatPaths: JsonObject = {
  '/chat/completions': describeModelRequest({
    id: 'createChatCompletion',
    summary: 'Answers a chat, whole or as a stream that ends with [DONE].',
    body: 'ChatBody',
    content: chatContent,
  }),
  '/quote': describeModelRequest({
    id: 'quoteChat',
    summary: 'The exact number of prompt tokens of a chat, and its maximum cost. Free of charge.',
    body: 'ChatBody',
    content: json(ref('Quote')),
  }),
};

export const chatBodies = { ChatBody: chatBody } as const;
/** Parts of bodies that the document publishes once. */
export const chatParts = { Message: message, Tool: tool } as const;
export const chatAnswers = {
  ChatCompletion: chatCompletion,
  ChatCompletionChunk: chatCompletionChunk,
  Quote: quote,
} as const;
