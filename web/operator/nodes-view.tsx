/** The nodes of the fleet. */
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatTime } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import type { FleetNode } from './admin-api.ts';
import { useAdmin } from './use-admin.ts';

/** The load is a number of sixteenths. */
const loadSteps = 16;

export function NodesView() {
  const { items, problem } = useAdmin<FleetNode>('/admin/nodes', { refreshMs: 5_000 });
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
