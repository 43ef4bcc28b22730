/** Counts every HTTP request by method, route pattern and status. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

export function measureRequests(app: FastifyInstance, { metrics }: { metrics: Metrics }): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.countRequest({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
  });
}
