/** The routes of cross-encoders in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeModelRequest, json, ref } from '../../http/openapi-operations.ts';
import { rerankAnswer, scoreAnswer } from './answer-schema.ts';
import { rerankBody, scoreBody } from './schema.ts';

export const rerankPaths: JsonObject = {
  '/rerank': describeModelRequest({
    id: 'rerankDocuments',
    summary: 'Orders documents by their relevance to a query.',
    body: 'RerankBody',
    content: json(ref('RerankAnswer')),
  }),
  '/score': describeModelRequest({
    id: 'scorePairs',
    summary: 'Scores pairs of texts.',
    body: 'ScoreBody',
    content: json(ref('ScoreAnswer')),
  }),
};

export const rerankBodies = { RerankBody: rerankBody, ScoreBody: scoreBody } as const;
export const rerankAnswers = { RerankAnswer: rerankAnswer, ScoreAnswer: scoreAnswer } as const;
