/** Opens the accounts database for a command. */
import { type Database, openDatabase } from '@cloister/accounts/database/database';
import { type Accounts, openAccountsOn } from '@cloister/accounts/store';
import { accountDatabase } from '@cloister/server/program/account-database';
import type { Config } from '@cloister/server/program/config';
import { makeStateFolder } from '@cloister/server/program/state-folder';

export interface OpenAccounts {
  readonly accounts: Accounts;
  /** The database of the accounts, which also holds the compute service's tables. */
  readonly database: Database;
}

/** Opens the accounts, runs `work` and closes them. @throws {AccountError} */
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
