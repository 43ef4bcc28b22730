/** Selects the database from the configuration. */
import type { DatabaseAddress } from '@cloister/accounts/store';
import type { Config } from './config.ts';
import { statePaths } from './state-folder.ts';

/** PostgreSQL if `databaseUrl` is set, else the file in the state folder. */
export function accountDatabase(config: Config): DatabaseAddress {
  const url = config.databaseUrl;
  return url === undefined ? { kind: 'sqlite', path: statePaths(config).keyDatabase } : { kind: 'postgres', url };
}
