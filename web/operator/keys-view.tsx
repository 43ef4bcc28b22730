/** The API keys of all accounts. */
import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { SecretNotice } from '../parts/secret-notice.tsx';
import { admin, type OperatorKey } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

export function OperatorKeysView() {
  const { items, problem, change } = useAdmin<OperatorKey>('/admin/keys');
  const [made, setMade] = useState<string>();
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    void change(async () => {
      const body = { account: fields.get('account'), name: fields.get('name') };
      const { secret } = await admin<{ secret: string }>('POST', '/admin/keys', body);
      setMade(secret);
      form.reset();
    });
  };
  const revoke = ({ id, account, name }: OperatorKey) => {
    if (!confirm(`Revoke the key "${name}" of ${account}?`)) return;
    void change(() => admin('DELETE', `/admin/keys/${id}`));
  };
  const columns: readonly Column<OperatorKey>[] = [
    { title: 'Account', cell: ({ account }) => account },
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Key', cell: ({ preview }) => <code>{preview}</code> },
    { title: 'Created', cell: ({ createdAt }) => formatTime(createdAt) },
    { title: 'Expires', cell: ({ expiresAt }) => (expiresAt === undefined ? 'never' : formatTime(expiresAt)) },
    {
      title: 'Actions',
      isTitleHidden: true,
      cell: (key) => (
        <button type="button" class="quiet" onClick={() => revoke(key)}>
          Revoke<span class="hidden"> {key.name}</span>
        </button>
      ),
    },
  ];
  const live = (items ?? []).filter(({ revokedAt }) => revokedAt === undefined);
  return (
    <section>
      <h2>API keys</h2>
      <Problem text={problem} />
      <form class="row end" onSubmit={create}>
        <label>
          Account <input name="account" required />
        </label>
        <label>
          Name of the key <input name="name" required />
        </label>
        <button type="submit" class="primary">
          Create a key
        </button>
      </form>
      <SecretNotice what="key" secret={made} />
      <DataTable caption="Live keys" columns={columns} rows={live} keyOf={({ id }) => id} />
    </section>
  );
}
