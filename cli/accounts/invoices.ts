/** `cloister accounts invoice` and `invoices`: issues the invoice of a month, lists and checks all. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatDollars } from '@cloister/accounts/base/money';
import { invoicePdf } from '@cloister/accounts/ledger/invoice-pdf';
import { checkInvoices, type IssuedInvoice, issueInvoice, listInvoices } from '@cloister/accounts/ledger/invoices';
import { table, usageError } from '@cloister/server/program/command';
import { type AccountSubcommand, isoTime, noArgument, onlyArgument } from './account-command.ts';

const command = 'accounts';

/** Issues an invoice, or prints the one that was issued before. */
export const invoice: AccountSubcommand = async (_, call, io, database) => {
  const account = onlyArgument(call, { takes: 'invoice takes the name of an account', command });
  const { month, issuer = '', customer = '', html, pdf } = call.values;
  if (month === undefined) throw usageError('invoice takes --month and a month that is over', command);
  const issued = await issueInvoice(database, { account, month, issuer, customer, now: Date.now() });
  if (html !== undefined) writeFileSync(resolve(io.cwd, html), invoicePage(issued), { mode: 0o600 });
  if (pdf !== undefined) writeFileSync(resolve(io.cwd, pdf), await invoicePdf(issued), { mode: 0o600 });
  if (call.json) io.stdout.write(`${JSON.stringify(issued)}\n`);
  else io.stdout.write(invoiceTable([issued]));
  if (issued.isRepeat) io.stderr.write(`invoice ${issued.number} was issued before: nothing was changed\n`);
};

/** Lists all invoices, and checks that none is missing or changed. */
export const invoices =
  (onFault: () => void): AccountSubcommand =>
  async (_, call, io, { db }) => {
    noArgument(call, { name: 'invoices', command });
    const all = await listInvoices(db);
    const faults = await checkInvoices(db);
    if (faults.length > 0) onFault();
    if (call.json) io.stdout.write(`${JSON.stringify({ invoices: all, faults }, null, 2)}\n`);
    else io.stdout.write(invoiceTable(all));
    if (faults.length > 0) io.stderr.write(`${faults.join('\n')}\n`);
  };

function invoiceTable(all: readonly IssuedInvoice[]): string {
  const rows = all.map(({ number, account, month, issuedAt, total }) => {
    return [String(number), account, month, formatDollars(total), String(isoTime(issuedAt))];
  });
  return table([['NUMBER', 'ACCOUNT', 'MONTH', 'TOTAL', 'ISSUED'], ...rows]);
}

/** A page without scripts, for a browser to print. */
function invoicePage(issued: IssuedInvoice): string {
  const { number, account, month, issuedAt, issuer, customer, lines, refunded, total, digest } = issued;
  const cells = (tag: 'td' | 'th', values: readonly (string | number)[]) =>
    `<tr>${values.map((value) => `<${tag}>${escaped(String(value))}</${tag}>`).join('')}</tr>`;
  const rows = lines.map(({ item, requests, promptTokens, completionTokens, images, price }) =>
    cells('td', [item, requests, promptTokens, completionTokens, images, formatDollars(price)]),
  );
  if (refunded > 0) rows.push(cells('td', ['refunds', '', '', '', '', formatDollars(-refunded)]));
  rows.push(cells('th', ['total, USD', '', '', '', '', formatDollars(total)]));
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Invoice ${number}</title>
<style>
  body { font: 11pt sans-serif; margin: 2cm; } pre { font: inherit; } table { border-collapse: collapse; width: 100%; }
  td, th { border-bottom: 1px solid #999; padding: 4px; text-align: right; } :is(td, th):first-child { text-align: left; }
</style>
<pre>${escaped(issuer)}</pre>
<h1>Invoice ${number}</h1>
<pre>${escaped(customer)}</pre>
<p>Account ${escaped(account)}, usage of ${month} (UTC), issued ${isoTime(issuedAt)?.slice(0, 10)}. Paid from the prepaid balance.</p>
<table>${cells('th', ['item', 'requests', 'prompt tokens', 'completion tokens', 'images', 'USD'])}
${rows.join('\n')}
</table>
<p>SHA-256 of this invoice: ${digest}</p>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
