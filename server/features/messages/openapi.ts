/** Anthropic's routes in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeModelRequest, json, ref } from '../../http/openapi-operations.ts';
import { anthropicError, anthropicEvent, anthropicMessageAnswer, tokenCount } from './answer-schema.ts';
import { anthropicMessage } from './blocks.ts';
import { countTokensBody, messagesBody } from './schema.ts';

const version: JsonObject = {
  ...{ name: 'anthropic-version', in: 'header', required: true },
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
};

export const messagePaths: JsonObject = {
  '/messages': describeModelRequest({
    id: 'createMessage',
    summary: "Answers a chat in the form of Anthropic's Messages API, whole or as a stream of its events.",
    body: 'MessagesBody',
    parameters: [version],
    errorForm: 'anthropic',
    content: { ...json(ref('AnthropicAnswer')), 'text/event-stream': { schema: ref('AnthropicEvent') } },
  }),
  '/messages/count_tokens': describeModelRequest({
    id: 'countMessageTokens',
    summary: 'Counts the tokens of a prompt. Free of charge.',
    body: 'CountTokensBody',
    parameters: [version],
    errorForm: 'anthropic',
    content: json(ref('TokenCount')),
  }),
};

export const messageBodies = { MessagesBody: messagesBody, CountTokensBody: countTokensBody } as const;
export const messageParts = { AnthropicMessage: anthropicMessage } as const;
export const messageAnswers = {
  AnthropicAnswer: anthropicMessageAnswer,
  AnthropicEvent: anthropicEvent,
  AnthropicError: anthropicError,
  TokenCount: tokenCount,
} as const;
