import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { AccountsView } from '../operator/accounts-view.tsx';
import { authorized, enter, token } from '../operator/admin-api.ts';
import { AuditView } from '../operator/audit-view.tsx';
import { InvoicesView } from '../operator/invoices-view.tsx';
import { OperatorKeysView } from '../operator/keys-view.tsx';
import { ModelsView } from '../operator/models-view.tsx';
import { MovementsView } from '../operator/movements-view.tsx';
import { NodesView } from '../operator/nodes-view.tsx';
import { PlansView } from '../operator/plans-view.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Caller } from '../reference/endpoint-view.tsx';
import { ReferenceView } from '../reference/reference-view.tsx';

const caller: Caller = {
  access: () => 'Needs the admin token or the client certificate.',
  canTry: () => true,
  signInPath: '/',
  send: authorized,
};

function AdminReference() {
  return <ReferenceView path="/admin/openapi.json" title="Operator's API" level={2} caller={caller} />;
}

const views = {
  Accounts: AccountsView,
  Movements: MovementsView,
  Invoices: InvoicesView,
  Plans: PlansView,
  Keys: OperatorKeysView,
  Books: AuditView,
  Models: ModelsView,
  Nodes: NodesView,
  Reference: AdminReference,
} as const;

function Console() {
  const [name, setName] = useState<keyof typeof views>('Accounts');
  if (token.value === undefined) return <Entry />;
  const View = views[name];
  return (
    <main class="wide">
      <h1>Operator's console</h1>
      <fieldset class="tabs">
        <legend class="hidden">Views</legend>
        {(Object.keys(views) as (keyof typeof views)[]).map((view) => (
          <button key={view} type="button" aria-pressed={view === name} onClick={() => setName(view)}>
            {view}
          </button>
        ))}
      </fieldset>
      <View />
    </main>
  );
}

function Entry() {
  const [problem, setProblem] = useState('');
  // A port that asks for a client certificate may need no token.
  useEffect(() => void enter('').catch(() => undefined), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget as HTMLFormElement).get('token')).trim();
    try {
      await enter(given);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <main>
      <section class="card narrow">
        <h1>Operator's console</h1>
        <form class="stack" onSubmit={(event) => void submit(event)}>
          <label>
            Admin token
            <input name="token" type="password" autocomplete="off" required />
          </label>
          <p class="fine">
            From the file <code>admin-token</code> in the state folder of the server. This page keeps it in memory only:
            a reload asks again.
          </p>
          <Problem text={problem} />
          <p>
            <button type="submit" class="primary">
              Open
            </button>
          </p>
        </form>
      </section>
    </main>
  );
}

render(<Console />, document.body);
