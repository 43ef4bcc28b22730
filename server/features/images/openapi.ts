/** The image route in the OpenAPI document. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { describeModelRequest, json, ref } from '../../http/openapi-operations.ts';
import { imageList } from './answer-schema.ts';
import { imageBody } from './schema.ts';

const bytes: JsonObject = { schema: { type: 'string', format: 'binary' } };

export const imagePaths: JsonObject = {
  '/images/generations': describeModelRequest({
    id: 'createImages',
    summary: 'Generates images; one raw image if n is 1 and Accept names its type.',
    body: 'ImageBody',
    content: { ...json(ref('ImageList')), 'image/png': bytes, 'image/jpeg': bytes, 'text/event-stream': bytes },
  }),
};

export const imageBodies = { ImageBody: imageBody } as const;
export const imageAnswers = { ImageList: imageList } as const;
