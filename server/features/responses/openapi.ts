/** The routes of responses in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { anyObject, describeChange, describeModelRequest, json, ref } from '../../http/openapi-operations.ts';
import { count } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';
import { inputTokensBody, responseItem, responsesBody } from './schema.ts';

export const responsePaths: JsonObject = {
  '/responses': describeModelRequest({
    id: 'createResponse',
    summary: "Answers in the form of OpenAI's Responses API, whole or as a stream of its events. Nothing is stored.",
    body: 'ResponsesBody',
    content: { ...json(anyObject), 'text/event-stream': { schema: anyObject } },
  }),
  '/responses/{id}/cancel': describeChange('post', {
    id: 'cancelResponse',
    summary: 'Ends a running answer of the same account.',
    schema: anyObject,
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  }),
  '/responses/input_tokens': describeModelRequest({
    id: 'countResponseInputTokens',
    summary: 'Counts the tokens of the input of a response. Costs nothing.',
    body: 'InputTokensBody',
    content: json(ref('InputTokenCount')),
  }),
};

export const responseBodies = { ResponsesBody: responsesBody, InputTokensBody: inputTokensBody } as const;
export const responseAnswers = {
  InputTokenCount: Type.Object({ object: Type.Literal('response.input_tokens'), input_tokens: count }),
} as const;
export const responseParts = { ResponseItem: responseItem } as const;
