/** Reports how each request ended. Fastify's `onResponse` does not run for clients that disconnect early. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface RequestEnd {
  /** 499 if the connection closed before the whole response was sent. */
  readonly status: number;
  readonly ms: number;
}

/** Calls `tell` once per request, when the response is complete or the client has disconnected. */
export function onRequestEnd(app: FastifyInstance, tell: (request: FastifyRequest, end: RequestEnd) => void): void {
  app.addHook('onRequest', (request, reply, next) => {
    const arrivedAt = performance.now();
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.raw.statusCode : 499;
      tell(request, { status, ms: performance.now() - arrivedAt });
    });
    next();
  });
}
