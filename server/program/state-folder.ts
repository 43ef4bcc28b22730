/** The files of the state folder, and the program that uses it. Prompts and answers are never written to it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, lockFile } from '@cloister/accounts/database/file-lock';
import { ServerError } from '../http/errors.ts';
import type { Config } from './config.ts';

export interface StatePaths {
  readonly keyDatabase: string;
  /** What clients need to trust the server: its certificate, or that of the development authority. */
  readonly certificate: string;
  /** Private key of the development authority; never created in a TDX guest. */
  readonly certificateKey: string;
  /** Secret of the development key; never written in a TDX guest. */
  readonly developmentKey: string;
  /** Root certificate for verifiers of a simulated platform; new at every start. */
  readonly simulationRoot: string;
  /** Authenticates requests to the operator's API on the metrics port. */
  readonly adminToken: string;
  /** Identifies this node among the servers on one database. */
  readonly nodeId: string;
  /** Of the models that the operator adds. */
  readonly catalogue: string;
  readonly modelsFolder: string;
  readonly digestCache: string;
}

export function statePaths({ stateDir }: Pick<Config, 'stateDir'>): StatePaths {
  return {
    keyDatabase: join(stateDir, 'accounts.sqlite'),
    certificate: join(stateDir, 'certificate.pem'),
    certificateKey: join(stateDir, 'certificate-key.pem'),
    developmentKey: join(stateDir, 'development-key'),
    simulationRoot: join(stateDir, 'simulation-root.pem'),
    adminToken: join(stateDir, 'admin-token'),
    nodeId: join(stateDir, 'node-id'),
    catalogue: join(stateDir, 'catalogue.json'),
    modelsFolder: join(stateDir, 'models'),
    digestCache: join(stateDir, 'digests.json'),
  };
}

/** Creates the folder, accessible to its owner only. @throws {ServerError} ERR_START */
export function makeStateFolder({ stateDir }: Pick<Config, 'stateDir'>): void {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new ServerError('ERR_START', `the state folder cannot be created (${reason}): set CLOISTER_STATE_DIR`, {
      cause,
    });
  }
}

/** Programs that lock a state folder; one process of each may run. */
export type StateFolderUser = 'serve' | 'compute serve';

/**
 * Creates the folder and locks it until it is released or the process ends for any reason.
 * @throws {ServerError} ERR_START, which names the process that holds the lock
 */
export function lockStateFolder(config: Pick<Config, 'stateDir'>, user: StateFolderUser): FileLock {
  makeStateFolder(config);
  const { stateDir } = config;
  const path = join(stateDir, `${user.replace(' ', '-')}.lock`);
  const holder = `${path}.pid`;
  const lock = lockFile(path);
  if (lock === undefined) {
    throw new ServerError(
      'ERR_START',
      `another \`cloister ${user}\` (process ${readHolder(holder)}) uses the state folder ${stateDir}: stop it, or choose ` +
        'another folder with --state-dir',
    );
  }
  writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 });
  return lock;
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // The process holds the lock but has not written its id yet.
    return 'unknown';
  }
}
