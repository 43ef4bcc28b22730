/** The thread that reads large bodies, with the readers of all routes. */
import { setPriority } from 'node:os';
import '../enclave/follow-memory-clearing.ts';
import { chatBody } from '../chat/body.ts';
import { confidentialBody } from '../confidential/body.ts';
import { embeddingBody } from '../embeddings/body.ts';
import { imageBody } from '../images/body.ts';
import { serveBodies } from './serve-bodies.ts';

export default serveBodies([chatBody, confidentialBody, embeddingBody, imageBody]);
// Of this thread alone, on Linux: it gives way to the threads that serve and compute, as slow preparations of chats do.
setPriority(0, 10);
