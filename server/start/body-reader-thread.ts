/** The thread that reads large bodies, with the readers of all routes. */
import { setPriority } from 'node:os';
import '../enclave/follow-memory-clearing.ts';
import { serveBodies } from '../bodies/serve-bodies.ts';
import { confidentialBody } from '../features/agents/body.ts';
import { chatBody } from '../features/chat/body.ts';
import { embeddingBody } from '../features/embeddings/body.ts';
import { imageBody } from '../features/images/body.ts';

export default serveBodies([chatBody, confidentialBody, embeddingBody, imageBody]);
// Of this thread alone, on Linux: it gives way to the threads that serve and compute, as slow preparations of chats do.
setPriority(0, 10);
