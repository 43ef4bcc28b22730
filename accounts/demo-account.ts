/** The account of a server that nobody has configured yet. */
import { AccountError } from './base/errors.ts';
import { operatorPlanId } from './plans/plans.ts';
import type { Accounts } from './store.ts';

/** The account that keys belong to unless the operator names another. */
export const demoAccount = 'default';

/** Micro-dollars: a hundred dollars, for trying out. */
const demoCredit = 100_000_000;

/** Once in the life of a database; the payment's reference says whether it was. */
const reference = 'demo';

/** Makes the account, puts it on the operator's plan and pays in, the first time only. @returns whether this was it */
export async function ensureDemoAccount(accounts: Accounts, { now }: { now: number }): Promise<boolean> {
  const known = (await accounts.listAccounts()).find(({ name }) => name === demoAccount);
  if (known !== undefined && (known.closedAt !== undefined || known.balance.paidIn > 0)) return false;
  if (known === undefined) {
    await accounts.createAccount({ name: demoAccount, plan: operatorPlanId, now }).catch((error) => {
      // Another process started at the same time.
      if (!(error instanceof AccountError && error.code === 'ERR_ACCOUNT_EXISTS')) throw error;
    });
  } else {
    // From a time before there were plans.
    await accounts.moveToPlan({ account: demoAccount, plan: operatorPlanId });
  }
  await accounts.credit({ account: demoAccount, microDollars: demoCredit, reference, now });
  return true;
}
