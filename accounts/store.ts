/** The API of accounts, keys, plans, limits and money: opens the database and binds every function to it. */
import { type Admission, type AdmissionRequest, Admissions, newInstanceId } from './admission.ts';
import { CompiledQueries } from './database/compiled-queries.ts';
import { type Database, type DatabaseAddress, openDatabase, transactUnflushed } from './database/database.ts';
import { withOutageErrors } from './database/store-faults.ts';
import { type FleetDirectory, fleetDirectory } from './fleet-directory.ts';
import { freshKeyLookup, type KeyLookup, postgresKeyLookup, sqliteKeyLookup } from './keys/key-lookup.ts';
import { type ApiKey, type Caller, createKey, listKeys, type NewKey, revokeKey } from './keys/key-store.ts';
import { KeyUses } from './keys/key-uses.ts';
import * as sessions from './keys/sessions.ts';
import * as book from './ledger/account-book.ts';
import { type Audit, audit } from './ledger/audit.ts';
import { endLease, renewLease, replaceInstances, sweepLost, touchLease } from './ledger/instances.ts';
import {
  checkInvoices,
  type InvoiceRequest,
  type IssuedInvoice,
  issueInvoice,
  listInvoices,
} from './ledger/invoices.ts';
import { type LedgerLoad, MeteringQueue } from './ledger/metering-queue.ts';
import { meteringRound } from './ledger/metering-round.ts';
import { type ListedMovement, listMovements } from './ledger/movements.ts';
import { type Credit, type CreditedAccount, credit, refund } from './ledger/payments.ts';
import { proveUsage, readStatement, type Statement, type UsageProof } from './ledger/statement.ts';
import { StatementRounds } from './ledger/statement-rounds.ts';
import { sumUsage, type UsageQuery, type UsageSum } from './ledger/usage.ts';
import { changePlan, createPlan, findPlan, listPlans, type Plan, type PlanChange } from './plans/plans.ts';

export type { Admission, AdmissionRequest, RequestEnd } from './admission.ts';
export type { DatabaseAddress } from './database/database.ts';
export type { FleetDirectory, FleetRow } from './fleet-directory.ts';
export type { ApiKey, Caller, NewKey } from './keys/key-store.ts';
export type { OpenedSession, Session } from './keys/sessions.ts';
export type { Account, Balance, Standing } from './ledger/account-book.ts';
export type { LedgerLoad } from './ledger/metering-queue.ts';
export type { CreditedAccount } from './ledger/payments.ts';
export type { Plan, PlanChange, Surface } from './plans/plans.ts';

/** Every function throws {AccountError} ERR_STORE_UNAVAILABLE while the database is unavailable. */
export interface Accounts {
  /** Finds the caller of a live key; called on every request. */
  findCaller(secret: string): Caller | undefined | Promise<Caller | undefined>;
  /** @returns the key and its secret, which is not stored · @throws {AccountError} ERR_ACCOUNT_UNKNOWN, ERR_KEY_LIMIT, … */
  createKey(key: NewKey): Promise<{ key: ApiKey; secret: string }>;
  /** Lists keys with the oldest first, including revoked ones; `account` restricts the list to one account. */
  listKeys(options: { account?: string | undefined }): Promise<ApiKey[]>;
  /** Revokes a key from the next request, in every process. @throws {AccountError} ERR_KEY_UNKNOWN */
  revokeKey(id: string, options: { now: number }): Promise<ApiKey>;

  /** Makes a single-use sign-in link for an account. @returns its secret, which is not stored */
  makeLoginLink(of: { accountId: string; now: number }): Promise<{ secret: string; expiresAt: number }>;
  /** Uses a sign-in link up. @returns undefined if it is unknown, used or expired */
  openSession(given: { link: string; now: number }): Promise<sessions.OpenedSession | undefined>;
  /** Opens a session with the rights of a key. */
  openKeySession(of: { caller: Caller; now: number }): Promise<sessions.OpenedSession>;
  /** Finds a session and restarts its idle time. @returns undefined if it does not exist or has expired */
  useSession(of: { secret: string; now: number }): Promise<sessions.Session | undefined>;
  endSession(secret: string): Promise<void>;

  createAccount(account: { name: string; plan?: string | undefined; now: number }): Promise<book.Account>;
  listAccounts(): Promise<book.Account[]>;
  findAccount(name: string): Promise<book.Account>;
  /** Reads the balance and the use of the plan's limits. */
  readStanding(options: { accountId: string; now: number }): Promise<book.Standing>;
  /** Reads the rate limit headers, for responses without an admission. */
  readLimits(options: { accountId: string; now: number }): Promise<Record<string, string>>;
  moveToPlan(move: { account: string; plan: string }): Promise<book.Account>;
  credit(payment: Credit): Promise<CreditedAccount>;
  /** @param of.requestId the response's `x-request-id`, or the id of the usage row */
  refund(of: { requestId: string; now: number }): Promise<book.Account>;
  closeAccount(options: { account: string; now: number }): Promise<book.Account>;

