/** Webhooks, and the events that could not be delivered to them. */
import { useState } from 'preact/hooks';
import { call } from '../api/request.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { SecretNotice } from '../parts/secret-notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { fieldsOf, useChange } from '../parts/use-change.ts';
import { api, type DeadLetter, type Webhook } from './renter-api.ts';

export function WebhooksView() {
  const { answer, problem, reload } = useAnswer<{ webhooks: readonly Webhook[] }>(api('webhooks'));
  const { failure, attempt } = useChange(reload);
  const [made, setMade] = useState<string>();
  const add = (event: SubmitEvent) => {
    const { form, fields } = fieldsOf(event);
    void attempt(async () => {
      const body = { url: fields.get('url') };
      setMade((await call<{ secret: string }>(api('webhooks'), { method: 'POST', body })).secret);
      form.reset();
    });
  };
  const remove = ({ id, url }: Webhook) => {
    if (!confirm(`Delete the webhook ${url}?`)) return;
    void attempt(() => call(api(`webhooks/${id}`), { method: 'DELETE' }));
  };
  return (
    <section>
      <h1>Webhooks</h1>
      <p>
        The service sends each event to these addresses, signed as Standard Webhooks, and repeats what was not accepted.
      </p>
      <Problem text={problem} />
      <Problem text={failure} />
      <SecretNotice what="signing secret" secret={made} />
      <form class="row end" onSubmit={add}>
        <label>
          Address{' '}
          <input name="url" type="url" required maxLength={2000} size={36} placeholder="https://example.org/events" />
        </label>
        <button type="submit" class="primary">
          Add a webhook
        </button>
      </form>
      {answer?.webhooks.length === 0 && <p class="fine">There are no webhooks.</p>}
      {answer?.webhooks.map((webhook) => (
        <section key={webhook.id} class="card webhook" aria-label={webhook.url}>
          <header class="row">
            <h2 class="digest">{webhook.url}</h2>
            <span class="push" />
            <button type="button" class="quiet" onClick={() => remove(webhook)}>
              Delete<span class="hidden"> {webhook.url}</span>
            </button>
          </header>
          <p class="fine">Since {formatTime(webhook.created_at)}</p>
          <DeadLetters id={webhook.id} />
        </section>
      ))}
    </section>
  );
}

const columns: readonly Column<DeadLetter>[] = [
  { title: 'Given up', cell: ({ at }) => formatTime(at) },
  { title: 'Event', cell: ({ event_id: id }) => <code>{id}</code> },
  { title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  { title: 'Last answer', cell: ({ reason }) => reason },
];

function DeadLetters({ id }: { readonly id: string }) {
  const { answer, problem } = useAnswer<{ dead_letters: readonly DeadLetter[] }>(api(`webhooks/${id}/dead-letters`));
  if (problem !== undefined) return <Problem text={problem} />;
  if (answer === undefined) return <p role="status">Loading the dead letters…</p>;
  const letters = answer.dead_letters;
  if (letters.length === 0) return <p>Every event was delivered.</p>;
  return (
    <>
      <h3>Dead letters</h3>
      <p class="fine">These events could not be delivered. The list of events still has them.</p>
      <DataTable caption="Dead letters" columns={columns} rows={letters} keyOf={({ event_id: event }) => event} />
    </>
  );
}
