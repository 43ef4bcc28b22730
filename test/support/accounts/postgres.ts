/** A temporary PostgreSQL from the machine's packages, on a UNIX socket in its own folder, which is removed at the end. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  /** Empties its database, which must have no connections. @returns its address */
  emptyDatabase(): Promise<string>;
  start(): void;
  /** Breaks every connection, as an outage of the machine would. */
  stop(): void;
  /** Takes a base backup of an archiving server. */
  backUp(): void;
  /** Replaces the data with the base backup, and recovers it from the archive up to a moment. */
  recoverTo(moment: Date): void;
  /** Stops the server and removes its folder. */
  remove(): void;
}

const user = 'cloister';

/**
 * @param options.fsync whether a commit survives a power failure, which tests do not need
 * @param options.archives whether the server archives its log, for a recovery to a moment
 * @returns a running server, or the reason why it cannot start
 */
export function startPostgres({
  fsync = false,
  archives = false,
}: {
  fsync?: boolean;
  archives?: boolean;
} = {}): PostgresServer | { readonly missing: string } {
  const bin = findBinaries();
  if (bin === undefined) return { missing: 'initdb and pg_ctl are not installed' };
  const owner = unprivilegedUser();
  if (owner === 'none') return { missing: 'PostgreSQL refuses to run as root and there is no other user' };
  const folder = mkdtempSync(join(tmpdir(), 'cloister-postgres-'));
  const data = join(folder, 'data');
  const [archive, base] = [join(folder, 'archive'), join(folder, 'base')];
  for (const path of [data, archive]) mkdirSync(path, { mode: 0o700 });
  if (owner !== undefined) for (const path of [folder, data, archive]) chownSync(path, owner.uid, owner.gid);
  const run = (name: string, args: readonly string[]) => {
    const options = { ...owner, cwd: folder, stdio: 'ignore', env: { PATH: bin, LC_ALL: 'C' } } as const;
    const { status } = spawnSync(join(bin, name), args, options);
    if (status === 0) return;
    const log = join(folder, 'log');
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5) : [];
    throw new Error([`${name} ended with ${status}`, ...lines].join('\n'));
  };
  const folders = `-c listen_addresses='' -c unix_socket_directories='${folder}'`;
  const archiving = archives ? ` -c archive_mode=on -c archive_command='/bin/cp %p ${archive}/%f'` : '';
  const settings = `${folders} -c max_connections=100 -c fsync=${fsync ? 'on' : 'off'}${archiving}`;
  const server = {
    start: () => run('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', settings]),
    stop: () => run('pg_ctl', ['stop', '-w', '-D', data, '-m', 'immediate']),
  };
  run('initdb', ['-D', data, '-U', user, '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
  server.start();
  const url = `postgres://${user}@/postgres?host=${encodeURIComponent(folder)}`;
  return {
    async emptyDatabase() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      // Much faster than creating another.
      await client.query('drop schema public cascade; create schema public');
      await client.end();
      return url;
    },
    start: server.start,
    stop: server.stop,
    backUp: () => run('pg_basebackup', ['-h', folder, '-U', user, '-D', base, '--no-sync']),
    recoverTo(moment) {
      // A server that stops in order archives the end of its log.
      run('pg_ctl', ['stop', '-w', '-D', data, '-m', 'fast']);
      rmSync(data, { recursive: true });
      renameSync(base, data);
      const target = `recovery_target_time = '${moment.toISOString().replace('Z', '+00')}'\nrecovery_target_action = 'promote'\n`;
      appendFileSync(join(data, 'postgresql.conf'), `restore_command = '/bin/cp ${archive}/%f %p'\n${target}`);
      const signal = join(data, 'recovery.signal');
      writeFileSync(signal, '');
      if (owner !== undefined) chownSync(signal, owner.uid, owner.gid);
      server.start();
    },
    remove() {
      spawnSync(join(bin, 'pg_ctl'), ['stop', '-w', '-D', data, '-m', 'immediate'], { ...owner, stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of `initdb` and `pg_ctl`, which Debian does not put on PATH. */
function findBinaries(): string | undefined {
  const root = '/usr/lib/postgresql';
  const packaged = existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
  const folders = [...packaged.sort().reverse(), ...(process.env.PATH ?? '').split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')));
}

/** @returns the user for the server if the tests run as root, which PostgreSQL rejects; undefined for the current user */
function unprivilegedUser(): { uid: number; gid: number } | 'none' | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The user does not exist.
    }
  }
  return 'none';
}
