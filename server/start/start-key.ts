/** The key that `cloister serve` makes and prints, so that a first request needs no second command. */
import { demoAccount } from '../accounts/demo-account.ts';
import { AccountError } from '../accounts/errors.ts';
import type { Accounts } from '../accounts/store.ts';

const startKeyName = 'start';

/** Revokes the last start's key and makes a new one. @returns its secret, undefined where the account is full */
export async function replaceStartKey(accounts: Accounts, { now }: { now: number }): Promise<string | undefined> {
  const keys = await accounts.listKeys({ account: demoAccount });
  const old = keys.filter(({ name, revokedAt }) => name === startKeyName && revokedAt === undefined);
  for (const { id } of old) await accounts.revokeKey(id, { now });
  try {
    return (await accounts.createKey({ account: demoAccount, name: startKeyName, now })).secret;
  } catch (error) {
    if (error instanceof AccountError && error.code === 'ERR_KEY_LIMIT') return undefined;
    throw error;
  }
}
