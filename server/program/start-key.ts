/**
 * The development key, which `cloister serve` and `cloister compute serve` print, so that a first request needs no
 * second command. It belongs to the demo account; its secret is kept in the state folder, so that a restart prints the
 * same key.
 */
import { readFileSync } from 'node:fs';
import { AccountError } from '@cloister/accounts/base/errors';
import { lockFile } from '@cloister/accounts/database/file-lock';
import { demoAccount } from '@cloister/accounts/demo-account';
import type { Accounts } from '@cloister/accounts/store';
import { replaceFile } from '@cloister/models/files/atomic-file';

const startKeyName = 'start';

/** Longest wait for another program that is creating the key. */
const lockWaitMs = 5_000;

/**
 * Returns the kept key while it is live, else creates a new one, which replaces it.
 * @param options.path of the file that keeps it, readable by its owner only; undefined: the key is not kept, and every
 * start replaces it
 * @returns its secret, or undefined if the account has no room for another key
 */
export async function openStartKey(
  accounts: Accounts,
  { path, now }: { path: string | undefined; now: number },
): Promise<string | undefined> {
  if (path === undefined) return await replaceStartKey(accounts, { now });
  const lock = lockFile(`${path}.lock`, { waitMs: lockWaitMs });
  try {
    const kept = readKept(path);
    if (kept !== undefined && (await isOfDemoAccount(accounts, kept))) return kept;
    const secret = await replaceStartKey(accounts, { now });
    if (secret !== undefined) keep(path, secret);
    return secret;
  } finally {
    lock?.release();
  }
}

/** Revokes the keys of earlier starts, whose secrets are lost, and creates a new one. */
async function replaceStartKey(accounts: Accounts, { now }: { now: number }): Promise<string | undefined> {
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

async function isOfDemoAccount(accounts: Accounts, secret: string): Promise<boolean> {
  const caller = await accounts.findCaller(secret);
  return caller !== undefined && caller.accountId === (await accounts.findAccount(demoAccount)).id;
}

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Other programs read the secret while it is replaced. */
function keep(path: string, secret: string): void {
  replaceFile(path, `${secret}\n`, { mode: 0o600 });
}
