/** Tables and rows in a form that is the same on SQLite and PostgreSQL. */
import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../base/tables.ts';

/** A row's values in the order of its table's columns; bytes as `{ "base64": … }`. */
export type PortableRow = readonly PortableValue[];
type PortableValue = string | number | null | { readonly base64: string };

/** A table to transfer, with its columns in order of their names, which is the same on both databases. */
export interface TransferTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly keys: readonly string[];
}

/** Any database of the accounts, by names that are known only at run time. */
export type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

/** Tables that others reference come first. */
const tablesFirst = ['plans', 'accounts', 'keys', 'meters'];
const otherTables = ['sessions', 'reservations', 'instances', 'usage', 'movements', 'invoices'];
/** Rows of these are never changed, so a copy can go on where it ended. */
const appendOnly: ReadonlySet<string> = new Set(['usage', 'movements', 'compute_events']);
/** Not carried: counters of a running service, and the lists of migrations. */
const left = /^compute_(windows|migration|migration_lock)$/;
const keysOf: Readonly<Record<string, readonly string[]>> = {
  meters: ['account_id'],
  compute_accounts: ['account_id'],
  compute_idempotency: ['account_id', 'key'],
  // Of version 0.1.0, until the compute service migrates its tables.
  compute_sessions: ['digest'],
};

/** Rows that are read or written together. */
export const batchRows = 500;

/** Lists the tables of the accounts and of the compute service that exist, those without references first. */
export async function transferTables(db: Kysely<Tables>): Promise<TransferTable[]> {
  const found = await db.introspection.getTables();
  const place = ({ name }: { name: string }) => {
    const index = tablesFirst.indexOf(name);
    return index === -1 ? tablesFirst.length : index;
  };
  return found
    .filter(({ schema }) => schema === undefined || schema === 'public')
    .filter(({ name }) => {
      const isOfAccounts = tablesFirst.includes(name) || otherTables.includes(name);
      return isOfAccounts || (name.startsWith('compute_') && !left.test(name));
    })
    .map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => column.name).sort(),
      keys: keysOf[name] ?? ['id'],
    }))
    .sort((one, other) => place(one) - place(other) || (one.name < other.name ? -1 : 1));
}

/** Whether a copy of the table may go on where it ended. */
export function isAppendOnly({ name }: TransferTable): boolean {
  return appendOnly.has(name);
}

/** Reads a table in order of its key, in batches. @param after the key of the last row that is not wanted */
export async function* readRows(
  db: Kysely<Tables>,
  { name, columns, keys }: TransferTable,
  after?: PortableRow,
): AsyncGenerator<PortableRow[]> {
  const key = sql.join(keys.map((column) => sql.ref(column)));
  let last = after;
  for (;;) {
    const where = last === undefined ? sql`` : sql`where (${key}) > (${sql.join([...last])})`;
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)} ${where}
      order by ${key} limit ${sql.lit(batchRows)}`.execute(db);
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => toPortable(row[column])));
    if (rows.length < batchRows) return;
    last = keys.map((column) => toPortable(rows.at(-1)![column]));
  }
}

/** Inserts rows. */
export async function writeRows(
  db: Kysely<Tables>,
  { name, columns }: TransferTable,
  rows: readonly PortableRow[],
): Promise<void> {
  const values = rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, fromPortable(row[index]!)])),
  );
  if (values.length > 0) await (db as unknown as AnyTables).insertInto(name).values(values).execute();
}

/** Deletes all rows, in the order that references allow. */
export async function clearTables(db: Kysely<Tables>, tables: readonly TransferTable[]): Promise<void> {
  for (const { name } of [...tables].reverse()) await (db as unknown as AnyTables).deleteFrom(name).execute();
}

/** Counts the rows of a table. */
export async function countRows(db: Kysely<Tables>, { name }: TransferTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return rows[0]!.count;
}

/** The key of a row, to continue after it. */
export function keyOf({ columns, keys }: TransferTable, row: PortableRow): PortableRow {
  return keys.map((key) => row[columns.indexOf(key)]!);
}

/** The number of rows and their hashes combined, which do not depend on the order of the rows. */
export class TableSum {
  rows = 0;
  readonly #digest = Buffer.alloc(32);

  add(row: PortableRow): void {
    const digest = hash('sha256', JSON.stringify(row), 'buffer');
    for (let index = 0; index < digest.length; index += 1) this.#digest[index]! ^= digest[index]!;
    this.rows += 1;
  }

  get digest(): string {
    return this.#digest.toString('hex');
  }
}

/** Reads a row of a backup file; undefined if it has another shape. */
export function parseRow(value: unknown, { columns }: TransferTable): PortableRow | undefined {
  if (!Array.isArray(value) || value.length !== columns.length) return undefined;
  return value.every(isPortable) ? value : undefined;
}

function isPortable(value: unknown): value is PortableValue {
  if (value === null || typeof value === 'string') return true;
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'object' && typeof (value as { base64?: unknown }).base64 === 'string';
}

function toPortable(value: unknown): PortableValue {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  throw new TypeError(`a column holds a value of the type ${typeof value}, which no backup carries`);
}

function fromPortable(value: PortableValue): unknown {
  return typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value;
}
