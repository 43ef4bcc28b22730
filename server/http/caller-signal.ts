/** How a route learns that nobody waits for its answer any more. */
import type { FastifyReply } from 'fastify';

/** Aborts when the connection closes before the answer is out. */
export function whenCallerLeaves(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
