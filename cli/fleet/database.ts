/** The PostgreSQL of a fleet on this machine, from the distribution's packages, on a UNIX socket. `down` removes its data. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerError } from '@cloister/server/http/errors';
import { type FleetProcess, isRunning, type ProcessOwner, startProcess } from './processes.ts';

/** Name of the database's user; only the owner of the folder reaches the socket. */
const user = 'cloister';
const startTimeoutMs = 60_000;
const pollMs = 100;
/** More than the connections of sixteen nodes, twice during a replacement. */
const connectionsMax = 400;

export interface DatabasePrograms {
  /** Folder of `initdb`, `postgres` and `pg_isready`. */
  readonly bin: string;
  /** PostgreSQL refuses to run as root; undefined for the current user. */
  readonly owner: ProcessOwner | undefined;
}

/**
 * @param path the variable PATH · @param root the distribution's folder with a folder of programs for each version
 * @throws {ServerError} ERR_START, which says what to install
 */
export function findPostgres(path: string, root = '/usr/lib/postgresql'): DatabasePrograms {
  // Debian does not put these programs on PATH.
  const packaged = existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
  const folders = [...packaged.sort().reverse(), ...path.split(delimiter)];
  const has = (folder: string) => ['initdb', 'postgres', 'pg_isready'].every((name) => existsSync(join(folder, name)));
  const bin = folders.find(has);
  if (bin === undefined)
    throw new ServerError('ERR_START', 'PostgreSQL is not installed. Action: apt-get install postgresql');
  return { bin, owner: process.getuid?.() === 0 ? unprivilegedUser() : undefined };
}

/** The address of the database in a folder. */
export function databaseUrl(runFolder: string): string {
  return `postgres://${user}@/postgres?host=${encodeURIComponent(runFolder)}`;
}

/** Creates a database in the folder and starts its server. @throws {ServerError} ERR_START */
export async function startDatabase(
  { bin, owner }: DatabasePrograms,
  { runFolder, log }: { runFolder: string; log: string },
): Promise<FleetProcess> {
  const data = join(runFolder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (owner !== undefined) for (const path of [runFolder, data]) chownSync(path, owner.uid, owner.gid);
  const env = { PATH: bin, LC_ALL: 'C' };
  const words = ['-D', data, '-U', user, '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  try {
    execFileSync(join(bin, 'initdb'), words, { ...owner, cwd: runFolder, env, stdio: 'pipe' });
  } catch (cause) {
    throw new ServerError('ERR_START', `initdb failed: ${(cause as Error).message}`, { cause });
  }
  const settings = {
    listen_addresses: '',
    unix_socket_directories: runFolder,
    max_connections: connectionsMax,
    // The data does not outlive the machine's uptime: `down` removes it.
    fsync: 'off',
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  return await startProcess({
    ...{ program: join(bin, 'postgres'), args, env, cwd: runFolder, output: log, errors: log, owner },
  });
}

/** Resolves when the database accepts connections. @throws {ServerError} ERR_START · @throws the reason of the signal */
export async function databaseReady(
  { bin }: DatabasePrograms,
  database: FleetProcess,
  { runFolder, log, signal }: { runFolder: string; log: string; signal: AbortSignal },
): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline && isRunning(database); ) {
    if (isAccepting(bin, runFolder)) return;
    await sleep(pollMs, undefined, { signal });
  }
  throw new ServerError('ERR_START', `PostgreSQL did not start: see ${log}`);
}

function isAccepting(bin: string, runFolder: string): boolean {
  try {
    execFileSync(join(bin, 'pg_isready'), ['-q', '-h', runFolder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @throws {ServerError} ERR_START */
function unprivilegedUser(): ProcessOwner {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The user does not exist.
    }
  }
  throw new ServerError('ERR_START', 'PostgreSQL refuses to run as root. Action: create a user named postgres');
}
