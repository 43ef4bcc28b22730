/** The thread that reads large bodies, with the readers of all routes. */
import { setPriority } from 'node:os';
import '../enclave/follow-memory-clearing.ts';
import { serveBodies } from '../bodies/serve-bodies.ts';
import { confidentialCallReader } from '../features/agents/call-reader.ts';
import { chatCallReader } from '../features/chat/call-reader.ts';
import { completionCallReader, detokenizeCallReader, tokenizeCallReader } from '../features/completions/call-reader.ts';
import { embeddingCallReader } from '../features/embeddings/call-reader.ts';
import { imageCallReader } from '../features/images/call-reader.ts';
import { countTokensCallReader, messagesCallReader } from '../features/messages/call-reader.ts';
import { rerankCallReader, scoreCallReader } from '../features/rerank/call-reader.ts';
import { inputTokensCallReader, responseCallReader } from '../features/responses/call-reader.ts';
import { openStateReader } from '../features/responses/open-state-reader.ts';

export default serveBodies([
  chatCallReader,
  messagesCallReader,
  countTokensCallReader,
  responseCallReader,
  inputTokensCallReader,
  openStateReader,
  completionCallReader,
  tokenizeCallReader,
  detokenizeCallReader,
  confidentialCallReader,
  embeddingCallReader,
  rerankCallReader,
  scoreCallReader,
  imageCallReader,
]);
// On Linux this applies to this thread alone, which yields to the threads that serve and compute.
setPriority(0, 10);
