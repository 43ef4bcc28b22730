/** Accounts: their balances and plans, payments, refunds, and closing. */
import { CodeBlock } from '../parts/code-block.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatMoney, formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { type Account, admin, type Plan } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

export function AccountsView() {
  const { items, problem, change } = useAdmin<Account>('/admin/accounts');
  const plans = useAdmin<Plan>('/admin/plans').items ?? [];
  const submit = (event: SubmitEvent, send: (fields: FormData) => Promise<unknown>) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    void change(() => send(new FormData(form))).then((isDone) => isDone && form.reset());
  };
  const pathOf = (name: FormDataEntryValue | null) => `/admin/accounts/${encodeURIComponent(String(name))}`;
  const close = (name: string) => {
    if (confirm(`Close the account ${name}? Its keys are revoked.`)) void change(() => admin('DELETE', pathOf(name)));
  };
  const money = (title: string, side: keyof Account['balance']): Column<Account> => ({
    ...{ title, isNumber: true },
    cell: ({ balance }) => formatMoney(balance[side]),
  });
  const columns: readonly Column<Account>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Plan', cell: ({ plan }) => plan },
    money('Available', 'available'),
    money('Held', 'held'),
    money('Spent', 'spent'),
    money('Paid in', 'paidIn'),
    { title: 'Since', cell: ({ createdAt }) => formatTime(createdAt) },
    {
      title: 'Actions',
      isTitleHidden: true,
      cell: ({ name, closedAt }) =>
        closedAt !== undefined ? (
          <span class="fine">closed</span>
        ) : (
          <button type="button" class="quiet" onClick={() => close(name)}>
            Close<span class="hidden"> {name}</span>
          </button>
        ),
    },
  ];
  const open = (items ?? []).filter(({ closedAt }) => closedAt === undefined);
  return (
    <section>
      <h2>Accounts</h2>
      <Problem text={problem} />
      <DataTable caption="Accounts with their balances" columns={columns} rows={items ?? []} keyOf={({ id }) => id} />
      <h3>Open an account</h3>
      <form
        class="row end"
        onSubmit={(event) =>
          submit(event, (fields) =>
            admin('POST', '/admin/accounts', { name: fields.get('name'), plan: fields.get('plan') }),
          )
        }
      >
        <label>
          Name <input name="name" required />
        </label>
        <PlanChoice plans={plans} />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <h3>Book a payment</h3>
      <form
        class="row end"
        onSubmit={(event) =>
          submit(event, (fields) =>
            admin('POST', `${pathOf(fields.get('account'))}/credits`, {
              dollars: fields.get('dollars'),
              ...(fields.get('reference') !== '' && { reference: fields.get('reference') }),
            }),
          )
        }
      >
        <AccountChoice accounts={open} />
        <label>
          US dollars <input name="dollars" required inputMode="decimal" placeholder="100.00" />
        </label>
        <label>
          Reference <input name="reference" placeholder="invoice number" />
        </label>
        <button type="submit" class="primary">
          Book
        </button>
      </form>
      <h3>Move to another plan</h3>
      <form
        class="row end"
        onSubmit={(event) =>
          submit(event, (fields) => admin('PUT', `${pathOf(fields.get('account'))}/plan`, { plan: fields.get('plan') }))
        }
      >
        <AccountChoice accounts={open} />
        <PlanChoice plans={plans} />
        <button type="submit" class="primary">
          Move
        </button>
      </form>
      <h3>Refund a request</h3>
      <form
        class="row end"
        onSubmit={(event) =>
          submit(event, (fields) => admin('POST', '/admin/refunds', { request_id: fields.get('id') }))
        }
      >
        <label>
          Request ID <input name="id" required spellcheck={false} />
        </label>
        <button type="submit">Refund</button>
      </form>
      <h3>Let a person sign in</h3>
      <CodeBlock text="npx cloister accounts login ACCOUNT" label="command" />
    </section>
  );
}

function AccountChoice({ accounts }: { readonly accounts: readonly Account[] }) {
  return (
    <label>
      Account{' '}
      <select name="account">
        {accounts.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function PlanChoice({ plans }: { readonly plans: readonly Plan[] }) {
  return (
    <label>
      Plan{' '}
      <select name="plan">
        {plans.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
