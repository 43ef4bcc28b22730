/** Reads the body of `POST /v1/embeddings`, on either thread. */
import type { BodyReader } from '../../bodies/body-reader.ts';
import { type EmbeddingCall, readEmbeddingCall } from './schema.ts';

export const embeddingBody: BodyReader<EmbeddingCall, undefined> = {
  name: 'embeddings',
  read: (body) => readEmbeddingCall(body),
};
