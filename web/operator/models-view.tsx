/** The models of this server, which can be loaded and unloaded while it runs. */
import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Problem } from '../parts/problem.tsx';
import { fieldsOf } from '../parts/use-change.ts';
import { type AdminModel, admin } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

export function ModelsView() {
  const { items, problem, change } = useAdmin<AdminModel>('/admin/models', { refreshMs: 5_000 });
  const [pending, setPending] = useState('');
  /** The list is refreshed meanwhile, and shows how far the load is. */
  const run = async (what: string, work: () => Promise<unknown>) => {
    setPending(what);
    const isDone = await change(work);
    setPending('');
    return isDone;
  };
  const load = async (id: string) => await run(`Loading ${id}…`, () => admin('POST', '/admin/models', { id }));
  const unload = (id: string) => {
    if (!confirm(`Unload ${id}? Its requests may finish, and new ones are refused until it is loaded again.`)) return;
    void run(`Unloading ${id}…`, () => admin('DELETE', `/admin/models/${encodeURIComponent(id)}`));
  };
  const columns: readonly Column<AdminModel>[] = [
    ...modelColumns,
    {
      title: 'Actions',
      isTitleHidden: true,
      cell: ({ id, status }) => (
        <>
          {status === 'unloaded' && (
            <button type="button" class="quiet" disabled={pending !== ''} onClick={() => void load(id)}>
              Load<span class="hidden"> {id}</span>
            </button>
          )}
          {(status === 'ready' || status === 'unloaded' || status === 'failed') && (
            <button type="button" class="quiet" disabled={pending !== ''} onClick={() => unload(id)}>
              Unload<span class="hidden"> {id}</span>
            </button>
          )}
        </>
      ),
    },
  ];
  return (
    <section>
      <h2>Models of this server</h2>
      <Problem text={problem} />
      {items !== undefined && (
        <DataTable caption="Models of this server" columns={columns} rows={items} keyOf={({ id }) => id} />
      )}
      <h3>Load a model</h3>
      <form
        class="row end"
        onSubmit={(event) => {
          const { form, fields } = fieldsOf(event);
          void load(String(fields.get('id')).trim()).then((isDone) => isDone && form.reset());
        }}
      >
        <label>
          Name in the catalogue <input name="id" required maxLength={256} spellcheck={false} />
        </label>
        <button type="submit" class="primary" disabled={pending !== ''}>
          Load
        </button>
      </form>
      <p class="fine" role="status">
        {pending}
      </p>
      <p class="fine">
        A model is measured before its first request. Clients whose policy does not name it refuse this server from then
        on.
      </p>
    </section>
  );
}

const tones = {
  ready: 'good',
  failed: 'bad',
  loading: 'caution',
  draining: 'caution',
  unloading: 'caution',
  unloaded: 'caution',
} as const;

const modelColumns: readonly Column<AdminModel>[] = [
  { title: 'Model', cell: ({ id }) => <code>{id}</code> },
  { title: 'Kind', cell: ({ kind }) => kind },
  {
    title: 'State',
    cell: ({ status, loadedPercent, expiresSeconds }) => (
      <>
        <span class={`verdict ${tones[status]}`}>
          <span class="dot" aria-hidden="true" />
          {status}
          {loadedPercent !== null && ` ${Math.floor(loadedPercent)} %`}
        </span>
        {status === 'unloaded' && <div class="fine">the next request loads it</div>}
        {expiresSeconds !== null && <div class="fine">unloads in {Math.ceil(expiresSeconds)} s without requests</div>}
      </>
    ),
  },
  { title: 'Memory', isNumber: true, cell: ({ memoryBytes }) => `${(memoryBytes / 1e9).toFixed(2)} GB` },
  { title: 'Running', isNumber: true, cell: ({ running }) => running },
  { title: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting },
  {
    title: 'Without a step',
    isNumber: true,
    cell: ({ stalledMs }) => (stalledMs < 1_000 ? '–' : `${Math.floor(stalledMs / 1_000)} s`),
  },
  { title: 'Lost threads', isNumber: true, cell: ({ losses }) => losses },
];
