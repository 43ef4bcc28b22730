/** Real servers on simulated machines that share one PostgreSQL, as one fleet. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorPlanId } from '../../../accounts/plans/plans.ts';
import { openAccounts } from '../../../accounts/store.ts';
import { type PostgresServer, startPostgres } from '../accounts/postgres.ts';
import { simulatedSoftware } from '../attestation/attested-server.ts';
import { reachablePort } from '../compute/reachable-port.ts';
import { RunningServer } from './server.ts';

/** Accepts the software of simulated machines, whatever its commit. */
export const simulatedPolicy = { measurements: simulatedSoftware, sources: 'any' } as const;

export class SimulatedFleet {
  readonly nodes: RunningServer[] = [];
  /** API keys of the accounts. */
  readonly keys: string[] = [];
  /** Of the shared database. */
  readonly url: string;
  readonly #postgres: PostgresServer;
  readonly #folder = mkdtempSync(join(tmpdir(), 'cloister-fleet-'));

  private constructor(postgres: PostgresServer, url: string) {
    this.#postgres = postgres;
    this.url = url;
    writeFileSync(this.policyPath, JSON.stringify(simulatedPolicy));
  }

  /** Without nodes. @returns why it cannot run here, if it cannot */
  static async start(accounts: readonly string[]): Promise<SimulatedFleet | { missing: string }> {
    const postgres = startPostgres();
    if ('missing' in postgres) return postgres;
    const fleet = new SimulatedFleet(postgres, await postgres.emptyDatabase());
    const store = await openAccounts({ kind: 'postgres', url: fleet.url });
    const now = Date.now();
    for (const name of accounts) {
      await store.createAccount({ name, plan: operatorPlanId, now });
      await store.credit({ account: name, microDollars: 1_000_000_000, reference: name, now });
      fleet.keys.push((await store.createKey({ account: name, name: 'key', now })).secret);
    }
    await store.close();
    return fleet;
  }

  get policyPath(): string {
    return join(this.#folder, 'policy.json');
  }

  /** Roots of the nodes' simulated platforms, as PEM. */
  get roots(): string {
    return this.nodes.map(({ stateDir }) => readFileSync(join(stateDir, 'simulation-root.pem'), 'utf8')).join('\n');
  }

  async startNode(flags: readonly string[] = []): Promise<RunningServer> {
    const port = await reachablePort();
    const node = new RunningServer([
      ...['--simulate-tdx', '--database-url', this.url, '--port', String(port)],
      ...['--fleet-address', `https://localhost:${port}`, '--fleet-policy', this.policyPath],
      ...flags,
    ]);
    this.nodes.push(node);
    return node.ready();
  }

  /**
   * A node that knows no secret and gets them from another one. It is not ready yet.
   * @param options.again a node that ended: the same address and state folder
   */
  async joinNode(
    through: readonly RunningServer[],
    { flags = [], again }: { flags?: readonly string[]; again?: RunningServer } = {},
  ): Promise<RunningServer> {
    const port = again?.port ?? (await reachablePort());
    const node = new RunningServer(
      [
        ...['--simulate-tdx', '--port', String(port), '--fleet-address', `https://localhost:${port}`],
        ...['--fleet-policy', this.policyPath],
        ...through.flatMap((giver) => ['--join', `https://localhost:${giver.port}`]),
        ...flags,
      ],
      again === undefined ? {} : { stateDir: again.stateDir },
    );
    if (again !== undefined) this.nodes.splice(this.nodes.indexOf(again), 1);
    this.nodes.push(node);
    return node;
  }

  async close(): Promise<void> {
    for (const node of this.nodes) await node.stop();
    this.#postgres.remove();
    rmSync(this.#folder, { recursive: true });
  }
}
