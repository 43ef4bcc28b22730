/** Reads the body of `POST /v1/embeddings`, on the serving thread or on the thread for large bodies. */
import type { CallReader } from '../../bodies/call-reader.ts';
import { type EmbeddingCall, readEmbeddingCall } from './schema.ts';

export const embeddingCallReader: CallReader<EmbeddingCall, undefined> = {
  name: 'embeddings',
  read: readEmbeddingCall,
};
