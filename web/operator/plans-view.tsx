/** Plans and their limits. */
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatCount } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { admin, type Plan } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

const limits = [
  ['requestsPerMinute', 'Requests a minute'],
  ['requestsPerDay', 'Requests a day'],
  ['tokensPerMonth', 'Tokens a month'],
  ['concurrentRequestsMax', 'At the same time'],
  ['contextTokensMax', 'Context tokens'],
] as const satisfies readonly (readonly [keyof Plan, string])[];

const columns: readonly Column<Plan>[] = [
  {
    title: 'Plan',
    cell: ({ id, title }) => (
      <>
        {title} <code>{id}</code>
      </>
    ),
  },
  ...limits.map(
    ([name, title]): Column<Plan> => ({
      ...{ title, isNumber: true },
      cell: (plan) => (plan[name] === undefined ? '–' : formatCount(plan[name])),
    }),
  ),
  { title: 'Price', isNumber: true, cell: ({ pricePercent }) => `${pricePercent} %` },
];

export function PlansView() {
  const { items, problem, change } = useAdmin<Plan>('/admin/plans');
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const number = (name: string) => {
      const text = String(fields.get(name));
      return text === '' ? null : Number(text);
    };
    const body = {
      ...Object.fromEntries(limits.map(([name]) => [name, number(name)])),
      pricePercent: number('pricePercent') ?? 100,
    };
    const id = String(fields.get('id'));
    const isKnown = (items ?? []).some((plan) => plan.id === id);
    const send = () =>
      isKnown
        ? admin('PATCH', `/admin/plans/${id}`, body)
        : admin('POST', '/admin/plans', { id, title: id, description: '', ...body });
    void change(send).then((isDone) => isDone && form.reset());
  };
  return (
    <section>
      <h2>Plans</h2>
      <Problem text={problem} />
      <DataTable caption="Plans with their limits" columns={columns} rows={items ?? []} keyOf={({ id }) => id} />
      <h3>Make or change a plan</h3>
      <form class="row end" onSubmit={save}>
        <label>
          ID <input name="id" required pattern="[a-z0-9]+(-[a-z0-9]+)*" />
        </label>
        {limits.map(([name, title]) => (
          <label key={name}>
            {title} <input name={name} type="number" min={1} placeholder="no limit" />
          </label>
        ))}
        <label>
          Per cent of the models' prices <input name="pricePercent" type="number" min={0} placeholder="100" />
        </label>
        <button type="submit" class="primary">
          Save
        </button>
      </form>
    </section>
  );
}
