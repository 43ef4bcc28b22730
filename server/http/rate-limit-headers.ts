/**
 * Adds the account's remaining limits to every response to a key, including responses that consumed nothing (I-081).
 */
import type { Accounts } from '@cloister/accounts/store';
import type { FastifyInstance } from 'fastify';

/** For routes that use `requireKey`. Streams, whose headers leave before this hook, add their own. */
export function addLimitHeaders(
  app: FastifyInstance,
  { accounts, now }: { accounts: Pick<Accounts, 'readLimits'>; now: () => number },
): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.caller === undefined || request.admitted !== undefined || reply.hasHeader('x-ratelimit-limit')) return;
    const { accountId } = request.caller;
    // An unavailable store must not fail a request that does not need it.
    reply.headers(await accounts.readLimits({ accountId, now: now() }).catch(() => ({})));
  });
}
