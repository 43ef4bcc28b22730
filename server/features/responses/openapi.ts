/** The route of responses in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { anyObject, describeModelRequest, json } from '../../http/openapi-operations.ts';
import { responseItem, responsesBody } from './schema.ts';

export const responsePaths: JsonObject = {
  '/responses': describeModelRequest({
    id: 'createResponse',
    summary: "Answers in the form of OpenAI's Responses API, whole or as a stream of its events. Nothing is stored.",
    body: 'ResponsesBody',
    content: { ...json(anyObject), 'text/event-stream': { schema: anyObject } },
  }),
};

export const responseBodies = { ResponsesBody: responsesBody } as const;
export const responseParts = { ResponseItem: responseItem } as const;
