/** Ends connections with their next answer while the server drains, so that clients connect to another server of a fleet. */
import type { FastifyInstance } from 'fastify';

/** @param isDraining whether answers to new requests say `Connection: close` */
export function endConnections(app: FastifyInstance, isDraining: () => boolean): void {
  app.addHook('onRequest', (_request, reply, next) => {
    // Set on the raw response, so that streams have it too.
    if (isDraining()) reply.raw.setHeader('connection', 'close');
    next();
  });
}