  listPlans(): Promise<Plan[]>;
  findPlan(id: string): Promise<Plan>;
  /** @throws {AccountError} ERR_PLAN_EXISTS */
  createPlan(plan: { id: string; change: PlanChange; now: number }): Promise<Plan>;
  /** Changes a plan from the next request. @throws {AccountError} ERR_PLAN_UNKNOWN */
  changePlan(change: { id: string; change: PlanChange; now: number }): Promise<Plan>;

  /** Checks every limit and reserves the request's maximum cost; see `admission.ts`. */
  admit(request: AdmissionRequest): Promise<Admission>;
  /** Releases the reservations of dead processes and stores key uses. A server also does this in the background. */
  maintain(options: { now: number }): Promise<{ lost: number }>;

  /** Checks that the database is writable. @throws {AccountError} ERR_STORE_UNAVAILABLE with the database's error as its cause */
  probe(): Promise<void>;

  /** The directory of the fleet whose servers share this database. */
  readonly fleet: FleetDirectory;

  /** What the ledger has done and what waits for it, over all accounts. */
  readonly ledgerLoad: LedgerLoad;

  sumUsage(query: UsageQuery): Promise<UsageSum[]>;
  readStatement(of: { accountId: string; day: string }): Promise<Statement>;
  proveUsage(of: { accountId: string; requestId: string }): Promise<UsageProof | undefined>;
  audit(): Promise<Audit>;
  /** Lists the last movements of an account without the charges of requests, the newest first. */
  listMovements(of: { accountId: string; before?: number | undefined }): Promise<ListedMovement[]>;
  listInvoices(): Promise<IssuedInvoice[]>;
  /** Issues the invoice of a month that is over, once. @throws {AccountError} ERR_RANGE_INVALID, ERR_NAME_INVALID, … */
  issueInvoice(request: InvoiceRequest): Promise<IssuedInvoice>;
  /** @returns a line for each invoice that is missing or was changed */
  checkInvoices(): Promise<string[]>;
  /** Commits pending work and closes the database. @returns the number of settlements that could not be committed */
  close(): Promise<{ owed: number }>;
}

/** Accounts on SQLite, where the key look-up is synchronous. */
export interface AccountStore extends Accounts {
  findCaller(secret: string): Caller | undefined;
}

export interface AccountsOptions {
  /** Milliseconds since 1970, for expiry and last use. */
  readonly clock?: () => number;
  /** Monotonic milliseconds, for the age of cached keys. */
  readonly ageClock?: () => number;
  /**
   * `server` renews a lease, sweeps and stores key uses in the background. `service` admits no requests, stores key uses in
   * the background and does not cache keys. `command` has no background work.
   */
  readonly role?: 'server' | 'service' | 'command';
  /** Duration of the lease, which is renewed three times within it. */
  readonly leaseMs?: number;
  /**
   * Id of the node, stable across restarts and used by one server at a time: a starting server releases the reservations
   * of its predecessor immediately.
   */
  readonly node?: string | undefined;
}

/** A killed server's reservations are released after this time plus up to a third of it until the next sweep. */
const defaultLeaseMs = 15_000;
const turnMsMin = 1_000;

/** Longest time for which `close` waits for an unavailable database. */
const closeTimeoutMs = 5_000;

/** @throws {AccountError} ERR_STORE */
export async function openAccounts(address: DatabaseAddress, options: AccountsOptions = {}): Promise<Accounts> {
  return await openAccountsOn(await openDatabase(address), address, options);
}

