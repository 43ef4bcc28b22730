/** Runs a suite on both databases of the accounts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe } from 'vitest';
import {
  type Accounts,
  type AccountsOptions,
  type Admission,
  type AdmissionRequest,
  type DatabaseAddress,
  openAccounts,
} from '../../../accounts/store.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

export interface StoreUnderTest {
  readonly kind: 'sqlite' | 'postgres';
  /** Returns the address of an empty database; on PostgreSQL there is one at a time. */
  address(): Promise<DatabaseAddress>;
  /** Opens accounts, on a new database unless an address is given; closed after the test. */
  open(address?: DatabaseAddress, options?: AccountsOptions): Promise<Accounts>;
  readonly postgres: PostgresServer | undefined;
}

/** Noon of a day far from the real date. */
export const noon = Date.UTC(2030, 5, 15, 12);

/** Describes the same facts of both databases; skips PostgreSQL with a printed reason if it is not available. */
export function describeStores(title: string, facts: (store: StoreUnderTest) => void): void {
  describe(`${title} (SQLite)`, () => facts(storeUnderTest('sqlite', () => undefined)));
  describePostgres(title, facts);
}

/** Describes facts of PostgreSQL only. */
export function describePostgres(title: string, facts: (store: StoreUnderTest) => void): void {
  // Started here and not in a hook: the suite must know whether PostgreSQL is available before it lists its tests.
  const server = serverOfThisFile();
  if ('missing' in server) {
    describe.skip(`${title} (PostgreSQL: ${server.missing})`, () => facts(storeUnderTest('postgres', () => undefined)));
    return;
  }
  describe(`${title} (PostgreSQL)`, () => facts(storeUnderTest('postgres', () => server)));
}

let started: ReturnType<typeof startPostgres> | undefined;

/** Starts one server per test file, or prints once why it is not available. */
function serverOfThisFile(): ReturnType<typeof startPostgres> {
  if (started !== undefined) return started;
  const server = startPostgres();
  started = server;
  if ('missing' in server) console.warn(`PostgreSQL is skipped: ${server.missing}`);
  else afterAll(() => server.remove());
  return server;
}

function storeUnderTest(kind: 'sqlite' | 'postgres', server: () => PostgresServer | undefined): StoreUnderTest {
  const open: Accounts[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const accounts of open.splice(0)) await accounts.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const address = async (): Promise<DatabaseAddress> => {
    const postgres = server();
    if (postgres !== undefined) return { kind: 'postgres', url: await postgres.emptyDatabase() };
    const folder = mkdtempSync(join(tmpdir(), 'cloister-accounts-'));
    folders.push(folder);
    return { kind: 'sqlite', path: join(folder, 'accounts.sqlite') };
  };
  return {
    kind,
    address,
    async open(at, options = {}) {
      const accounts = await openAccounts(at ?? (await address()), { clock: () => noon, ...options });
      open.push(accounts);
      return accounts;
    },
    get postgres() {
      return server();
    },
  };
}

/** A dollar per million tokens, which is one micro-dollar per token. */
export const microDollarPerToken = { promptPerMillion: 1_000_000, completionPerMillion: 1_000_000 };

export interface TestAccount {
  readonly name: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly secret: string;
  /** Admits a request of up to 60 prompt and 40 completion tokens: 100 micro-dollars. */
  admit(changes?: Partial<AdmissionRequest>): Promise<Admission>;
}

/** Creates an account with a key and a balance, on the operator's plan by default. */
export async function makeAccount(
  accounts: Accounts,
  {
    name = 'acme',
    plan = 'operator',
    microDollars = 1_000_000,
  }: { name?: string; plan?: string; microDollars?: number } = {},
): Promise<TestAccount> {
  const { id } = await accounts.createAccount({ name, plan, now: noon });
  if (microDollars > 0) await accounts.credit({ account: name, microDollars, now: noon });
  const { key, secret } = await accounts.createKey({ account: name, name: 'key', now: noon });
  const caller = { keyId: key.id, accountId: id, scopes: key.scopes };
  return { name, accountId: id, keyId: key.id, secret, admit: (changes) => accounts.admit(requestOf(caller, changes)) };
}

let requests = 0;

/** Builds a request of at most 60 + 40 tokens. */
export function requestOf(
  caller: AdmissionRequest['caller'],
  changes: Partial<AdmissionRequest> = {},
): AdmissionRequest {
  requests += 1;
  return {
    caller,
    requestId: `request-${requests}`,
    surface: 'chat',
    model: { id: 'fake-TEE', plans: ['*'], pricing: microDollarPerToken },
    countsMax: { promptTokens: 60, completionTokens: 40 },
    now: noon,
    deadline: noon + 600_000,
    ...changes,
  };
}

/** The end of a request with 30 + 20 tokens: 50 micro-dollars. */
export const halfUsed = {
  counts: { promptTokens: 30, completionTokens: 20 },
  finishReason: 'stop',
  now: noon + 1_000,
} as const;
