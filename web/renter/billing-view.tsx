/** The balance, and what each pod cost. */
import { useState } from 'preact/hooks';
import { call } from '../api/request.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatMoney, formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { Tiles } from '../parts/tiles.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useChange } from '../parts/use-change.ts';
import { balance } from './live.ts';
import { api, type Charge } from './renter-api.ts';

interface ChargePage {
  readonly charges: readonly Charge[];
  readonly next: string | null;
}

const columns: readonly Column<Charge>[] = [
  { title: 'Pod', cell: ({ name }) => name },
  { title: 'Machine', cell: ({ resource_name: tier }) => tier },
  { title: 'From', cell: ({ created_at: at }) => formatTime(at) },
  { title: 'To', cell: ({ ended_at: at }) => (at === null ? 'now' : formatTime(at)) },
  { title: 'Ended by', cell: ({ reason }) => reason?.replaceAll('_', ' ') ?? '–' },
  { title: 'Price an hour', isNumber: true, cell: ({ hourly_price: price }) => formatMoney(price * 1e6) },
  { title: 'Held', isNumber: true, cell: ({ held }) => formatMoney(held * 1e6) },
  { title: 'Charged', isNumber: true, cell: ({ billed }) => formatMoney(billed * 1e6) },
];

export function BillingView() {
  const { answer, problem, reload } = useAnswer<ChargePage>(api('charges'));
  const [later, setLater] = useState<readonly ChargePage[]>([]);
  const { failure, attempt } = useChange(async () => undefined);
  const pages = answer === undefined ? [] : [answer, ...later];
  const charges = pages.flatMap((page) => page.charges);
  const next = pages.at(-1)?.next ?? null;
  const more = () =>
    attempt(async () => {
      const page = await call<ChargePage>(api(`charges?before=${next}`));
      setLater((known) => [...known, page]);
    });
  const refresh = async () => {
    setLater([]);
    await reload();
  };
  const current = balance.value;
  return (
    <section>
      <h1>Billing</h1>
      {current !== undefined && (
        <Tiles
          tiles={{
            Balance: formatMoney(current.balance * 1e6),
            'Held for first hours': formatMoney(charges.reduce((sum, { held }) => sum + held, 0) * 1e6),
            'Charged for the pods below': formatMoney(charges.reduce((sum, { billed }) => sum + billed, 0) * 1e6),
          }}
        />
      )}
      {current?.top_up_url && (
        <p class="spaced">
          <a class="button primary" href={current.top_up_url} rel="noopener noreferrer">
            Top up
          </a>
        </p>
      )}
      <h2>Pods on the bill</h2>
      <Problem text={problem} />
      <Problem text={failure} />
      {answer === undefined && problem === undefined && <p role="status">Loading the bill…</p>}
      {answer?.charges.length === 0 && <p class="fine">No pod was rented yet.</p>}
      {charges.length > 0 && (
        <DataTable caption="Pods on the bill" columns={columns} rows={charges} keyOf={({ pod_id: id }) => id} />
      )}
      <p class="row spaced">
        {next !== null && (
          <button type="button" onClick={() => void more()}>
            Show earlier pods
          </button>
        )}
        <button type="button" class="quiet" onClick={() => void refresh()}>
          Refresh
        </button>
      </p>
    </section>
  );
}