/** Opens accounts on a database that the caller opened and also uses; closing the accounts closes the database. */
export async function openAccountsOn(
  database: Database,
  address: DatabaseAddress,
  options: AccountsOptions = {},
): Promise<Accounts> {
  const { clock = Date.now, ageClock = () => performance.now(), role = 'command', leaseMs = defaultLeaseMs } = options;
  const { node } = options;
  const lookup = await openLookup(database, address, { clock, ageClock, role });
  return await bind(database, { address, lookup, clock, role, leaseMs, node });
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

/** Opens accounts on SQLite. @param path the file, or `:memory:` · @throws {AccountError} ERR_STORE */
export async function openAccountStore(path: string, options: AccountsOptions = {}): Promise<AccountStore> {
  return (await openAccounts({ kind: 'sqlite', path }, options)) as AccountStore;
}

interface Binding {
  readonly address: DatabaseAddress;
  readonly lookup: KeyLookup<Caller | undefined | Promise<Caller | undefined>>;
  readonly clock: () => number;
  readonly role: 'server' | 'service' | 'command';
  readonly leaseMs: number;
  readonly node: string | undefined;
}

async function bind(database: Database, { address, lookup, clock, role, leaseMs, node }: Binding): Promise<Accounts> {
  const { db } = database;
  const instanceId = newInstanceId(clock());
  const queries = new CompiledQueries(database.sqlite);
  const { pool } = database;
  const statements = pool === undefined ? undefined : new StatementRounds({ db, pool }, { instanceId });
  const queue = new MeteringQueue((work) =>
    statements === undefined ? meteringRound(database, work, { instanceId, queries }) : statements.run(work),
  );
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
    // An outage ends every process's lease: skip this sweep, so that the other processes can renew theirs first.
    if (wasAlive) await sweepLost(database, { now: clock() });
  };
  const probe = async () => {
    // The queue retries by itself and clears its fault.
    if (queue.fault !== undefined) throw queue.fault;
    // Only a write detects a full disk. It must not extend the lease: `keepAlive` has to see that an outage ended it.
    if (role === 'server') await transactUnflushed(database, (transaction) => touchLease(transaction, instanceId));
    else await listPlans(db);
  };
  if (role === 'server') await withOutageErrors(start);
  let timer: NodeJS.Timeout | undefined;
  if (role !== 'command') {
    const turn = () => (role === 'server' ? keepAlive() : uses.flush());
    // Requests report an outage, so ignore the error here; the next turn tries again.
    timer = setInterval(() => void turn().catch(() => undefined), Math.max(turnMsMin, leaseMs / 3));
    timer.unref();
  }

  return {
    findCaller: (secret) => uses.note(lookup.find(secret)),
    createKey: (key) => withOutageErrors(() => createKey(database, key)),
    listKeys: (options) => withOutageErrors(() => listKeys(database, options)),
    revokeKey: (id, { now }) => withOutageErrors(() => revokeKey(database, { id, now })),

    makeLoginLink: (of) => withOutageErrors(() => sessions.makeLoginLink(database, of)),
    openSession: (given) => withOutageErrors(() => sessions.openSession(database, given)),
    openKeySession: (of) => withOutageErrors(() => sessions.openKeySession(database, of)),
    useSession: (of) => withOutageErrors(() => sessions.useSession(database, of)),
    endSession: (secret) => withOutageErrors(() => sessions.endSession(database, secret)),

    createAccount: (account) => withOutageErrors(() => book.createAccount(database, account)),
    listAccounts: () => withOutageErrors(() => book.listAccounts(db)),
    findAccount: (name) => withOutageErrors(() => book.findAccount(db, name)),
    readStanding: (options) => withOutageErrors(() => book.readStanding(db, { ...options, queries })),
    readLimits: (options) => withOutageErrors(() => book.readLimits(db, { ...options, queries })),
    moveToPlan: (move) => withOutageErrors(() => book.moveToPlan(database, move)),
    credit: (payment) => withOutageErrors(() => credit(database, payment)),
    refund: (of) => withOutageErrors(() => refund(database, of)),
    closeAccount: (options) => withOutageErrors(() => book.closeAccount(database, options)),

    listPlans: () => withOutageErrors(() => listPlans(db)),
    findPlan: (id) => withOutageErrors(() => findPlan(db, id)),
    createPlan: (plan) => withOutageErrors(() => createPlan(database, plan)),
    changePlan: (change) => withOutageErrors(() => changePlan(database, change)),

    admit: (request) => admissions.admit(request),
    maintain: ({ now }) => withOutageErrors(() => maintain(now)),

    probe: () => withOutageErrors(probe),

    fleet: fleetDirectory(database, address),

    get ledgerLoad() {
      return queue.load;
    },

    sumUsage: (query) => withOutageErrors(() => sumUsage(db, query)),
    readStatement: (of) => withOutageErrors(() => readStatement(db, of)),
    proveUsage: (of) => withOutageErrors(() => proveUsage(db, of)),
    audit: () => withOutageErrors(() => audit(database)),
    listMovements: (of) => withOutageErrors(() => listMovements(db, of)),
    listInvoices: () => withOutageErrors(() => listInvoices(db)),
    issueInvoice: (request) => withOutageErrors(() => issueInvoice(database, request)),
    checkInvoices: () => withOutageErrors(() => checkInvoices(db)),
    async close() {
      clearInterval(timer);
      const owed = await queue.close({ timeoutMs: closeTimeoutMs });
      await lookup.close();
      // The next sweep or start releases the reservations that could not be settled.
      await uses.flush().catch(() => undefined);
      if (role === 'server') await endLease(database, instanceId).catch(() => undefined);
      await db.destroy();
      return { owed };
    },
  };
}
