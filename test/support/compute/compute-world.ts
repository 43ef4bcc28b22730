/** A compute service without HTTP, with a test database, an in-memory engine and a manual clock. */
import { afterEach } from 'vitest';
import { type Database, openDatabase } from '../../../accounts/database/database.ts';
import { type Accounts, type DatabaseAddress, openAccountsOn } from '../../../accounts/store.ts';
import { SecretBox } from '../../../compute/base/secrets.ts';
import type { Control, ControlTimes } from '../../../compute/control/control.ts';
import { defaultTimes } from '../../../compute/control/control.ts';
import { Fleet } from '../../../compute/control/fleet.ts';
import { type JobHandlers, runOneJob } from '../../../compute/control/worker.ts';
import { type DeployPlan, deployPod } from '../../../compute/deploy/deploy-pod.ts';
import { buildHandlers } from '../../../compute/start/handlers.ts';
import { findFaults } from '../../../compute/store/invariants.ts';
import { type ComputeStore, openComputeStore } from '../../../compute/store/store.ts';
import type { PodRow } from '../../../compute/store/tables.ts';
import { noon, type StoreUnderTest } from '../accounts/account-stores.ts';
import { MemoryEngine } from './memory-engine.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;

export class World {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly store: ComputeStore;
  readonly engine: MemoryEngine;
  readonly control: Control;
  readonly handlers: JobHandlers;
  readonly secrets = new SecretBox(new Uint8Array(32).fill(7));
  readonly notes: string[] = [];
  readonly faults: string[][] = [];
  /** Whether SSH ports of pods accept connections. */
  sshAnswers = true;
  #time: { now: number };

  constructor(parts: {
    machines?: readonly string[];
    times?: ControlTimes;
    database: Database;
    accounts: Accounts;
    store: ComputeStore;
    engine: MemoryEngine;
    time: { now: number };
  }) {
    this.database = parts.database;
    this.accounts = parts.accounts;
    this.store = parts.store;
    this.engine = parts.engine;
    this.#time = parts.time;
    const machines = parts.machines ?? Array.from({ length: 300 }, (_, index) => `m-${index + 1}`);
    this.control = {
      store: this.store,
      fleet: new Fleet(machines.map((id) => ({ id, engine: this.engine, machine: id }))),
      times: parts.times ?? defaultTimes,
      answersSsh: async () => this.sshAnswers,
      note: (what) => this.notes.push(what),
    };
    this.handlers = buildHandlers(this.control, {
      webhooks: { secrets: this.secrets, allowPrivate: true },
      onAudit: (faults) => this.faults.push([...faults]),
    });
  }

  /** Replaces the machines, as a changed inventory file does. */
  configure(machines: readonly string[]): void {
    const fleet = new Fleet(machines.map((id) => ({ id, engine: this.engine, machine: id })));
    Object.assign(this.control, { fleet });
  }

  get now(): number {
    return this.#time.now;
  }

  /** An account with money. @returns its id */
  async account(name: string, microDollars: number): Promise<string> {
    const { id } = await this.accounts.createAccount({ name, plan: 'operator', now: noon });
    if (microDollars > 0) await this.accounts.credit({ account: name, microDollars, now: noon });
    return id;
  }

  async balance(name: string) {
    return (await this.accounts.findAccount(name)).balance;
  }

  deploy(accountId: string, changes: Partial<DeployPlan> = {}): Promise<PodRow> {
    return deployPod(this.control, { ...planFor(accountId), ...changes });
  }

  pod(id: string): Promise<PodRow> {
    return this.store.db.selectFrom('compute_pods').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  /** Advances the clock and runs every job at its due time. */
  async pass(ms: number): Promise<void> {
    const end = this.#time.now + ms;
    for (;;) {
      await this.runDue();
      const next = await this.nextJobAt();
      if (next === undefined || next > end) break;
      this.#time.now = Math.max(this.#time.now, next);
    }
    this.#time.now = end;
    await this.runDue();
  }

  /** Advances the clock without running jobs. */
  sleep(ms: number): void {
    this.#time.now += ms;
  }

  async runDue(): Promise<void> {
    for (let runs = 0; await runOneJob(this.control, this.handlers); runs++) {
      if (runs > 100_000) throw new Error('jobs keep scheduling jobs');
    }
  }

  async nextJobAt(): Promise<number | undefined> {
    const jobs = await this.store.db.selectFrom('compute_jobs').select(['run_at', 'lease_until']).execute();
    const times = jobs.map(({ run_at, lease_until }) => Math.max(run_at, lease_until));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** All faults that both audits find. */
  async wrongs(): Promise<string[]> {
    const { faults, sum } = await this.accounts.audit();
    return [...faults, ...(sum === 0 ? [] : [`the sum is ${sum}`]), ...(await findFaults(this.store))];
  }

  async events(accountId: string): Promise<string[]> {
    const rows = await this.store.db
      .selectFrom('compute_events')
      .select(['kind', 'data'])
      .where('account_id', '=', accountId)
      .orderBy('sequence')
      .execute();
    return rows.map(({ kind, data }) => {
      const { reason } = JSON.parse(data) as { reason?: string };
      return reason === undefined ? kind : `${kind} ${reason}`;
    });
  }
}

/** A standard pod for a dollar an hour on the first machine. */
export function planFor(accountId: string): DeployPlan {
  return {
    accountId,
    name: 'pod',
    machineIds: ['m-1'],
    resourceName: 'rtx-4090',
    templateId: 'base',
    gpuType: 'RTX 4090',
    price: 1_000_000,
    hardStopHours: undefined,
    imageSpec: { kind: 'standard', owner: accountId, image: 'registry.test/base:1', source: 'operator' },
    spec: { sshKeys: ['ssh-ed25519 AAAA'], ports: [], gpuCount: 1, limits: { cpus: 4, memoryBytes: 8e9 } },
  };
}

interface WorldOptions {
  readonly time?: { now: number };
  readonly machines?: readonly string[];
}

/** Opens worlds on one kind of database and closes them after each test. */
export function worlds(store: Pick<StoreUnderTest, 'kind' | 'address'>): (options?: WorldOptions) => Promise<World> {
  const open: Accounts[] = [];
  afterEach(async () => {
    for (const accounts of open.splice(0)) await accounts.close();
  });
  return async (options = {}) => {
    const world = await openWorld(await store.address(), options);
    open.push(world.accounts);
    return world;
  };
}

/** The caller closes `accounts`. */
export async function openWorld(address: DatabaseAddress, { time = { now: noon }, machines }: WorldOptions) {
  const database = await openDatabase(address);
  return new World({
    database,
    accounts: await openAccountsOn(database, address, { clock: () => time.now }),
    store: await openComputeStore(database, { clock: () => time.now }),
    engine: new MemoryEngine(),
    time,
    ...(machines === undefined ? {} : { machines }),
  });
}
