/** A compute service with many accounts and pods on a database, with an engine that is only an in-memory map. */
import type { FastifyInstance } from 'fastify';
import { openDatabase } from '../accounts/database/database.ts';
import { type DatabaseAddress, openAccountsOn } from '../accounts/store.ts';
import { SecretBox } from '../compute/base/secrets.ts';
import { type Control, defaultTimes } from '../compute/control/control.ts';
import { Fleet } from '../compute/control/fleet.ts';
import { reconcile } from '../compute/control/reconcile.ts';
import { Stock } from '../compute/inventory/stock.ts';
import { Templates } from '../compute/inventory/templates.ts';
import { buildComputeApp } from '../compute/start/app.ts';
import { claimMachine } from '../compute/store/claim.ts';
import { findFaults } from '../compute/store/invariants.ts';
import { openComputeStore } from '../compute/store/store.ts';
import { buildLogger } from '../server/http/request-log.ts';
import { makeIdentity, tlsOptions } from '../server/tls/tls.ts';
import { MemoryEngine } from '../test/support/compute/memory-engine.ts';

export interface BenchService {
  /** The transaction that rents machine `index` to one of the accounts. */
  claim(index: number): Promise<void>;
  /** Starts all claimed pods. */
  start(): Promise<void>;
  reconcile(): Promise<void>;
  get(index: number, path: string): Promise<void>;
  getPod(index: number): Promise<void>;
  release(index: number): Promise<void>;
  /** @returns inconsistencies of pods and ledger */
  audit(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openBenchService(
  address: DatabaseAddress,
  { accountCount, podCount }: { accountCount: number; podCount: number },
): Promise<BenchService> {
  const database = await openDatabase(address);
  const accounts = await openAccountsOn(database, address, { role: 'server' });
  const store = await openComputeStore(database);
  const engine = new MemoryEngine();
  const machines = Array.from({ length: podCount }, (_, index) => ({
    id: `m-${index}`,
    engine,
    machine: `m-${index}`,
  }));
  const control: Control = {
    store,
    fleet: new Fleet(machines),
    times: defaultTimes,
    answersSsh: async () => true,
    note: () => undefined,
  };
  const tenants = await Promise.all(
    Array.from({ length: accountCount }, async (_, index) => {
      const name = `bench-${index}`;
      const { id } = await accounts.createAccount({ name, plan: 'operator', now: Date.now() });
      await accounts.credit({ account: name, microDollars: 1_000_000_000, now: Date.now() });
      return { id, key: (await accounts.createKey({ account: name, name: 'bench', now: Date.now() })).secret };
    }),
  );
  const pods: { id: string; key: string }[] = [];
  const app = buildApp(control, accounts);
  const call = async (method: 'GET' | 'DELETE', path: string, key: string) => {
    const { statusCode } = await app.inject({ method, url: `/api/svc/${path}`, headers: { 'x-api-key': key } });
    if (statusCode !== 200) throw new Error(`${method} ${path} got status ${statusCode}`);
  };
  const tenantOf = (index: number) => tenants[index % tenants.length]!;
  return {
    async claim(index) {
      const { id: accountId, key } = tenantOf(index);
      const { pod } = await claimMachine(store, { ...claim, accountId, machineIds: [`m-${index}`] });
      pods.push({ id: pod.id, key });
    },
    async start() {
      const now = await store.now();
      await store.db
        .updateTable('compute_pods')
        .set({ state: 'running', running_at: now, ssh_host: '192.0.2.1', ssh_port: 22, ssh_banner: 1 })
        .execute();
      await store.db.deleteFrom('compute_jobs').execute();
      for (const { id } of pods) engine.put(id);
      await reconcile(control);
    },
    async reconcile() {
      const { seen } = await reconcile(control);
      if (seen !== pods.length) throw new Error(`the reconciler saw ${seen} of ${pods.length} pods`);
    },
    get: (index, path) => call('GET', path, tenantOf(index).key),
    getPod: (index) => call('GET', `pods/${pods[index % pods.length]!.id}`, pods[index % pods.length]!.key),
    release: (index) => call('DELETE', `pods/${pods[index]!.id}`, pods[index]!.key),
    async audit() {
      const { faults } = await accounts.audit();
      return [...faults, ...(await findFaults(store))];
    },
    async close() {
      await app.close();
      await accounts.close();
    },
  };
}

const claim = {
  name: 'bench',
  provider: 'standard',
  resourceName: 'bench',
  templateId: 'base',
  image: 'registry.example/base:1',
  gpuType: 'H100',
  gpuCount: 8,
  price: 2_000_000,
  hardStopHours: 24,
  leaseMs: 60_000,
  startTimeoutMs: 600_000,
} as const;

function buildApp(control: Control, accounts: Awaited<ReturnType<typeof openAccountsOn>>): FastifyInstance {
  const now = () => performance.now();
  const inventory = { engines: [], machines: [], tiers: [], evidence: [] };
  const unlimited = { limit: Number.MAX_SAFE_INTEGER, windowMs: 1 };
  return buildComputeApp({
    service: {
      control,
      accounts,
      stock: new Stock(inventory, { control, now }),
      templates: new Templates({ load: async () => ({}), now }),
      secrets: new SecretBox(new Uint8Array(32)),
      guard: { allowPrivate: false },
      options: { svc: 'svc', topUpUrl: null, baseUrl: '', webOrigins: [], serviceSshKey: undefined },
      wake: () => undefined,
      faults: () => [],
    },
    https: tlsOptions(makeIdentity({ host: 'localhost', now: Date.now() })),
    logger: buildLogger({ level: 'silent', destination: { write: () => undefined } }),
    limits: { perEndpoint: unlimited, perAccount: unlimited, keyless: unlimited, creations: unlimited },
    trustedProxies: [],
    now: Date.now,
  });
}
