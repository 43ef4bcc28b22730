/** Tells a database that is away from a statement that can never work. */
import { AccountError } from '../base/errors.ts';

/** Primary result codes of SQLite that are the program's own doing: ERROR, CONSTRAINT, MISMATCH, RANGE. */
const sqliteDefects: ReadonlySet<number> = new Set([1, 19, 20, 25]);

/** SQLSTATE classes of the same kind: data exception, integrity constraint, syntax or access rule. */
const postgresDefects = /^(22|23|42)...$/;

/** Whether trying again is of no use. Anything that is not known to be so counts as an outage: it is tried again. */
export function isDefect(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if ('errcode' in error && typeof error.errcode === 'number') return sqliteDefects.has(error.errcode & 0xff);
  if (error instanceof TypeError || error instanceof RangeError || error instanceof AccountError) return true;
  return 'code' in error && typeof error.code === 'string' && postgresDefects.test(error.code);
}

/** SQLSTATE classes of a server that cannot work now: connection, resources, intervention (a statement's time among them), system. */
const postgresOutages = /^(08|53|57|58)...$/;
const networkOutages: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** What `pg` says without a code. */
const clientOutages = /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect)/;

/** Whether a database surely said that it cannot be reached or written now: for who catches other errors, too. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return !isDefect(error);
  const code = 'code' in error ? error.code : undefined;
  return networkOutages.has(code) || postgresOutages.test(String(code)) || clientOutages.test(error.message);
}

const sqliteNames: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};
/** Whose errors have no code. */
const clientNames = [
  [/^Connection terminated/, 'CONNECTION_TERMINATED'],
  [/^Query read timeout/, 'QUERY_TIMEOUT'],
  [/^timeout exceeded when trying to connect/, 'CONNECT_TIMEOUT'],
] as const;

/** Why a database is out, as a word of a closed form for logs and metrics: its result code, SQLSTATE or the network's code. */
export function outageCause(error: unknown): string {
  if (error instanceof AccountError && error.cause !== undefined) return outageCause(error.cause);
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('errcode' in error && typeof error.errcode === 'number') {
    return sqliteNames[error.errcode & 0xff] ?? `SQLITE_${error.errcode & 0xff}`;
  }
  if ('code' in error && /^[A-Z0-9_]{1,32}$/.test(String(error.code))) return String(error.code);
  return clientNames.find(([pattern]) => pattern.test(error.message))?.[1] ?? 'UNKNOWN';
}

/** For the caller: nothing was charged. */
export function storeUnavailable(cause: unknown): AccountError {
  return new AccountError('ERR_STORE_UNAVAILABLE', 'accounts are unavailable for the moment; nothing was charged', {
    cause,
  });
}

/** Runs a query; what the database throws comes out as ours. @throws {AccountError} ERR_STORE_UNAVAILABLE */
export async function reaching<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof AccountError || isDefect(error)) throw error;
    throw storeUnavailable(error);
  }
}
