/** Tells a route that its client has disconnected. */
import type { FastifyReply } from 'fastify';

/** Aborts if the connection closes before the response is complete. */
export function whenCallerLeaves(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
