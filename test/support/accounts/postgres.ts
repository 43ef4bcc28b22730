/** A temporary PostgreSQL from the machine's packages, on a UNIX socket in its own folder, which is removed at the end. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  /** Empties its database, which must have no connections. @returns its address */
  emptyDatabase(): Promise<string>;
  start(): void;
  /** Breaks every connection, as an outage of the machine would. */
  stop(): void;
  /** Stops the server and removes its folder. */
  remove(): void;
}

const user = 'cloister';

/**
 * @param fsync whether a commit survives a power failure, which tests do not need
 * @returns a running server, or the reason why it cannot start
 */
export function startPostgres({
  fsync = false,
}: {
  fsync?: boolean;
} = {}): PostgresServer | { readonly missing: string } {
  const bin = findBinaries();
  if (bin === undefined) return { missing: 'initdb and pg_ctl are not installed' };
  const owner = unprivilegedUser();
  if (owner === 'none') return { missing: 'PostgreSQL refuses to run as root and there is no other user' };
  const folder = mkdtempSync(join(tmpdir(), 'cloister-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (owner !== undefined) for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid);
  const run = (name: string, args: readonly string[]) => {
    const options = { ...owner, cwd: folder, stdio: 'ignore', env: { PATH: bin, LC_ALL: 'C' } } as const;
    const { status } = spawnSync(join(bin, name), args, options);
    if (status !== 0) throw new Error(`${name} ended with ${status}`);
  };
  const folders = `-c listen_addresses='' -c unix_socket_directories='${folder}'`;
  const settings = `${folders} -c max_connections=100 -c fsync=${fsync ? 'on' : 'off'}`;
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
