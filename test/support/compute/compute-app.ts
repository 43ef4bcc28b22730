/** The real application of the compute service with a test database and an in-memory engine. */
import { Writable } from 'node:stream';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterEach, expect } from 'vitest';
import { defaultLimits, type RateLimits } from '../../../compute/http/admission.ts';
import { parseInventory } from '../../../compute/inventory/configuration.ts';
import { Stock } from '../../../compute/inventory/stock.ts';
import { Templates } from '../../../compute/inventory/templates.ts';
import { operationsOf } from '../../../compute/routes/operations.ts';
import { errorSchema } from '../../../compute/schemas/basics.ts';
import type { ComputeService } from '../../../compute/service/service.ts';
import { buildComputeApp } from '../../../compute/start/app.ts';
import type { Deprecation } from '../../../server/http/deprecations.ts';
import { buildLogger } from '../../../server/http/request-log.ts';
import { makeIdentity, tlsOptions } from '../../../server/tls/tls.ts';
import { noon, type StoreUnderTest } from '../accounts/account-stores.ts';
import { inventoryFile, newSshKey, templatesFile } from './compute-fixtures.ts';
import { findMismatch } from './compute-schemas.ts';
import { type World, worlds } from './compute-world.ts';

export interface ComputeTenant {
  readonly accountId: string;
  readonly key: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  readonly body: any;
}

export class ComputeApp {
  readonly world: World;
  readonly app: FastifyInstance;
  readonly service: ComputeService;
  readonly faults: string[];
  readonly #log: string[];

  constructor(parts: {
    world: World;
    app: FastifyInstance;
    service: ComputeService;
    log: string[];
    faults: string[];
  }) {
    this.world = parts.world;
    this.app = parts.app;
    this.service = parts.service;
    this.faults = parts.faults;
    this.#log = parts.log;
  }

  get log(): string {
    return this.#log.join('');
  }

  /** An account with money, a key of these scopes and, by default, an SSH key. */
  async tenant(
    name: string,
    {
      micro = 50_000_000,
      scopes,
      sshKey = true,
    }: { micro?: number; scopes?: readonly string[]; sshKey?: boolean } = {},
  ): Promise<ComputeTenant> {
    const accountId = await this.world.account(name, micro);
    const { secret: key } = await this.world.accounts.createKey({ account: name, name: 'key', scopes, now: noon });
    if (sshKey)
      await this.call('POST', '/api/svc/ssh-keys', { key, body: { name: 'laptop', public_key: newSshKey() } });
    return { accountId, key };
  }

  /** Sends a request, by default from a new address, because few tests concern limits per address. */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    url: string,
    {
      key,
      body,
      headers = {},
      ip = nextAddress(),
    }: { key?: string; body?: unknown; headers?: Record<string, string>; ip?: string } = {},
  ): Promise<Answered> {
    const options: InjectOptions = {
      method,
      url,
      remoteAddress: ip,
      headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    };
    const response = await this.app.inject(options);
    const answered = { status: response.statusCode, headers: response.headers, body: response.json() };
    this.#requireAsDescribed(method, url, answered);
    return answered;
  }

  /** Expects the response to match the OpenAPI document exactly. */
  #requireAsDescribed(method: string, url: string, { status, headers, body }: Answered): void {
    expect(headers['content-type'], url).toMatch(/^application\/json/);
    if (status >= 400) {
      expect(findMismatch(errorSchema, body), `${method} ${url} ${status}`).toBeUndefined();
      return;
    }
    const path = url.split('?')[0]!;
    const operation = operationsOf({ svc: 'svc' }).find(
      (one) => one.method === method && new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(path),
    );
    const schema = operation?.answers[status];
    if (operation === undefined) return;
    expect(
      schema === undefined ? 'is not described' : findMismatch(schema, body),
      `${method} ${url} ${status}`,
    ).toBeUndefined();
  }

  /** Every value of every table, as text. */
  get stored(): string {
    const { sqlite } = this.world.database;
    const tables = sqlite!.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
    return JSON.stringify(tables.map(({ name }) => sqlite!.prepare(`select * from "${name}"`).all()));
  }

  get(url: string, { key }: { key?: string } = {}): Promise<Answered> {
    return this.call('GET', url, key === undefined ? {} : { key });
  }
}

const inMemory: Pick<StoreUnderTest, 'kind' | 'address'> = {
  kind: 'sqlite',
  address: async () => ({ kind: 'sqlite', path: ':memory:' }),
};

/** Opens applications and closes them after each test. @param store where each has its database, if not in memory */
export function computeApps(store = inMemory): (options?: ComputeAppChanges) => Promise<ComputeApp> {
  const makeWorld = worlds(store);
  const open: FastifyInstance[] = [];
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close();
  });
  return async (changes = {}) => {
    const started = await startComputeApp(makeWorld, changes);
    open.push(started.app);
    return started;
  };
}

export interface ComputeAppChanges {
  readonly limits?: RateLimits;
  readonly inventory?: object;
  readonly loadTemplates?: () => Promise<unknown>;
  readonly trustedProxies?: readonly string[];
  readonly deprecations?: readonly Deprecation[];
}

export async function startComputeApp(
  makeWorld: (options: { machines: readonly string[] }) => Promise<World>,
  {
    limits = defaultLimits,
    inventory = inventoryFile,
    loadTemplates = async () => templatesFile,
    trustedProxies = [],
    deprecations,
  }: ComputeAppChanges = {},
): Promise<ComputeApp> {
  const parsed = parseInventory(inventory);
  const world = await makeWorld({ machines: parsed.machines.map(({ id }) => id) });
  world.engine.protection = 'tdx';
  world.engine.machines = parsed.machines.map((machine) => ({
    machine: machine.id,
    offers: [machine.provider],
    gpuCount: 8,
  }));
  const now = () => world.now;
  const faults: string[] = [];
  const service: ComputeService = {
    control: world.control,
    accounts: world.accounts,
    stock: new Stock(parsed, { control: world.control, now }),
    templates: new Templates({ load: loadTemplates, now }),
    secrets: world.secrets,
    guard: { allowPrivate: true },
    options: {
      svc: 'svc',
      topUpUrl: 'https://web.example/top-up',
      baseUrl: 'https://api.example',
      webOrigins: ['https://web.example'],
      serviceSshKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    },
    wake: () => undefined,
    faults: () => faults,
  };
  const log: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  const app = buildComputeApp({
    service,
    https: tlsOptions(identity),
    logger: buildLogger({ level: 'debug', destination }),
    limits,
    trustedProxies,
    now,
    ...(deprecations && { deprecations }),
  });
  await app.ready();
  return new ComputeApp({ world, app, service, log, faults });
}

/** The address and certificate of every such application. */
export const identity = makeIdentity({ host: 'localhost', now: Date.now() });

let addresses = 0;

function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
