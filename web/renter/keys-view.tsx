/** SSH keys, which pods authorize, and API keys, which programs use. */
import { useState } from 'preact/hooks';
import { call } from '../api/request.ts';
import { loginCommand, session } from '../api/session.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { SecretNotice } from '../parts/secret-notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { fieldsOf, useChange } from '../parts/use-change.ts';
import { RegistryCredentials } from './registry-credentials.tsx';
import { api, type ComputeKey, type SshKey } from './renter-api.ts';

export function KeysView() {
  const current = session.value;
  const canManage = current !== undefined && current !== 'unknown' && current.can_manage_keys;
  return (
    <section>
      <h1>Keys</h1>
      <SshKeys />
      <RegistryCredentials />
      <h2>API keys</h2>
      {canManage ? (
        <ApiKeys />
      ) : (
        <p>
          This session was opened with a key, and a key cannot make keys. Sign in with the link that{' '}
          <code>{loginCommand('ACCOUNT')}</code> prints.
        </p>
      )}
    </section>
  );
}

function SshKeys() {
  const { answer, problem, reload } = useAnswer<readonly SshKey[]>(api('ssh-keys'));
  const { failure, attempt } = useChange(reload);
  const add = (event: SubmitEvent) => {
    const { form, fields } = fieldsOf(event);
    const body = { name: fields.get('name'), public_key: String(fields.get('key')).trim() };
    void attempt(() => call(api('ssh-keys'), { method: 'POST', body })).then((isDone) => isDone && form.reset());
  };
  const remove = ({ id, name }: SshKey) => {
    if (!confirm(`Delete the SSH key "${name}"? Running pods keep it.`)) return;
    void attempt(() => call(api(`ssh-keys/${id}`), { method: 'DELETE' }));
  };
  const columns: readonly Column<SshKey>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Key', cell: ({ publicKey }) => <code>{shortened(publicKey)}</code> },
    { title: 'Added', cell: ({ createdAt }) => formatTime(createdAt) },
    {
      title: 'Actions',
      isTitleHidden: true,
      cell: (key) => (
        <button type="button" class="quiet" onClick={() => remove(key)}>
          Delete<span class="hidden"> {key.name}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <h2>SSH keys</h2>
      <Problem text={problem} />
      <Problem text={failure} />
      {answer !== undefined && answer.length > 0 && (
        <DataTable caption="SSH keys" columns={columns} rows={answer} keyOf={({ id }) => id} />
      )}
      <form class="stack" onSubmit={add}>
        <label>
          Name of the SSH key
          <input name="name" required maxLength={64} placeholder="laptop" />
        </label>
        <label>
          Public key
          <textarea
            name="key"
            class="mono"
            rows={3}
            required
            spellcheck={false}
            placeholder="ssh-ed25519 AAAA… me@laptop"
          />
        </label>
        <p>
          <button type="submit" class="primary">
            Add the SSH key
          </button>
        </p>
      </form>
    </>
  );
}

function shortened(publicKey: string): string {
  const [type = '', key = ''] = publicKey.split(' ');
  return `${type} …${key.slice(-12)}`;
}

function ApiKeys() {
  const { answer, problem, reload } = useAnswer<readonly ComputeKey[]>(api('api-keys'));
  const { failure, attempt } = useChange(reload);
  const [made, setMade] = useState<string>();
  const create = (event: SubmitEvent) => {
    const { form, fields } = fieldsOf(event);
    void attempt(async () => {
      const body = { name: fields.get('name') };
      setMade((await call<{ key: string }>(api('api-keys'), { method: 'POST', body })).key);
      form.reset();
    });
  };
  const revoke = ({ id, name }: ComputeKey) => {
    if (!confirm(`Revoke the key "${name}"? Requests with it fail from now on.`)) return;
    void attempt(() => call(api(`api-keys?id=${encodeURIComponent(id)}`), { method: 'DELETE' }));
  };
  const columns: readonly Column<ComputeKey>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Key', cell: ({ keyPreview }) => <code>{keyPreview}</code> },
    { title: 'Created', cell: ({ createdAt }) => formatTime(createdAt) },
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
  return (
    <>
      <Problem text={problem} />
      <Problem text={failure} />
      <SecretNotice what="key" secret={made} />
      <form class="row end" onSubmit={create}>
        <label>
          Name of the API key <input name="name" required maxLength={64} placeholder="ci" />
        </label>
        <button type="submit">Create an API key</button>
      </form>
      {answer !== undefined && answer.length > 0 && (
        <DataTable caption="API keys" columns={columns} rows={answer} keyOf={({ id }) => id} />
      )}
    </>
  );
}
