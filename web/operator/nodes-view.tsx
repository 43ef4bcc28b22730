/** The models of this server, and the nodes of its fleet. */
import { useEffect } from 'preact/hooks';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import type { AdminModel, FleetNode } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

const refreshMs = 5_000;
/** The load is a number of sixteenths. */
const loadSteps = 16;

export function ModelsView() {
  const { items, problem, change } = useAdmin<AdminModel>('/admin/models');
  useEffect(() => {
    const timer = setInterval(() => void change(async () => undefined), refreshMs);
    return () => clearInterval(timer);
  }, [change]);
  return (
    <section>
      <h2>Models of this server</h2>
      <Problem text={problem} />
      {items !== undefined && (
        <DataTable caption="Models of this server" columns={modelColumns} rows={items} keyOf={({ id }) => id} />
      )}
    </section>
  );
}

export function NodesView() {
  const { items, problem, change } = useAdmin<FleetNode>('/admin/nodes');
  useEffect(() => {
    const timer = setInterval(() => void change(async () => undefined), refreshMs);
    return () => clearInterval(timer);
  }, [change]);
  return (
    <section>
      <h2>Nodes of the fleet</h2>
      <p>
        Each node announces itself with a signed entry, which is a claim. Its evidence proves it: verify it from a
        machine of yours with <code>npx cloister-verify ADDRESS --policy policy.json</code>.
      </p>
      <Problem text={problem} />
      {items?.length === 0 && <p class="fine">This server is not a node of a fleet.</p>}
      {items !== undefined && items.length > 0 && (
        <DataTable caption="Nodes of the fleet" columns={nodeColumns} rows={items} keyOf={({ node }) => node} />
      )}
    </section>
  );
}

const tones = { ready: 'good', failed: 'bad', loading: 'caution', draining: 'caution' } as const;

const modelColumns: readonly Column<AdminModel>[] = [
  { title: 'Model', cell: ({ id }) => <code>{id}</code> },
  { title: 'Kind', cell: ({ kind }) => kind },
  {
    title: 'State',
    cell: ({ status }) => (
      <span class={`verdict ${tones[status]}`}>
        <span class="dot" aria-hidden="true" />
        {status}
      </span>
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

const nodeColumns: readonly Column<FleetNode>[] = [
  {
    title: 'Node',
    cell: ({ node, isSelf }) => (
      <>
        <code>{node}</code>
        {isSelf && <div class="fine">this server</div>}
      </>
    ),
  },
  { title: 'Address', cell: ({ address }) => address },
  {
    title: 'State',
    cell: ({ draining }) => (
      <span class={`verdict ${draining ? 'caution' : 'good'}`}>
        <span class="dot" aria-hidden="true" />
        {draining ? 'draining' : 'serving'}
      </span>
    ),
  },
  { title: 'Load', isNumber: true, cell: ({ load }) => `${Math.round((load / loadSteps) * 100)} %` },
  { title: 'Models', cell: ({ models }) => models.join(', ') },
  { title: 'Announced', cell: ({ announcedAt }) => formatTime(announcedAt) },
];
