/** What lies where in the state folder. No prompt, answer or private key is ever written to it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { ServerError } from '../errors.ts';

export interface StatePaths {
  readonly keyDatabase: string;
  /** The public half of the TLS identity made at start. */
  readonly certificate: string;
  /** What a verifier must be given to believe a simulated platform: another at every start. */
  readonly simulationRoot: string;
  /** Opens the operator's API on the metrics port. */
  readonly adminToken: string;
  readonly modelsFolder: string;
  readonly digestCache: string;
}

export function statePaths({ stateDir }: Config): StatePaths {
  return {
    keyDatabase: join(stateDir, 'accounts.sqlite'),
    certificate: join(stateDir, 'certificate.pem'),
    simulationRoot: join(stateDir, 'simulation-root.pem'),
    adminToken: join(stateDir, 'admin-token'),
    modelsFolder: join(stateDir, 'models'),
    digestCache: join(stateDir, 'digests.json'),
  };
}

/** Makes the folder, for its owner alone. @throws {ServerError} ERR_START */
export function makeStateFolder({ stateDir }: Config): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new ServerError('ERR_START', `the state folder cannot be made (${reason}): set CLOISTER_STATE_DIR`, {
      cause,
    });
  }
}
