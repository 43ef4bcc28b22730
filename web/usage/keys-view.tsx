/** The API keys of the account. */
import { useState } from 'preact/hooks';
import type { Key, List, Model } from '../api/answers.ts';
import { call, reasonOf } from '../api/request.ts';
import { loginCommand, session } from '../api/session.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatDay, formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { SecretNotice } from '../parts/secret-notice.tsx';
import { curlSnippet } from '../parts/snippets.ts';
import { useAnswer } from '../parts/use-answer.ts';

export function KeysView() {
  const current = session.value;
  if (current === undefined || current === 'unknown') return null;
  return (
    <section>
      <h2 id="keys">API keys</h2>
      {current.can_manage_keys ? (
        <Keys />
      ) : (
        <p>
          This session was opened with a key, and a key cannot make keys. Sign in with the link that{' '}
          <code>{loginCommand(current.account)}</code> prints.
        </p>
      )}
    </section>
  );
}

function Keys() {
  const { answer, problem, reload } = useAnswer<List<Key>>('/v1/keys');
  const [made, setMade] = useState<string>();
  const [failure, setFailure] = useState('');
  const models = useAnswer<List<Model>>('/v1/models').answer?.data ?? [];
  const snippetOf = (key: string) => {
    const model = models.find(({ capabilities }) => !capabilities?.images && !capabilities?.embeddings);
    return model && curlSnippet({ origin: location.origin, model: model.id, key });
  };
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setFailure('');
      await reload();
    } catch (error) {
      setFailure(reasonOf(error));
    }
  };
  const create = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const days = Number(fields.get('days'));
    void attempt(async () => {
      const body = {
        name: fields.get('name'),
        ...(fields.get('scope') === 'inference' && { scopes: ['inference', 'balance'] }),
        ...(days > 0 && { expires_in_days: days }),
      };
      const { secret } = await call<{ secret: string }>('/v1/keys', { method: 'POST', body });
      setMade(secret);
      form.reset();
    });
  };
  const revoke = ({ id, name }: Key) => {
    if (!confirm(`Revoke the key "${name}"? Requests with it fail from now on.`)) return;
    void attempt(() => call(`/v1/keys/${id}`, { method: 'DELETE' }));
  };
  const columns: readonly Column<Key>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Key', cell: ({ preview }) => <code>{preview}</code> },
    { title: 'Created', cell: ({ created_at: at }) => formatTime(at) },
    { title: 'Last used', cell: ({ last_used_on: day }) => (day === null ? 'never' : formatDay(day)) },
    { title: 'Expires', cell: ({ expires_at: at }) => (at === null ? 'never' : formatTime(at)) },
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
  const live = (answer?.data ?? []).filter(({ revoked_at: revokedAt }) => revokedAt === null);
  return (
    <>
      <form class="row end" onSubmit={create}>
        <label>
          Name <input name="name" required maxLength={64} placeholder="laptop" />
        </label>
        <label>
          May use{' '}
          <select name="scope">
            <option value="inference">models and usage</option>
            <option value="all">everything</option>
          </select>
        </label>
        <label>
          Expires{' '}
          <select name="days">
            <option value="0">never</option>
            <option value="30">after 30 days</option>
            <option value="365">after a year</option>
          </select>
        </label>
        <button type="submit" class="primary">
          Create a key
        </button>
      </form>
      <Problem text={failure} />
      <Problem text={problem} />
      <SecretNotice what="key" secret={made} snippet={made === undefined ? undefined : snippetOf(made)} />
      <DataTable caption="Live keys" columns={columns} rows={live} keyOf={({ id }) => id} />
    </>
  );
}
