/** How a stream of events ends that cannot go on. */
import type { FastifyRequest } from 'fastify';
import { errorCode, replyFor } from './error-replies.ts';
import { ServerError } from './errors.ts';
import type { EventStream } from './event-stream.ts';

/**
 * Tells the caller by an event, or gives up on one who does not read.
 * @throws `error` itself where the headers are not out yet: then it is answered like any other
 */
export function failStream(
  stream: EventStream,
  error: unknown,
  { request, watch }: { request: FastifyRequest; watch: { failed(code: string): void } },
): void {
  if (!stream.isOpen) throw error;
  request.outcome = errorCode(error, request);
  watch.failed(request.outcome);
  if (error instanceof ServerError && error.code === 'ERR_READER_TOO_SLOW') stream.destroy();
  else stream.fail(replyFor(error, request).body);
}
