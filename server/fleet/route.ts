/** `GET /v1/fleet`: the signed entries of the fleet's nodes, for clients that choose one. Needs no key. */
import { AccountError } from '@cloister/accounts/base/errors';
import { ClientBudget } from '@cloister/attestation/guest/client-budget';
import type { FastifyInstance } from 'fastify';
import { clientNetwork } from '../http/client-network.ts';
import { ServerError } from '../http/errors.ts';
import { fleetListAgeMs, type NodeDirectory } from './directory.ts';

export interface FleetRouteOptions {
  /** Undefined if this server is not a node of a fleet. */
  readonly directory: NodeDirectory | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Per network of callers. A client needs the list every few seconds at most. */
const budgetLimits = { burst: 60, perMinute: 240, clientsMax: 4096 };

export function fleetRoutes(app: FastifyInstance, { directory, clock }: FleetRouteOptions): void {
  const budget = new ClientBudget(budgetLimits, clock);
  app.get('/fleet', async (request, reply) => {
    if (directory === undefined) throw new ServerError('ERR_ROUTE_UNKNOWN', 'this server is not a node of a fleet');
    const retryAfterSeconds = budget.take(clientNetwork(request.ip));
    if (retryAfterSeconds > 0) {
      throw new AccountError('ERR_RATE_LIMIT', 'the list of nodes is requested too often: retry later', {
        details: { retryAfterSeconds },
      });
    }
    // Public and signed, so caches and pages elsewhere may have it.
    reply
      .header('cache-control', `public, max-age=${fleetListAgeMs / 1000}`)
      .header('access-control-allow-origin', '*');
    return reply.type('application/json; charset=utf-8').send(directory.listText);
  });
}
