/** `GET /v1/balance`: the balance of the caller's account, and its usage of the plan's limits. */
import { formatDollars } from '@cloister/accounts/base/money';
import type { Accounts } from '@cloister/accounts/store';
import type { FastifyInstance } from 'fastify';
import { requireCallerScope } from '../../serving/admission.ts';

export interface BalanceDependencies {
  readonly accounts: Pick<Accounts, 'readStanding'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function balanceRoutes(app: FastifyInstance, { accounts, now }: BalanceDependencies): void {
  app.get('/balance', async (request) => {
    const { accountId } = requireCallerScope(request, 'balance');
    const { balance, planInForce: plan, ...used } = await accounts.readStanding({ accountId, now: now() });
    return {
      object: 'balance',
      currency: 'USD',
      balance: formatDollars(balance.available),
      balance_micro_dollars: balance.available,
      held_micro_dollars: balance.held,
      spent_micro_dollars: balance.spent,
      plan: {
        id: plan.id,
        title: plan.title,
        requests_per_minute: plan.requestsPerMinute ?? null,
        requests_per_day: plan.requestsPerDay ?? null,
        tokens_per_month: plan.tokensPerMonth ?? null,
        concurrent_requests: plan.concurrentRequestsMax ?? null,
        context_tokens: plan.contextTokensMax ?? null,
      },
      usage: {
        running_requests: used.running,
        requests_today: used.requestsToday,
        tokens_this_month: used.tokensThisMonth,
        tokens_held: used.tokensHeld,
      },
    };
  });
}
