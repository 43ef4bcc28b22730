/** The database of the accounts, as commands open it. */
import { accountDatabase } from '../account-database.ts';
import { type Database, openDatabase } from '../accounts/database.ts';
import { type Accounts, openAccountsOn } from '../accounts/store.ts';
import type { Config } from '../config.ts';
import { makeStateFolder } from '../start/state-folder.ts';

export interface OpenAccounts {
  readonly accounts: Accounts;
  /** That the accounts are in, for what else is in it. */
  readonly database: Database;
}

/** Opens the accounts for as long as `work` takes. @throws {AccountError} */
export async function withAccounts<Result>(
  config: Config,
  work: (opened: OpenAccounts) => Promise<Result>,
): Promise<Result> {
  makeStateFolder(config);
  const address = accountDatabase(config);
  const database = await openDatabase(address);
  const accounts = await openAccountsOn(database, address);
  try {
    return await work({ accounts, database });
  } finally {
    await accounts.close();
  }
}
