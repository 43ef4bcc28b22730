/** Counts the requests that a limit refused, over all accounts. */
import type { FastifyInstance } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { onRequestEnd } from '../http/request-end.ts';

/** The limit behind each error code. A code without a limit is an error of the request or of the server. */
const limits: Readonly<Record<string, string>> = {
  ERR_RATE_LIMIT: 'plan_requests',
  ERR_QUOTA: 'plan_tokens',
  ERR_BALANCE: 'balance',
  ERR_KEY_LIMIT: 'keys',
  ERR_QUEUE_FULL: 'queue',
  ERR_IMAGES_FULL: 'pending_images',
  ERR_MEMORY_BUDGET: 'memory',
  ERR_CONTEXT_OVERFLOW: 'context',
  ERR_CHAT_TOO_COMPLEX: 'template_time',
  ERR_GRAMMAR_TOO_COMPLEX: 'grammar_size',
  ERR_DEADLINE: 'request_time',
  ERR_REQUEST_TIMEOUT: 'receiving_time',
  ERR_READER_TOO_SLOW: 'reading_time',
  ERR_BODY_TOO_LARGE: 'body_size',
  ERR_SEALED_FULL: 'sealed_bodies',
  ERR_ATTESTATION_BUSY: 'quotes',
  ERR_COMPUTE_BUSY: 'compute_forwards',
};

export interface RefusalMetrics {
  /** @param code of an error; ignored if it is not that of a limit */
  countRefusal(code: string): void;
}

export function buildRefusalMetrics(registry: Registry): RefusalMetrics {
  const refusals = new Counter({
    name: 'cloister_refusals_total',
    help: 'Requests refused or ended by a limit, by limit.',
    labelNames: ['limit'],
    registers: [registry],
  });
  // Without a first value, `rate` would miss the first refusal.
  for (const limit of Object.values(limits)) refusals.inc({ limit }, 0);
  return {
    countRefusal(code) {
      const limit = limits[code];
      if (limit !== undefined) refusals.inc({ limit });
    },
  };
}

/** Counts the outcome of every request of this app. */
export function countRefusals(app: FastifyInstance, { metrics }: { metrics: RefusalMetrics }): void {
  onRequestEnd(app, ({ outcome }) => {
    if (outcome !== undefined) metrics.countRefusal(outcome);
  });
}
