/** Ends connections with their next answer while the server drains or is not ready, so that clients connect to another one of a fleet. */
import type { FastifyInstance } from 'fastify';

/** A client verifies a connection by requests below this path before it sends another one on it. */
const evidencePath = '/v1/aci/';

/** @param isLeaving whether answers to new requests say `Connection: close` */
export function endConnections(app: FastifyInstance, isLeaving: () => boolean): void {
  app.addHook('onRequest', (request, reply, next) => {
    // Set on the raw response, so that streams have it too.
    if (isLeaving() && !request.url.startsWith(evidencePath)) reply.raw.setHeader('connection', 'close');
    next();
  });
}
