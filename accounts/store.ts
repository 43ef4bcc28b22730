/** Accounts, keys, plans, limits and money behind one door: opens the database and binds everything to it. */
import { type Admission, type AdmissionRequest, Admissions, newInstanceId } from './admission.ts';
import { CompiledQueries } from './database/compiled-queries.ts';
import { type Database, type DatabaseAddress, openDatabase, transactUnflushed } from './database/database.ts';
import { reaching } from './database/store-faults.ts';
import { freshKeyLookup, type KeyLookup, postgresKeyLookup, sqliteKeyLookup } from './keys/key-lookup.ts';
import { type ApiKey, type Caller, createKey, listKeys, type NewKey, revokeKey } from './keys/key-store.ts';
import { KeyUses } from './keys/key-uses.ts';
import * as book from './ledger/account-book.ts';
import { type Audit, audit } from './ledger/audit.ts';
import { endLease, renewLease, replaceInstances, sweepLost, touchLease } from './ledger/instances.ts';
import { MeteringQueue } from './ledger/metering-queue.ts';
import { meteringRound } from './ledger/metering-round.ts';
import { type Credit, type CreditedAccount, credit, refund } from './ledger/payments.ts';
import { proveUsage, readStatement, type Statement, type UsageProof } from './ledger/statement.ts';
import { sumUsage, type UsageQuery, type UsageSum } from './ledger/usage.ts';
import { changePlan, createPlan, findPlan, listPlans, type Plan, type PlanChange } from './plans/plans.ts';

export type { Admission, AdmissionRequest, RequestEnd } from './admission.ts';
export type { DatabaseAddress } from './database/database.ts';
export type { ApiKey, Caller, NewKey } from './keys/key-store.ts';
export type { Account, Balance, Standing } from './ledger/account-book.ts';
export type { CreditedAccount } from './ledger/payments.ts';
export type { Plan, PlanChange, Surface } from './plans/plans.ts';

/** Everything throws {AccountError} ERR_STORE_UNAVAILABLE while the database does not answer. */
export interface Accounts {
  /** Whose live key this is; asked on every request. */
  findCaller(secret: string): Caller | undefined | Promise<Caller | undefined>;
  /** @throws {AccountError} ERR_ACCOUNT_UNKNOWN, ERR_KEY_LIMIT, … @returns the secret too, which is nowhere else */
  createKey(key: NewKey): Promise<{ key: ApiKey; secret: string }>;
  /** Oldest first; `account` narrows. Revoked ones are listed too. */
  listKeys(options: { account?: string | undefined }): Promise<ApiKey[]>;
  /** In effect from the next request, in every process. @throws {AccountError} ERR_KEY_UNKNOWN */
  revokeKey(id: string, options: { now: number }): Promise<ApiKey>;

  createAccount(account: { name: string; plan?: string | undefined; now: number }): Promise<book.Account>;
  listAccounts(): Promise<book.Account[]>;
  findAccount(name: string): Promise<book.Account>;
  /** What an account has left of money and plan. */
  readStanding(options: { accountId: string; now: number }): Promise<book.Standing>;
  /** As headers of an answer; what is admitted has its own. */
  readLimits(options: { accountId: string; now: number }): Promise<Record<string, string>>;
  moveToPlan(move: { account: string; plan: string }): Promise<book.Account>;
  credit(payment: Credit): Promise<CreditedAccount>;
  /** `requestId` is that of the answer, or the id of the usage row. */
  refund(of: { requestId: string; now: number }): Promise<book.Account>;
  closeAccount(options: { account: string; now: number }): Promise<book.Account>;

  listPlans(): Promise<Plan[]>;
  findPlan(id: string): Promise<Plan>;
  /** @throws {AccountError} ERR_PLAN_EXISTS */
  createPlan(plan: { id: string; change: PlanChange; now: number }): Promise<Plan>;
  /** In effect from the next request. @throws {AccountError} ERR_PLAN_UNKNOWN */
  changePlan(change: { id: string; change: PlanChange; now: number }): Promise<Plan>;

