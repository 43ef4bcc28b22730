/** The routes of responses in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeChange, describeModelRequest, inPath, json, ref } from '../../http/openapi-operations.ts';
import { count } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';
import { responseAnswer, responseEvent } from './answer-schema.ts';
import { responseItem } from './item-schema.ts';
import { inputTokensBody, responsesBody } from './schema.ts';

export const responsePaths: JsonObject = {
  '/responses': describeModelRequest({
    id: 'createResponse',
    summary: "Answers in the form of OpenAI's Responses API, whole or as a stream of its events. Nothing is stored.",
    body: 'ResponsesBody',
    content: { ...json(ref('ResponseAnswer')), 'text/event-stream': { schema: ref('ResponseEvent') } },
  }),
  '/responses/{id}/cancel': describeChange('post', {
    id: 'cancelResponse',
    summary: 'Ends a running answer of the same account.',
    schema: ref('ResponseAnswer'),
    parameters: [inPath('id')],
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
  ResponseAnswer: responseAnswer,
  ResponseEvent: responseEvent,
  InputTokenCount: Type.Object({ object: Type.Literal('response.input_tokens'), input_tokens: count }),
} as const;
export const responseParts = { ResponseItem: responseItem } as const;
