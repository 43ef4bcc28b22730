/** Distinguishes an outage of the database from a statement that can never succeed. */
import { AccountError } from '../base/errors.ts';

/** SQLite's primary result codes that mean a defect of the program: ERROR, CONSTRAINT, MISMATCH, RANGE. */
const sqliteDefects: ReadonlySet<number> = new Set([1, 19, 20, 25]);

/** SQLSTATE classes that mean a defect: data exception, integrity constraint, syntax or access rule. */
const postgresDefects = /^(22|23|42)...$/;

/** Whether a retry is useless. Unknown errors count as an outage and are retried. */
export function isDefect(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if ('errcode' in error && typeof error.errcode === 'number') return sqliteDefects.has(error.errcode & 0xff);
  if (error instanceof TypeError || error instanceof RangeError || error instanceof AccountError) return true;
  return 'code' in error && typeof error.code === 'string' && postgresDefects.test(error.code);
}

/** SQLSTATE classes of an outage: connection, resources, operator intervention (such as statement timeouts), system error. */
const postgresOutages = /^(08|53|57|58)...$/;
const networkOutages: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of `pg` errors without a code. */
const clientOutages = /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect)/;

/** Whether the error is known to mean that the database is unreachable or not writable, for handlers of any error. */
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
/** Names for `pg` errors without a code. */
const clientNames = [
  [/^Connection terminated/, 'CONNECTION_TERMINATED'],
  [/^Query read timeout/, 'QUERY_TIMEOUT'],
  [/^timeout exceeded when trying to connect/, 'CONNECT_TIMEOUT'],
] as const;

/** The cause of an outage for logs and metrics: SQLite's result code, SQLSTATE or the network error code. */
export function outageCause(error: unknown): string {
  if (error instanceof AccountError && error.cause !== undefined) return outageCause(error.cause);
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('errcode' in error && typeof error.errcode === 'number') {
    return sqliteNames[error.errcode & 0xff] ?? `SQLITE_${error.errcode & 0xff}`;
  }
  if ('code' in error && /^[A-Z0-9_]{1,32}$/.test(String(error.code))) return String(error.code);
  return clientNames.find(([pattern]) => pattern.test(error.message))?.[1] ?? 'UNKNOWN';
}

/** Builds the error for the caller. */
export function storeUnavailable(cause: unknown): AccountError {
  return new AccountError('ERR_STORE_UNAVAILABLE', 'accounts are unavailable for the moment; nothing was charged', {
    cause,
  });
}

/** Runs a query and converts an outage into an AccountError. @throws {AccountError} ERR_STORE_UNAVAILABLE */
export async function withOutageErrors<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof AccountError || isDefect(error)) throw error;
    throw storeUnavailable(error);
  }
}
