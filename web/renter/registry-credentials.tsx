/** Credentials of image registries, for private images. The service never returns a password. */
import { call } from '../api/request.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { fieldsOf, useChange } from '../parts/use-change.ts';
import { api, type RegistryCredential } from './renter-api.ts';

const path = api('docker-credentials');

export function RegistryCredentials() {
  const { answer, problem, reload } = useAnswer<{ readonly credentials: readonly RegistryCredential[] }>(path);
  const { failure, attempt } = useChange(reload);
  const add = (event: SubmitEvent) => {
    const { form, fields } = fieldsOf(event);
    const body = Object.fromEntries(
      ['name', 'registry', 'username', 'password'].map((name) => [name, String(fields.get(name))]),
    );
    void attempt(() => call(path, { method: 'POST', body })).then((isDone) => isDone && form.reset());
  };
  const remove = ({ id, name }: RegistryCredential) => {
    if (!confirm(`Delete the credential "${name}"? Later deploys that name it are refused.`)) return;
    void attempt(() => call(`${path}/${encodeURIComponent(id)}`, { method: 'DELETE' }));
  };
  const columns: readonly Column<RegistryCredential>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Registry', cell: ({ registry }) => <code>{registry}</code> },
    { title: 'User', cell: ({ username }) => username },
    { title: 'Added', cell: ({ created_at }) => formatTime(created_at) },
    { title: 'ID for deploys', cell: ({ id }) => <code>{id}</code> },
    {
      title: 'Actions',
      isTitleHidden: true,
      cell: (one) => (
        <button type="button" class="quiet" onClick={() => remove(one)}>
          Delete<span class="hidden"> {one.name}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <h2>Registry credentials</h2>
      <p>For images of private registries. The password is encrypted, and no answer contains it.</p>
      <Problem text={problem} />
      <Problem text={failure} />
      {answer !== undefined && answer.credentials.length > 0 && (
        <DataTable caption="Registry credentials" columns={columns} rows={answer.credentials} keyOf={({ id }) => id} />
      )}
      <form class="stack" onSubmit={add}>
        <label>
          Name of the credential
          <input name="name" required maxLength={255} placeholder="team images" />
        </label>
        <label>
          Registry
          <input name="registry" required maxLength={255} placeholder="ghcr.io" spellcheck={false} />
        </label>
        <label>
          User at the registry
          <input name="username" required maxLength={255} autocomplete="off" spellcheck={false} />
        </label>
        <label>
          Password or token
          <input name="password" type="password" required maxLength={4096} autocomplete="off" />
        </label>
        <p>
          <button type="submit" class="primary">
            Add the credential
          </button>
        </p>
      </form>
    </>
  );
}
