/** Tells how each request ended. Fastify's `onResponse` is silent about callers who leave before the answer is out. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface RequestEnd {
  /** 499 where the connection closed before the whole answer was out. */
  readonly status: number;
  readonly ms: number;
}

/** Calls `tell` once per request, when its answer is out or its caller is gone. */
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
