/** The embedding route in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeModelRequest, json, ref } from '../../http/openapi-operations.ts';
import { embeddingList } from './answer-schema.ts';
import { embeddingBody } from './schema.ts';

export const embeddingPaths: JsonObject = {
  '/embeddings': describeModelRequest({
    id: 'createEmbeddings',
    summary: 'Embeds texts or token ids.',
    body: 'EmbeddingBody',
    content: json(ref('EmbeddingList')),
  }),
};

export const embeddingBodies = { EmbeddingBody: embeddingBody } as const;
export const embeddingAnswers = { EmbeddingList: embeddingList } as const;
