/**
 * Three PostgreSQL servers, one leader, by Patroni and three members of etcd, behind HAProxy; with the files of `deploy/`. The disk of
 * each server is a file system of its own in memory, so that it can become full.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { emptyDisk, mountDisk, unmountDisk } from './disk.ts';
import { startHaproxyOn } from './haproxy.ts';
import { HostProcess, killProcesses } from './host-process.ts';
import type { Host, Network } from './network.ts';

const deploy = join(import.meta.dirname, '../../../deploy/patroni');
const serversCount = 3;
const passwords = {
  superuser: 'superuser-password',
  replication: 'replication-password',
  cloister: 'cloister-password',
};
const startTimeoutMs = 60_000;
const pollMs = 100;
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface DatabaseServer {
  readonly host: Host;
  readonly address: string;
  readonly folder: string;
  etcd: HostProcess;
  patroni: HostProcess;
  /** Hands the leadership over when the disk is almost full. */
  guard: HostProcess;
}

export class DatabaseCluster {
  readonly servers: DatabaseServer[] = [];
  readonly proxyHost: Host;
  proxy!: HostProcess;
  readonly #folder: string;
  readonly #user = { uid: idOf('-u'), gid: idOf('-g') };
  readonly #binaries = binariesFolder()!;

  private constructor(network: Network, folder: string) {
    this.#folder = folder;
    const hosts = Array.from({ length: serversCount }, (_, index) => network.addHost(`db${index + 1}`, ['data']));
    this.proxyHost = network.addHost('dbproxy', ['data']);
    for (const host of hosts) {
      const [disk, etcdFolder] = [join(folder, host.name), join(folder, `${host.name}-etcd`)];
      mkdirSync(etcdFolder, { mode: 0o700 });
      mountDisk(disk, { megabytes: 640 });
      for (const made of [disk, etcdFolder]) chownSync(made, this.#user.uid, this.#user.gid);
      this.servers.push({ host, address: host.address.data!, folder: disk } as DatabaseServer);
    }
    for (const name of ['create-database.sh', 'hand_over.py']) {
      copyFileSync(join(deploy, name), join(folder, name));
      chmodSync(join(folder, name), 0o755);
    }
    const settings = readFileSync(join(deploy, 'patroni.yml'), 'utf8').replace('/etc/patroni/', `${folder}/`);
    writeFileSync(join(folder, 'patroni.yml'), settings);
    chmodSync(folder, 0o755);
  }

  /** @param folder an empty one, which PostgreSQL's user can enter */
  static async start(network: Network, folder: string): Promise<DatabaseCluster> {
    const cluster = new DatabaseCluster(network, folder);
    try {
      for (const server of cluster.servers) server.etcd = cluster.#startEtcd(server);
      // The first one initializes the database, so that the others need not wait for its lock.
      for (const server of cluster.servers) {
        cluster.startPatroni(server);
        await cluster.#ready(server, server === cluster.servers[0] ? '/primary' : '/replica');
      }
      await cluster.startProxy();
      await cluster.whole();
      return cluster;
    } catch (error) {
      cluster.remove();
      throw error;
    }
  }

  /** The address that leads to the leader. */
  get url(): string {
    return `postgres://cloister:${passwords.cloister}@${this.proxyHost.address.data}:5432/cloister`;
  }

  async startProxy(): Promise<void> {
    const host = this.proxyHost.address.data!;
    this.proxy = await startHaproxyOn(this.proxyHost, {
      source: 'postgres.cfg',
      folder: this.#folder,
      servers: this.servers.map(({ address }) => `${address}:5432`),
      listen: { host, port: 5432 },
      // Until its first checks, HAProxy takes every server for the leader, one after the other.
      isReady: async () => {
        for (const _ of this.servers) if (!(await this.#isWritable())) return false;
        return true;
      },
      env: { DATABASE_LISTEN: `${host}:5432` },
    });
  }

  startPatroni(server: DatabaseServer): void {
    const run = (...command: string[]) =>
      new HostProcess(server.host, { command, user: this.#user, env: this.#settingsOf(server) });
    server.patroni = run('patroni', join(this.#folder, 'patroni.yml'));
    if (server.guard?.isRunning !== true) server.guard = run('python3', join(this.#folder, 'hand_over.py'));
  }

  /** The server that Patroni calls the leader now. */
  async leader(): Promise<DatabaseServer> {
    for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await sleep(pollMs)) {
      for (const server of this.servers) if (await isAt(server, '/primary')) return server;
    }
    throw new Error('the database has no leader');
  }

  /** Resolves when there is a leader and all others follow it, one of them synchronously. */
  async whole(): Promise<void> {
    const leader = await this.leader();
    for (const { guard } of this.servers) if (!guard.isRunning) throw new Error(`hand_over.py ended:\n${guard.log}`);
    for (const server of this.servers) if (server !== leader) await this.#ready(server, '/replica');
    for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await sleep(pollMs)) {
      for (const server of this.servers) if (await isAt(server, '/synchronous')) return;
    }
    throw new Error('no server follows the leader synchronously');
  }

  /** Kills all processes of a server with these names at the same moment. */
  kill({ host }: DatabaseServer, names: readonly ('patroni' | 'postgres')[]): void {
    killProcesses(host, names);
  }

  /** Restarts killed processes, frees the disks, and waits until all servers are healthy. */
  async repair(): Promise<void> {
    for (const server of this.servers) {
      emptyDisk(server.folder);
      if (!server.patroni.isRunning) this.startPatroni(server);
    }
    if (!this.proxy.isRunning) await this.startProxy();
    await this.whole();
  }

  remove(): void {
    for (const { host } of [...this.servers, { host: this.proxyHost }]) killProcesses(host);
    for (const { folder } of this.servers) unmountDisk(folder);
  }

  #settingsOf({ host, address, folder }: DatabaseServer): Record<string, string> {
    return {
      HOME: folder,
      // Programs that the user who runs the tests installed may be in a folder that PostgreSQL's user cannot enter.
      PATH: `${this.#binaries}:${systemPath}`,
      CLOISTER_DATABASE_PASSWORD: passwords.cloister,
      PATRONI_NAME: host.name,
      PATRONI_RESTAPI_LISTEN: `${address}:8008`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
      PATRONI_ETCD3_HOSTS: this.servers.map((one) => `${one.address}:2379`).join(','),
      PATRONI_POSTGRESQL_LISTEN: `${address}:5432`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
      PATRONI_POSTGRESQL_BIN_DIR: this.#binaries,
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replication,
    };
  }

  #startEtcd({ host, address }: DatabaseServer): HostProcess {
    const peers = this.servers.map((one) => `${one.host.name}=http://${one.address}:2380`).join(',');
    const words = [
      ...['--name', host.name, '--data-dir', join(this.#folder, `${host.name}-etcd`)],
      ...['--listen-client-urls', `http://${address}:2379`, '--advertise-client-urls', `http://${address}:2379`],
      ...['--listen-peer-urls', `http://${address}:2380`, '--initial-advertise-peer-urls', `http://${address}:2380`],
      ...['--initial-cluster', peers, '--initial-cluster-state', 'new', '--logger', 'zap', '--log-level', 'warn'],
    ];
    return new HostProcess(host, { command: ['etcd', ...words], user: this.#user });
  }

  async #isWritable(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query('select pg_is_in_recovery() as standby');
      return rows[0].standby === false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #ready(server: DatabaseServer, path: string): Promise<void> {
    return server.patroni.ready(() => isAt(server, path), { timeoutMs: startTimeoutMs });
  }
}

/** Whether Patroni's health check at a path answers yes. */
async function isAt({ address }: DatabaseServer, path: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://${address}:8008${path}`, { signal: AbortSignal.timeout(1_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Why the cluster cannot run here; undefined if it can. */
export function whyNoDatabase(): string | undefined {
  for (const program of ['patroni', 'etcd', 'haproxy', 'setpriv']) {
    if (spawnSync('which', [program]).status !== 0) return `${program} is not installed (.ci/install-fleet.sh)`;
  }
  if (binariesFolder() === undefined) return 'PostgreSQL is not installed (.ci/install-fleet.sh)';
  return spawnSync('id', ['postgres']).status === 0 ? undefined : 'there is no user named postgres';
}

function binariesFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const [latest] = spawnSync('ls', ['-r', root], { encoding: 'utf8' }).stdout.trim().split('\n');
  return latest === undefined || latest === '' ? undefined : join(root, latest, 'bin');
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
