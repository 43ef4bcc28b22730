/** Every answer to a key says what its account may still do, also those that took nothing from it (I-081). */
import type { Accounts } from '@cloister/accounts/store';
import type { FastifyInstance } from 'fastify';

/** For routes behind `requireKey`. Answers whose headers leave before they are sent bring their own. */
export function tellLimits(
  app: FastifyInstance,
  { accounts, now }: { accounts: Pick<Accounts, 'readLimits'>; now: () => number },
): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.caller === undefined || request.admitted !== undefined || reply.hasHeader('x-ratelimit-limit')) return;
    const { accountId } = request.caller;
    // A store that cannot be reached is no reason to fail what did not need it.
    reply.headers(await accounts.readLimits({ accountId, now: now() }).catch(() => ({})));
  });
}
