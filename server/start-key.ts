/** The key that `cloister serve` makes and prints, so that a first request needs no second command. */
import { AccountError } from './accounts/errors.ts';
import type { AccountStore } from './accounts/store.ts';

/** The account that keys belong to unless the operator names another. */
export const defaultAccount = 'default';

const startKeyName = 'start';

/** Revokes the last start's key and makes a new one. @returns its secret, undefined where the account is full */
export async function replaceStartKey(accounts: AccountStore, { now }: { now: number }): Promise<string | undefined> {
  const keys = await accounts.listKeys({ account: defaultAccount });
  const old = keys.filter(({ name, revokedAt }) => name === startKeyName && revokedAt === undefined);
  for (const { id } of old) await accounts.revokeKey(id, { now });
  try {
    return (await accounts.createKey({ account: defaultAccount, name: startKeyName, now })).secret;
  } catch (error) {
    if (error instanceof AccountError && error.code === 'ERR_KEY_LIMIT') return undefined;
    throw error;
  }
}
