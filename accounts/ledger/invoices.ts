/**
 * Invoices: what an account was charged in a month. Numbers have no gaps, and an invoice never changes: each holds the SHA-256 of
 * the one before, so that a change of any is found.
 */
import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { AccountError } from '../base/errors.ts';
import type { Tables } from '../base/tables.ts';
import type { Database } from '../database/database.ts';
import { findAccount } from './account-book.ts';
import { monthRange, sumMonth } from './usage-month.ts';

/** Longest text of `issuer` and `customer`. */
const partyCharactersMax = 1_000;

export interface InvoiceLine {
  /** The model, or `machines` for rented ones. */
  readonly item: string;
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly images: number;
  /** Micro-dollars. */
  readonly price: number;
}

export interface Invoice {
  readonly number: number;
  readonly accountId: string;
  /** The account's name when the invoice was issued. */
  readonly account: string;
  /** UTC, `YYYY-MM`. */
  readonly month: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Names and addresses, in lines. */
  readonly issuer: string;
  readonly customer: string;
  readonly lines: readonly InvoiceLine[];
  /** Micro-dollars that were refunded in the month. */
  readonly refunded: number;
  /** Micro-dollars: the lines less the refunds. */
  readonly total: number;
  /** SHA-256 of the invoice before, hexadecimal; 64 zeros for the first. */
  readonly previous: string;
}

export interface IssuedInvoice extends Invoice {
  /** SHA-256 of its document, hexadecimal. */
  readonly digest: string;
  /** Whether an earlier call issued it. */
  readonly isRepeat: boolean;
}

export interface InvoiceRequest {
  readonly account: string;
  readonly month: string;
  readonly issuer: string;
  readonly customer: string;
  readonly now: number;
}

/**
 * Issues the invoice of a month that is over, once.
 * @throws {AccountError} ERR_ACCOUNT_UNKNOWN, ERR_RANGE_INVALID, ERR_NAME_INVALID
 */
export async function issueInvoice({ db, kind }: Database, request: InvoiceRequest): Promise<IssuedInvoice> {
  const { account: name, month, issuer, customer, now } = request;
  const { to } = monthRange(month);
  if (to * 1000 > now) throw new AccountError('ERR_RANGE_INVALID', 'the month is not over: invoice it when it is');
  for (const [what, text] of Object.entries({ issuer, customer })) requireParty(what, text);
  const { id: accountId } = await findAccount(db, name);
  return await db.transaction().execute(async (transaction) => {
    // One at a time, so that numbers have no gaps; SQLite's transaction is such a lock already.
    if (kind === 'postgres') await sql`lock table invoices in exclusive mode`.execute(transaction);
    const [known] = await selectInvoices(transaction).where('id', '=', idOf(accountId, month)).execute();
    if (known !== undefined) return { ...readDocument(known), isRepeat: true };
    const [last] = await selectInvoices(transaction).orderBy('number', 'desc').limit(1).execute();
    const sums = await sumInvoice(transaction, { name, accountId, month });
    const invoice: Invoice = {
      number: (last?.number ?? 0) + 1,
      accountId,
      account: name,
      month,
      issuedAt: now,
      issuer,
      customer,
      ...sums,
      previous: last?.digest ?? '0'.repeat(64),
    };
    const document = JSON.stringify(invoice);
    const digest = hash('sha256', document, 'hex');
    const row = { id: idOf(accountId, month), number: invoice.number, document, digest };
    await transaction.insertInto('invoices').values(row).execute();
    return { ...invoice, digest, isRepeat: false };
  });
}

/** Reads all invoices in order of their numbers. */
export async function listInvoices(db: Kysely<Tables>): Promise<IssuedInvoice[]> {
  const rows = await selectInvoices(db).orderBy('number').execute();
  return rows.map((row) => ({ ...readDocument(row), isRepeat: true }));
}

/** Finds missing numbers and changed invoices. @returns a line for each, naming the number */
export async function checkInvoices(db: Kysely<Tables>): Promise<string[]> {
  const faults: string[] = [];
  let [number, previous] = [1, '0'.repeat(64)];
  for (const row of await selectInvoices(db).orderBy('number').execute()) {
    const invoice = readDocument(row);
    if (row.number !== number || invoice.number !== number) faults.push(`invoice ${number} is missing`);
    else if (hash('sha256', row.document, 'hex') !== row.digest) faults.push(`invoice ${number} was changed`);
    else if (invoice.previous !== previous) faults.push(`invoice ${number} does not follow the one before`);
    [number, previous] = [row.number + 1, row.digest];
  }
  return faults;
}

async function sumInvoice(
  transaction: Transaction<Tables>,
  { name, accountId, month }: { name: string; accountId: string; month: string },
): Promise<Pick<Invoice, 'lines' | 'refunded' | 'total'>> {
  const { from, to } = monthRange(month);
  const usage = await sumMonth(transaction, { month, account: name, groups: ['model'] });
  const moved = await transaction
    .selectFrom('movements')
    .select(['kind', sql<number>`sum(micro_dollars)`.as('sum')])
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['rent', 'refund'])
    .where('at', '>=', from * 1000)
    .where('at', '<', to * 1000)
    .groupBy('kind')
    .execute();
  const sumOf = (kind: string) => moved.find((row) => row.kind === kind)?.sum ?? 0;
  const nothing = { requests: 0, promptTokens: 0, completionTokens: 0, images: 0 };
  const lines: InvoiceLine[] = usage.map(({ model = '', requests, promptTokens, completionTokens, images, price }) => {
    return { item: model, requests, promptTokens, completionTokens, images, price };
  });
  const rent = sumOf('rent');
  if (rent > 0) lines.push({ item: 'machines', ...nothing, price: rent });
  const refunded = sumOf('refund');
  return { lines, refunded, total: lines.reduce((sum, { price }) => sum + price, 0) - refunded };
}

function selectInvoices(db: Kysely<Tables>) {
  return db.selectFrom('invoices').selectAll();
}

function readDocument({ document, digest }: Tables['invoices']): Invoice & { digest: string } {
  return { ...(JSON.parse(document) as Invoice), digest };
}

function idOf(accountId: string, month: string): string {
  return `${accountId}/${month}`;
}

function requireParty(what: string, text: string): void {
  if (text.length <= partyCharactersMax && /^[^\p{Cc}]*(\n[^\p{Cc}]*)*$/u.test(text)) return;
  throw new AccountError(
    'ERR_NAME_INVALID',
    `the ${what} must be lines of at most ${partyCharactersMax} characters in all`,
  );
}