  /** Checks every limit and sets the worst case aside; see `admission.ts`. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Gives back what dead processes held, and writes down when keys were used; the server does it by itself, too. */
  maintain(options: { now: number }): Promise<{ lost: number }>;

  /** Whether the database takes what is written. @throws {AccountError} ERR_STORE_UNAVAILABLE with what it says as the cause */
  probe(): Promise<void>;

  sumUsage(query: UsageQuery): Promise<UsageSum[]>;
  readStatement(of: { accountId: string; day: string }): Promise<Statement>;
  proveUsage(of: { accountId: string; requestId: string }): Promise<UsageProof | undefined>;
  audit(): Promise<Audit>;
  /** Commits what is under way. @returns settlements that the database would not take any more */
  close(): Promise<{ owed: number }>;
}

/** On SQLite a look-up need not wait. */
export interface AccountStore extends Accounts {
  findCaller(secret: string): Caller | undefined;
}

export interface AccountsOptions {
  /** Milliseconds since 1970, for expiry and last use. */
  readonly clock?: () => number;
  /** Milliseconds that only go forward, for the age of remembered keys. */
  readonly ageClock?: () => number;
  /**
   * `server` renews a lease and sweeps in the background; `service` admits nothing, writes down uses of keys there and
   * remembers no key. A command line does nothing by itself.
   */
  readonly role?: 'server' | 'service' | 'command';
  /** How long this process counts as alive after it was last heard of; it is heard of three times as often. */
  readonly leaseMs?: number;
  /**
   * Names where a server runs, the same after a restart, and never two servers at a time: what the one before it held is given
   * back at once.
   */
  readonly node?: string | undefined;
}

/** What a killed server held is available again after this, and a third of it until the next sweep. */
const defaultLeaseMs = 15_000;
const turnMsMin = 1_000;

/** How long a stop waits for a database that is away. */
const closeTimeoutMs = 5_000;

/** @throws {AccountError} ERR_STORE */
export async function openAccounts(address: DatabaseAddress, options: AccountsOptions = {}): Promise<Accounts> {
  return await openAccountsOn(await openDatabase(address), address, options);
}

/** The same on a database that the caller opened and goes on using; closing the accounts closes it. */
export async function openAccountsOn(
  database: Database,
  address: DatabaseAddress,
  options: AccountsOptions = {},
): Promise<Accounts> {
  const { clock = Date.now, ageClock = () => performance.now(), role = 'command', leaseMs = defaultLeaseMs } = options;
  const { node } = options;
  const lookup = await openLookup(database, address, { clock, ageClock, role });
  return await bind(database, { lookup, clock, role, leaseMs, node });
}

async function openLookup(
  database: Database,
  address: DatabaseAddress,
  { clock, ageClock, role }: Required<Pick<AccountsOptions, 'clock' | 'ageClock' | 'role'>>,
): Promise<Binding['lookup']> {
  if (address.kind === 'sqlite') return sqliteKeyLookup({ ...database, sqlite: database.sqlite! }, clock);
  if (role === 'service') return freshKeyLookup(database, { clock });
  return await postgresKeyLookup(database, { url: address.url, clock, ageClock });
}

/** SQLite alone. @param path of the file, or `:memory:` · @throws {AccountError} ERR_STORE */
export async function openAccountStore(path: string, options: AccountsOptions = {}): Promise<AccountStore> {
  return (await openAccounts({ kind: 'sqlite', path }, options)) as AccountStore;
}

interface Binding {
  readonly lookup: KeyLookup<Caller | undefined | Promise<Caller | undefined>>;
  readonly clock: () => number;
  readonly role: 'server' | 'service' | 'command';
  readonly leaseMs: number;
  readonly node: string | undefined;
}

