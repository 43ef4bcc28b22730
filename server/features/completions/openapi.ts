/** Completions, `tokenize` and `detokenize` in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeModelRequest, json, ref } from '../../http/openapi-operations.ts';
import { detokenizedPrompt, textCompletion, tokenizedPrompt } from './answer-schema.ts';
import { completionBody, detokenizeBody, tokenizeBody } from './schema.ts';

export const completionPaths: JsonObject = {
  '/completions': describeModelRequest({
    id: 'createCompletion',
    summary: 'Continues prompts without a chat template, whole or as a stream that ends with [DONE].',
    body: 'CompletionBody',
    content: { ...json(ref('TextCompletion')), 'text/event-stream': { schema: ref('TextCompletion') } },
  }),
  '/tokenize': describeModelRequest({
    id: 'tokenize',
    summary: 'The tokens of a text or of a chat. Costs nothing.',
    body: 'TokenizeBody',
    content: json(ref('TokenizedPrompt')),
  }),
  '/detokenize': describeModelRequest({
    id: 'detokenize',
    summary: 'The text of tokens. Costs nothing.',
    body: 'DetokenizeBody',
    content: json(ref('DetokenizedPrompt')),
  }),
};

export const completionBodies = {
  CompletionBody: completionBody,
  TokenizeBody: tokenizeBody,
  DetokenizeBody: detokenizeBody,
} as const;
export const completionAnswers = {
  TextCompletion: textCompletion,
  TokenizedPrompt: tokenizedPrompt,
  DetokenizedPrompt: detokenizedPrompt,
} as const;
