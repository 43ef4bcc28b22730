/** Invoices: those of a month that is over, numbered and never changed. */
import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatCount, formatMoney, formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { fieldsOf } from '../parts/use-change.ts';
import { type Account, admin, adminFile, type Invoice } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

export function InvoicesView() {
  const { items, problem, change } = useAdmin<Invoice>('/admin/invoices');
  const accounts = useAdmin<Account>('/admin/accounts').items ?? [];
  const [faults, setFaults] = useState<readonly string[]>();
  const issue = (event: SubmitEvent) => {
    const { fields } = fieldsOf(event);
    void change(() => admin('POST', '/admin/invoices', Object.fromEntries(fields)));
  };
  const check = () =>
    void change(async () =>
      setFaults((await admin<{ faults: readonly string[] }>('GET', '/admin/invoices/check')).faults),
    );
  const months = Map.groupBy(items?.toReversed() ?? [], ({ month }) => month);
  return (
    <section>
      <h2>Invoices</h2>
      <Problem text={problem} />
      {items?.length === 0 && <p class="fine">No invoice was issued yet.</p>}
      {[...months].map(([month, invoices]) => (
        <section key={month}>
          <h3>
            {month}, {formatMoney(invoices.reduce((sum, { total }) => sum + total, 0))}
          </h3>
          <DataTable
            caption={`Invoices of ${month}`}
            columns={columnsWith((invoice) => void change(() => savePdf(invoice)))}
            rows={invoices}
            keyOf={({ number }) => number}
          />
        </section>
      ))}
      <h3>Issue an invoice</h3>
      <form class="row end" onSubmit={issue}>
        <label>
          Account
          <select name="account">
            {accounts.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Month <input name="month" required pattern="\d{4}-\d{2}" placeholder="2026-10" defaultValue={lastMonth()} />
        </label>
        <label>
          Issuer <textarea name="issuer" rows={2} />
        </label>
        <label>
          Customer <textarea name="customer" rows={2} />
        </label>
        <button type="submit" class="primary">
          Issue
        </button>
      </form>
      <h3>Check the chain</h3>
      <p>Each invoice has the SHA-256 of the one before, so that a missing or changed one is found.</p>
      <p>
        <button type="button" onClick={check}>
          Check all invoices
        </button>
      </p>
      {faults !== undefined && (
        <p class={`notice ${faults.length === 0 ? 'good' : 'bad'}`} role="status">
          {faults.length === 0 ? `All ${formatCount(items?.length ?? 0)} invoices are complete.` : faults.join('; ')}
        </p>
      )}
    </section>
  );
}

async function savePdf({ number }: Invoice): Promise<void> {
  saveFile(`invoice-${number}.pdf`, await adminFile(`/admin/invoices/${number}/pdf`));
}

const columnsWith = (saveAsPdf: (invoice: Invoice) => void): readonly Column<Invoice>[] => [
  { title: 'Number', isNumber: true, cell: ({ number }) => number },
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Issued', cell: ({ issuedAt }) => formatTime(issuedAt) },
  { title: 'Refunds', isNumber: true, cell: ({ refunded }) => formatMoney(refunded) },
  { title: 'Total', isNumber: true, cell: ({ total }) => formatMoney(total) },
  {
    title: 'Actions',
    isTitleHidden: true,
    cell: (invoice) => (
      <span class="row">
        <button type="button" class="quiet" onClick={() => saveAsPdf(invoice)}>
          PDF<span class="hidden"> of invoice {invoice.number}</span>
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => saveFile(`invoice-${invoice.number}.json`, `${JSON.stringify(invoice, null, 2)}\n`)}
        >
          JSON<span class="hidden"> of invoice {invoice.number}</span>
        </button>
      </span>
    ),
  },
];

/** UTC. */
function lastMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
}
