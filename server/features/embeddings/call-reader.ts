/** Reads the body of `POST /v1/embeddings`, on either thread. */
import type { CallReader } from '../../bodies/call-reader.ts';
import { type EmbeddingCall, readEmbeddingCall } from './schema.ts';

export const embeddingCallReader: CallReader<EmbeddingCall, undefined> = {
  name: 'embeddings',
  read: readEmbeddingCall,
};
