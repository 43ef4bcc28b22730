/** The state folder of a fleet on this machine: which processes run, on which ports, with which release. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, lockFile } from '@cloister/accounts/database/file-lock';
import { replaceFile } from '@cloister/models/files/atomic-file';
import { ServerError } from '@cloister/server/http/errors';
import type { FleetProcess } from './processes.ts';

/** What a node runs, and what its evidence must satisfy. */
export interface Release {
  /** Counts up from 1 with each `roll`. */
  readonly number: number;
  /** Path of `cloister.mjs`. */
  readonly program: string;
  /** Further options of `cloister serve`. */
  readonly options: readonly string[];
  /** Folder that relative paths in the options refer to. */
  readonly cwd: string;
  /** Text of the policy file. */
  readonly policy: string;
}

export interface NodeRecord {
  /** The name of the node for people; a node that replaces another one has its number. */
  readonly number: number;
  /** Its place in the balancer, different for every node that runs. */
  readonly slot: number;
  readonly port: number;
  /** Its state folder, with its log. */
  readonly folder: string;
  readonly release: Release;
  readonly process: FleetProcess;
  /** A starting node gets no requests; a draining one no new connections. */
  readonly phase: 'starting' | 'serving' | 'draining';
}

export interface FleetState {
  /** Port of the shared address. */
  readonly port: number;
  /** Folder with the database and the balancer's socket. Its path is short, since a socket's path has 107 bytes at most. */
  readonly runFolder: string;
  readonly databaseUrl: string;
  readonly database?: FleetProcess | undefined;
  readonly balancer?: FleetProcess | undefined;
  readonly release: Release;
  readonly nodes: readonly NodeRecord[];
}

/** The files of a fleet's state folder. */
export interface FleetPaths {
  readonly folder: string;
  readonly state: string;
  readonly lock: string;
  readonly apiKey: string;
  /** The authority that certifies every node's TLS key, for clients that do not verify evidence. */
  readonly certificate: string;
  readonly certificateKey: string;
  /** The policy of the current release, for clients. */
  readonly policy: string;
  /** Roots of the simulated machines, for clients that verify. */
  readonly roots: string;
  readonly logs: string;
  readonly nodes: string;
}

/** @param folder absolute path of the state folder */
export function fleetPaths(folder: string): FleetPaths {
  const at = (name: string) => join(folder, name);
  return {
    folder,
    state: at('fleet.json'),
    lock: at('fleet.lock'),
    apiKey: at('api-key'),
    certificate: at('certificate.pem'),
    certificateKey: at('certificate-key.pem'),
    policy: at('policy.json'),
    roots: at('simulation-roots.pem'),
    logs: at('logs'),
    nodes: at('nodes'),
  };
}

/** Creates the folder, which must be empty: `down` removes it. @throws {ServerError} ERR_START */
export function makeFleetFolder(paths: FleetPaths): void {
  mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
  const found = readdirSync(paths.folder);
  if (found.includes('fleet.json')) {
    throw new ServerError(
      'ERR_START',
      `a fleet exists in ${paths.folder}: see cloister fleet status, or end it with cloister fleet down`,
    );
  }
  if (found.some((name) => !name.startsWith('fleet.lock')))
    throw new ServerError('ERR_START', `${paths.folder} is not empty: choose another folder with --state-dir`);
  for (const folder of [paths.logs, paths.nodes]) mkdirSync(folder, { mode: 0o700 });
}

/** Removes the files of a fleet, and the folder if nothing else is in it. */
export function removeFleetFolder(paths: FleetPaths): void {
  const { folder, ...files } = paths;
  for (const path of [...Object.values(files), `${paths.lock}-journal`]) rmSync(path, { recursive: true, force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Another file is in it.
  }
}

/** Locks the fleet against other commands that change it. @throws {ServerError} ERR_START if one runs */
export function lockFleet(paths: FleetPaths): FileLock {
  mkdirSync(paths.folder, { recursive: true, mode: 0o700 });
  const lock = lockFile(paths.lock);
  if (lock === undefined)
    throw new ServerError(
      'ERR_START',
      `another cloister fleet command changes the fleet in ${paths.folder}: wait for it`,
    );
  return lock;
}

/** @throws {ServerError} ERR_START if the folder has no fleet */
export function readFleet(paths: FleetPaths): FleetState {
  let text: string;
  try {
    text = readFileSync(paths.state, 'utf8');
  } catch (cause) {
    throw new ServerError('ERR_START', `${paths.folder} has no fleet: start one with cloister fleet up`, { cause });
  }
  return JSON.parse(text) as FleetState;
}

/** Replaces the recorded state as a whole, so that a killed command leaves either the old or the new one. */
export function writeFleet(paths: FleetPaths, state: FleetState): void {
  replaceFile(paths.state, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}
