/** Which database the configuration asks for. */
import type { DatabaseAddress } from '@cloister/accounts/store';
import type { Config } from './config.ts';
import { statePaths } from './state-folder.ts';

/** PostgreSQL where `databaseUrl` names one, else the file in the state folder. */
export function accountDatabase(config: Config): DatabaseAddress {
  const url = config.databaseUrl;
  return url === undefined ? { kind: 'sqlite', path: statePaths(config).keyDatabase } : { kind: 'postgres', url };
}