async function bind(database: Database, { lookup, clock, role, leaseMs, node }: Binding): Promise<Accounts> {
  const { db } = database;
  const instanceId = newInstanceId(clock());
  const queries = new CompiledQueries(database.sqlite);
  const queue = new MeteringQueue((work) => meteringRound(database, work, { instanceId, queries }));
  const admissions = new Admissions(queue, { instanceId, commitsInTurn: database.kind === 'sqlite' });
  const uses = new KeyUses(database, clock);
  const lease = { instanceId, node, leaseMs };
  const maintain = async (now: number) => {
    if (role === 'server') await renewLease(database, lease);
    await uses.flush();
    return { lost: await sweepLost(database, { now }) };
  };
  const start = async () => {
    await renewLease(database, lease);
    await replaceInstances(database, lease);
    if (node !== undefined) await sweepLost(database, { now: clock(), node });
  };
  const keepAlive = async () => {
    const wasAlive = await renewLease(database, lease);
    await uses.flush();
    // After a database was away every lease is over: the others have to be able to renew theirs first.
    if (wasAlive) await sweepLost(database, { now: clock() });
  };
  const probe = async () => {
    // The queue retries by itself and clears its fault.
    if (queue.fault !== undefined) throw queue.fault;
    // Only a write detects a full disk. It must not extend the lease: `keepAlive` has to see that an outage ended it.
    if (role === 'server') await transactUnflushed(database, (transaction) => touchLease(transaction, instanceId));
    else await listPlans(db);
  };
  if (role === 'server') await reaching(start);
  let timer: NodeJS.Timeout | undefined;
  if (role !== 'command') {
    const turn = () => (role === 'server' ? keepAlive() : uses.flush());
    // A database that is away is met by requests too, which say so; the next turn tries again.
    timer = setInterval(() => void turn().catch(() => undefined), Math.max(turnMsMin, leaseMs / 3));
    timer.unref();
  }

  return {
    findCaller: (secret) => uses.note(lookup.find(secret)),
    createKey: (key) => reaching(() => createKey(database, key)),
    listKeys: (options) => reaching(() => listKeys(database, options)),
    revokeKey: (id, { now }) => reaching(() => revokeKey(database, { id, now })),

    createAccount: (account) => reaching(() => book.createAccount(database, account)),
    listAccounts: () => reaching(() => book.listAccounts(db)),
    findAccount: (name) => reaching(() => book.findAccount(db, name)),
    readStanding: (options) => reaching(() => book.readStanding(db, { ...options, queries })),
    readLimits: (options) => reaching(() => book.readLimits(db, { ...options, queries })),
    moveToPlan: (move) => reaching(() => book.moveToPlan(database, move)),
    credit: (payment) => reaching(() => credit(database, payment)),
    refund: (of) => reaching(() => refund(database, of)),
    closeAccount: (options) => reaching(() => book.closeAccount(database, options)),

    listPlans: () => reaching(() => listPlans(db)),
    findPlan: (id) => reaching(() => findPlan(db, id)),
    createPlan: (plan) => reaching(() => createPlan(database, plan)),
    changePlan: (change) => reaching(() => changePlan(database, change)),

    admit: (request) => admissions.admit(request),
    maintain: ({ now }) => reaching(() => maintain(now)),

    probe: () => reaching(probe),

    sumUsage: (query) => reaching(() => sumUsage(db, query)),
    readStatement: (of) => reaching(() => readStatement(db, of)),
    proveUsage: (of) => reaching(() => proveUsage(db, of)),
    audit: () => reaching(() => audit(database)),
    async close() {
      clearInterval(timer);
      const owed = await queue.close({ timeoutMs: closeTimeoutMs });
      await lookup.close();
      // What could not be written down is given back by the next start, once this process has no lease.
      await uses.flush().catch(() => undefined);
      if (role === 'server') await endLease(database, instanceId).catch(() => undefined);
      await db.destroy();
      return { owed };
    },
  };
}
