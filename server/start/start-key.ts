/** The development key that a start makes, and the link that signs its owner in. */
import { ensureDemoAccount } from '@cloister/accounts/demo-account';
import type { Accounts } from '@cloister/accounts/store';
import type { Config } from '../program/config.ts';
import { signInLink } from '../program/sign-in-link.ts';
import { openStartKey } from '../program/start-key.ts';
import { statePaths } from '../program/state-folder.ts';
import type { Attestation } from './attestation.ts';

/**
 * A database shared by several servers is administered explicitly: no account or key is created there automatically.
 */
export async function makeStartKey(
  accounts: Accounts,
  { config, attestation }: { readonly config: Config; readonly attestation: Pick<Attestation, 'platformKind'> },
): Promise<string | undefined> {
  if (config.startKey === 'off' || config.databaseUrl !== undefined) return undefined;
  const now = Date.now();
  await ensureDemoAccount(accounts, { now });
  // In a TDX guest, only its SHA-256 is written.
  const path = attestation.platformKind === 'tdx' ? undefined : statePaths(config).developmentKey;
  return await openStartKey(accounts, { path, now });
}

/** A link that opens the pages, signed in to the account of the development key. */
export async function signInUrl(
  accounts: Accounts,
  { apiKey, ownUrl }: { apiKey: string; ownUrl: string },
): Promise<string> {
  const { accountId } = (await accounts.findCaller(apiKey))!;
  const { secret } = await accounts.makeLoginLink({ accountId, now: Date.now() });
  return signInLink(new URL(ownUrl).origin, secret);
}
