/** Counts every HTTP request by method, route pattern and status, with its time. */
import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';
import { onRequestEnd } from '../http/request-end.ts';
import { requestBuckets } from './buckets.ts';

export interface RequestMetrics {
  countRequest(labels: { method: string; route: string; status: number; seconds: number }): void;
}

export function buildRequestMetrics(registry: Registry): RequestMetrics {
  const http = new Histogram({
    name: 'cloister_http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers: [registry],
  });
  return {
    countRequest: ({ method, route, status, seconds }) => http.observe({ method, route, status }, seconds),
  };
}

export function measureRequests(app: FastifyInstance, { metrics }: { metrics: RequestMetrics }): void {
  onRequestEnd(app, ({ method, routeOptions }, { status, ms }) => {
    metrics.countRequest({ method, route: routeOptions.url ?? 'unknown', status, seconds: ms / 1000 });
  });
}
