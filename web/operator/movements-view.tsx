/** The journal of one account: payments, refunds and the money of pods. */
import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatMoney, formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { type Account, admin, type Movement } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

/** The API answers at most this many. */
const pageMax = 100;

const kinds: Readonly<Record<string, string>> = {
  credit: 'payment',
  refund: 'refund of a request',
  hold: 'first hour of a pod held',
  unhold: 'unused part of an hour returned',
  rent: 'rent of a pod',
};

export function MovementsView() {
  const accounts = useAdmin<Account>('/admin/accounts');
  const [chosen, setChosen] = useState<string>();
  const account = chosen ?? accounts.items?.[0]?.name;
  return (
    <section>
      <h2>Movements</h2>
      <p class="fine">Charges of requests are not listed here: the usage has them.</p>
      <Problem text={accounts.problem} />
      <p class="row">
        <label>
          Account{' '}
          <select onChange={(event) => setChosen(event.currentTarget.value)}>
            {(accounts.items ?? []).map(({ name }) => (
              <option key={name} selected={name === account}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
      {account !== undefined && <Journal key={account} account={account} />}
    </section>
  );
}

function Journal({ account }: { readonly account: string }) {
  const path = `/admin/accounts/${encodeURIComponent(account)}/movements`;
  const { items, problem, change } = useAdmin<Movement>(path);
  const [earlier, setEarlier] = useState<readonly (readonly Movement[])[]>([]);
  const pages = items === undefined ? [] : [items, ...earlier];
  const last = pages.at(-1);
  const more = () =>
    change(async () => {
      const page = await admin<readonly Movement[]>('GET', `${path}?before=${last!.at(-1)!.at}`);
      setEarlier((known) => [...known, page]);
    });
  return (
    <>
      <Problem text={problem} />
      {items?.length === 0 && <p class="fine">Nothing was booked yet.</p>}
      {pages.flat().length > 0 && (
        <DataTable caption={`Movements of ${account}`} columns={columns} rows={pages.flat()} keyOf={({ id }) => id} />
      )}
      {last?.length === pageMax && (
        <p class="spaced">
          <button type="button" onClick={() => void more()}>
            Show earlier movements
          </button>
        </p>
      )}
    </>
  );
}

const columns: readonly Column<Movement>[] = [
  { title: 'Time', cell: ({ at }) => formatTime(at) },
  { title: 'Movement', cell: ({ kind }) => kinds[kind] ?? kind },
  { title: 'From', cell: ({ from }) => from },
  { title: 'To', cell: ({ to }) => to },
  { title: 'Amount', isNumber: true, cell: ({ microDollars }) => formatMoney(microDollars) },
  { title: 'Reference', cell: ({ id }) => <code class="digest">{id}</code> },
];
