/** Ends a stream of events that cannot continue. */
import type { FastifyRequest } from 'fastify';
import { errorCode, replyFor } from './error-replies.ts';
import type { ErrorReply } from './error-reply.ts';
import { ServerError } from './errors.ts';
import type { EventStream } from './event-stream.ts';

export interface FailedStream {
  readonly request: FastifyRequest;
  readonly watch: { failed(code: string): void };
  /** Members of the event in addition to those of the error's body; default: none. */
  readonly membersOf?: ((body: ErrorReply['body']) => object) | undefined;
}

/**
 * Sends the error as an event, or closes the connection of a client that does not read.
 * @throws `error` itself if the headers have not been sent, so that it is answered like any other
 */
export function failStream(stream: EventStream, error: unknown, { request, watch, membersOf }: FailedStream): void {
  if (!stream.isOpen) throw error;
  request.outcome = errorCode(error, request);
  watch.failed(request.outcome);
  if (error instanceof ServerError && error.code === 'ERR_READER_TOO_SLOW') {
    stream.destroy();
    return;
  }
  const { body } = replyFor(error, request);
  stream.fail({ ...membersOf?.(body), ...body });
}
