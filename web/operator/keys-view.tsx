/** The API keys of all accounts. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../parts/code-block.tsx';
import { formatTime } from '../parts/format.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
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
  const live = (items ?? []).filter(({ revokedAt }) => revokedAt === undefined);
  return (
    <section>
      <h2>API keys</h2>
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
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
      {made !== undefined && (
        <div class="notice good" role="status">
          <p>Copy the key now: it is shown only once.</p>
          <CodeBlock text={made} label="key" />
        </div>
      )}
      <ScrollBox label="Live keys">
        <table>
          <caption class="hidden">Live keys</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col">Name</th>
              <th scope="col">Key</th>
              <th scope="col">Created</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {live.map(({ id, account, name, preview, createdAt, expiresAt }) => (
              <tr key={id}>
                <td>{account}</td>
                <td>{name}</td>
                <td>
                  <code>{preview}</code>
                </td>
                <td>{formatTime(createdAt)}</td>
                <td>{expiresAt === undefined ? 'never' : formatTime(expiresAt)}</td>
                <td>
                  <button
                    type="button"
                    class="quiet"
                    onClick={() =>
                      confirm(`Revoke the key "${name}" of ${account}?`) &&
                      void change(() => admin('DELETE', `/admin/keys/${id}`))
                    }
                  >
                    Revoke<span class="hidden"> {name}</span>
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}
