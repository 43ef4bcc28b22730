/** A fleet of real servers on hosts and disks of their own, behind HAProxy, on a replicated database. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorPlanId } from '../../../accounts/plans/plans.ts';
import { openAccounts } from '../../../accounts/store.ts';
import { RunningServer } from '../../support/server/server.ts';
import { simulatedPolicy } from '../../support/server/simulated-fleet.ts';
import { DatabaseCluster, whyNoDatabase } from './database-cluster.ts';
import { mountDisk, unmountDisk } from './disk.ts';
import { startHaproxyOn } from './haproxy.ts';
import { type HostProcess, killProcesses } from './host-process.ts';
import { type Host, Network, whyNoNetwork } from './network.ts';

export const model = 'cloister-demo-TEE';
const port = 8443;
const nodeDiskMegabytes = 16;
const creditMicroDollars = 1_000_000_000;

export interface FleetNode {
  readonly host: Host;
  readonly origin: string;
  /** Folder of its disk, which has the state of the server. */
  readonly disk: string;
  server: RunningServer;
}

export interface Caller {
  readonly account: string;
  readonly key: string;
}

export class Fleet {
  readonly network: Network;
  readonly database: DatabaseCluster;
  readonly nodes: FleetNode[] = [];
  readonly callers: Caller[] = [];
  readonly balancerHost: Host;
  balancer!: HostProcess;
  readonly #folder: string;
  #isClosed = false;

  private constructor(network: Network, database: DatabaseCluster, folder: string) {
    this.network = network;
    this.database = database;
    this.#folder = folder;
    this.balancerHost = network.addHost('balancer', ['front']);
    writeFileSync(this.#policyPath, JSON.stringify(simulatedPolicy));
  }

  /** @param options.through commands that run servers, by the index of the node */
  static async start({
    nodes,
    accounts,
    through = {},
  }: {
    nodes: number;
    accounts: number;
    through?: Readonly<Record<number, readonly string[]>>;
  }): Promise<Fleet> {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-fleet-'));
    const network = new Network();
    let fleet: Fleet | undefined;
    try {
      fleet = new Fleet(network, await DatabaseCluster.start(network, folder), folder);
      await fleet.#createAccounts(accounts);
      for (let index = 0; index < nodes; index++) await fleet.#addNode(index, through[index] ?? []);
      await fleet.startBalancer();
      return fleet;
    } catch (error) {
      if (fleet === undefined) network.remove();
      else await fleet.close();
      throw error;
    }
  }

  /** The address that leads to any node. */
  get origin(): string {
    return `https://${this.balancerHost.address.front}:${port}`;
  }

  /** Certificates of the nodes, for clients that do not verify evidence. */
  get certificates(): string[] {
    return this.nodes.map(({ server }) => server.certificate);
  }

  /** Roots of the simulated machines, for clients that verify evidence. */
  get roots(): string {
    return this.nodes
      .map(({ server }) => readFileSync(join(server.stateDir, 'simulation-root.pem'), 'utf8'))
      .join('\n');
  }

  async startBalancer(): Promise<void> {
    const host = this.balancerHost.address.front!;
    const map = join(this.#folder, 'nodes.map');
    writeFileSync(
      map,
      this.nodes.map(({ host: { name } }, index) => `${name}.example ${`node${index + 1}`}\n`).join(''),
    );
    this.balancer = await startHaproxyOn(this.balancerHost, {
      source: 'haproxy.cfg',
      folder: this.#folder,
      servers: this.nodes.map(({ host: { address } }) => `${address.front}:${port}`),
      listen: { host, port },
      env: { FLEET_LISTEN: `${host}:${port}`, FLEET_NODES: 'unused', FLEET_MAP: map },
    });
  }

  /** Whether the balancer's health checks have found a node ready. */
  isUp(node: FleetNode): boolean {
    const name = `nodes/node${this.nodes.indexOf(node) + 1}`;
    const states = [...this.balancer.log.matchAll(/Server (\S+) is (UP|DOWN)/g)].filter(
      ([, server]) => server === name,
    );
    // It takes every server for ready until its first checks.
    return states.at(-1)?.[2] !== 'DOWN';
  }

  /** Whether a node says that it is ready. */
  async isReady({ host }: FleetNode): Promise<boolean> {
    const ca = this.certificates;
    const url = `https://${host.address.front}:${port}/health/ready`;
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const options = { ca, servername: 'fleet.example', agent: false, headers: { host: 'fleet.example' } };
      get(url, options, (incoming) => resolve(incoming.resume().statusCode)).once('error', reject);
    });
    return answer === 200;
  }

