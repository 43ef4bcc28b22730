/** Tells a route that its client has disconnected. */
import type { FastifyReply } from 'fastify';

const signals = new WeakMap<object, AbortSignal>();

/** Aborts if the connection closes before the response is complete. The same signal for each call with one reply. */
export function whenCallerLeaves(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply.raw);
  if (known !== undefined) return known;
  const controller = new AbortController();
  signals.set(reply.raw, controller.signal);
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
