/** Counts every HTTP request by method, route pattern and status. */
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';
import { onRequestEnd } from './request-end.ts';

export function measureRequests(app: FastifyInstance, { metrics }: { metrics: Metrics }): void {
  onRequestEnd(app, ({ method, routeOptions }, { status, ms }) => {
    metrics.countRequest({ method, route: routeOptions.url ?? 'unknown', status, seconds: ms / 1000 });
  });
}
