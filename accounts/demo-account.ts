/** The account of a new server, so that it can be used without setup. */
import { AccountError } from './base/errors.ts';
import { operatorPlanId } from './plans/plans.ts';
import type { Accounts } from './store.ts';

/** The account of new keys unless the operator names another. */
export const demoAccount = 'default';

/** Initial balance in micro-dollars: a hundred dollars. */
const demoCredit = 100_000_000;

/** The payment's reference, which makes it happen only once per database. */
const reference = 'demo';

/** Creates the account on the operator's plan and credits it, once per database. @returns whether this call credited it */
export async function ensureDemoAccount(accounts: Accounts, { now }: { now: number }): Promise<boolean> {
  const known = (await accounts.listAccounts()).find(({ name }) => name === demoAccount);
  if (known !== undefined && (known.closedAt !== undefined || known.balance.paidIn > 0)) return false;
  if (known === undefined) {
    await accounts.createAccount({ name: demoAccount, plan: operatorPlanId, now }).catch((error) => {
      // Another process started at the same time.
      if (!(error instanceof AccountError && error.code === 'ERR_ACCOUNT_EXISTS')) throw error;
    });
  } else {
    // The account is from a version without plans.
    await accounts.moveToPlan({ account: demoAccount, plan: operatorPlanId });
  }
  await accounts.credit({ account: demoAccount, microDollars: demoCredit, reference, now });
  return true;
}
