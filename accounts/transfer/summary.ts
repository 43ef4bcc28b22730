/** What must be the same after a transfer: rows, sums of money and the roots of all statements. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { AccountError } from '../base/errors.ts';
import type { Tables } from '../base/tables.ts';
import { compareBooks } from '../ledger/audit.ts';
import { readStatement } from '../ledger/statement.ts';
import { formatDay } from '../ledger/usage.ts';
import { readRows, TableSum, type TransferTable } from './rows.ts';

export interface Summary {
  /** Number of rows and the combined hash of each table. */
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly digest: string }>>;
  /** Totals of all accounts in micro-dollars. */
  readonly money: {
    readonly paidIn: number;
    readonly available: number;
    readonly held: number;
    readonly spent: number;
  };
  /** Number of daily statements, and the hash of their roots. */
  readonly statements: { readonly count: number; readonly digest: string };
}

/** Audits the books and sums all rows that `db` sees. @throws {AccountError} ERR_STORE if the books are not consistent */
export async function summarize(db: Kysely<Tables>, tables: readonly TransferTable[]): Promise<Summary> {
  const { faults, sum, paidIn, available, held, spent } = await compareBooks(db);
  if (sum !== 0 || faults.length > 0) {
    throw new AccountError(
      'ERR_STORE',
      `the books are not consistent (${faults.length} faults): see \`cloister accounts audit\``,
    );
  }
  const sums: Record<string, { rows: number; digest: string }> = {};
  for (const table of tables) {
    const total = new TableSum();
    for await (const rows of readRows(db, table)) for (const row of rows) total.add(row);
    sums[table.name] = { rows: total.rows, digest: total.digest };
  }
  return { tables: sums, money: { paidIn, available, held, spent }, statements: await sumStatements(db) };
}

/** @throws {AccountError} ERR_STORE, which names the first difference */
export function requireSame(expected: Summary, found: Summary): void {
  const tables = new Set([...Object.keys(expected.tables), ...Object.keys(found.tables)]);
  for (const table of tables) {
    if (isDeepStrictEqual(expected.tables[table], found.tables[table])) continue;
    const [before, after] = [expected.tables[table]?.rows ?? 0, found.tables[table]?.rows ?? 0];
    throw differs(`the table ${table} has ${after} rows, expected ${before}, or other values`);
  }
  if (!isDeepStrictEqual(expected.money, found.money)) throw differs('the sums of money');
  if (!isDeepStrictEqual(expected.statements, found.statements)) throw differs('the roots of the statements');
}

async function sumStatements(db: Kysely<Tables>): Promise<Summary['statements']> {
  const { rows } = await sql<{ account_id: string; day: number }>`
    select distinct account_id, at / 86400 as day from usage`.execute(db);
  const roots: string[] = [];
  for (const { account_id: accountId, day } of rows) {
    const statement = await readStatement(db, { accountId, day: formatDay(day) });
    roots.push(`${accountId} ${statement.day} ${statement.root}`);
  }
  return { count: roots.length, digest: hash('sha256', roots.sort().join('\n'), 'hex') };
}

function differs(what: string): AccountError {
  return new AccountError('ERR_STORE', `the copy differs from its source: ${what}; the source is unchanged`);
}