  /** Starts a node that was killed again, as a new machine at the same address. */
  async restart(node: FleetNode): Promise<void> {
    rmSync(node.server.stateDir, { recursive: true, force: true });
    node.server = await this.#serve(node, []);
  }

  /** Asks a node to load a model, by its admin port, which only its host reaches. @returns status and body */
  loadModel({ host, server }: FleetNode, id: string): { readonly status: number; readonly body: string } {
    const script = `
      const [url, token, id] = process.argv.slice(1);
      const headers = { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ id }) });
      console.log(JSON.stringify({ status: answer.status, body: await answer.text() }));`;
    const url = new URL('/admin/models', server.listening.metricsUrl).href;
    const token = readFileSync(join(server.stateDir, 'admin-token'), 'utf8').trim();
    const [program, ...args] = [...host.enter, process.execPath, '--input-type=module', '-e', script, url, token, id];
    return JSON.parse(execFileSync(program!, args, { encoding: 'utf8' }));
  }

  /** Ends everything. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { server } of this.nodes) await server.stop();
    for (const host of [this.balancerHost, ...this.nodes.map((node) => node.host)]) killProcesses(host);
    this.database.remove();
    for (const { disk } of this.nodes) unmountDisk(disk);
    this.network.remove();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #policyPath(): string {
    return join(this.#folder, 'policy.json');
  }

  async #addNode(index: number, through: readonly string[]): Promise<void> {
    const host = this.network.addHost(`node${index + 1}`, ['front', 'data']);
    const disk = join(this.#folder, host.name);
    mountDisk(disk, { megabytes: nodeDiskMegabytes });
    const server = await this.#serve({ host, disk }, through);
    this.nodes.push({ host, origin: `https://${host.address.front}:${port}`, disk, server });
  }

  #serve({ host, disk }: Pick<FleetNode, 'host' | 'disk'>, through: readonly string[]): Promise<RunningServer> {
    const address = host.address.front!;
    const flags = [
      ...['--simulate-tdx', '--database-url', this.database.url, '--model', model, '--threads', '1'],
      ...['--host', address, '--port', String(port), '--fleet-address', `https://${address}:${port}`],
      ...['--fleet-policy', this.#policyPath, '--tls-name', 'fleet.example', '--ready-grace-s', '3'],
    ];
    const place = { stateDir: join(disk, 'state'), through: [...host.enter, ...through] };
    return new RunningServer(flags, place).ready();
  }

  async #createAccounts(count: number): Promise<void> {
    const accounts = await openAccounts({ kind: 'postgres', url: this.database.url });
    const now = Date.now();
    for (let index = 0; index < count; index++) {
      const account = `account-${index}`;
      await accounts.createAccount({ name: account, plan: operatorPlanId, now });
      await accounts.credit({ account, microDollars: creditMicroDollars, reference: account, now });
      const { secret } = await accounts.createKey({ account, name: 'key', now });
      this.callers.push({ account, key: secret });
    }
    await accounts.close();
  }
}

/** Why the suite cannot run here; undefined if it can. */
export function whyNoFleet(): string | undefined {
  return whyNoNetwork() ?? whyNoDatabase();
}

/** A command that runs a server with a clock that the file `offsetPath` sets, and a native monotonic clock. */
export function clockCommand(library: string, offsetPath: string): readonly string[] {
  mkdirSync(join(offsetPath, '..'), { recursive: true });
  writeFileSync(offsetPath, '+0\n');
  return [
    'env',
    `LD_PRELOAD=${library}`,
    `FAKETIME_TIMESTAMP_FILE=${offsetPath}`,
    'FAKETIME_CACHE_DURATION=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
  ];
}
