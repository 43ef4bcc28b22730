/** Machines for rent, each with its price, and templates to start from. */
import { useState } from 'preact/hooks';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { formatMoney } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { DeployDrawer } from './deploy-drawer.tsx';
import { hardware } from './pod-facts.tsx';
import { api, isFree, type Machine, machineKey, type Template, type TemplateList } from './renter-api.ts';

/** What a person chose to deploy; the rest is chosen in the drawer. */
interface Choice {
  readonly machine?: Machine;
  readonly template?: Template;
}

export function MachinesView() {
  const machines = useAnswer<readonly Machine[]>(api('machines?provider=all'));
  const [choice, setChoice] = useState<Choice>();
  const of = (provider: Machine['provider']) => machines.answer?.filter((one) => one.provider === provider) ?? [];
  const deploy: Column<Machine> = {
    title: 'Actions',
    isTitleHidden: true,
    cell: (machine) => (
      <button type="button" disabled={!isFree(machine)} onClick={() => setChoice({ machine })} aria-haspopup="dialog">
        Deploy<span class="hidden"> on {machine.name}</span>
      </button>
    ),
  };
  return (
    <section>
      <h1>Machines</h1>
      <Problem text={machines.problem} />
      {machines.answer === undefined && machines.problem === undefined && <p role="status">Loading the machines…</p>}
      {machines.answer?.length === 0 && <p>No machine is free at the moment.</p>}
      {of('confidential').length > 0 && (
        <>
          <h2>Confidential machines</h2>
          <p class="fine">
            A virtual machine of your own in an Intel TDX trust domain: the host cannot read its memory.
          </p>
          <DataTable
            caption="Confidential machines"
            columns={[...commonColumns, ...tierColumns, deploy]}
            rows={of('confidential')}
            keyOf={machineKey}
          />
        </>
      )}
      {of('standard').length > 0 && (
        <>
          <h2>Standard machines</h2>
          <p class="fine">A container on a whole machine, without memory encryption and without evidence.</p>
          <DataTable
            caption="Standard machines"
            columns={[...commonColumns, ...standardColumns, deploy]}
            rows={of('standard')}
            keyOf={machineKey}
          />
        </>
      )}
      <Templates onChoose={(template) => setChoice({ template })} />
      {choice !== undefined && (
        <DeployDrawer {...choice} machines={machines.answer ?? []} onClose={() => setChoice(undefined)} />
      )}
    </section>
  );
}

const commonColumns: readonly Column<Machine>[] = [
  {
    title: 'Machine',
    cell: ({ name, warning }) => (
      <>
        {name}
        {warning !== undefined && <div class="fine">{warning}</div>}
      </>
    ),
  },
  { title: 'GPU', cell: hardware },
  { title: 'Price an hour', isNumber: true, cell: ({ price }) => formatMoney(price * 1e6) },
];

const tierColumns: readonly Column<Machine>[] = [
  { title: 'Processors', isNumber: true, cell: ({ vcpu }) => vcpu ?? '–' },
  { title: 'Memory', isNumber: true, cell: ({ memory }) => `${memory} GB` },
  { title: 'Free', isNumber: true, cell: ({ available }) => Number(available) },
];

const standardColumns: readonly Column<Machine>[] = [
  { title: 'Processors', isNumber: true, cell: ({ cpu_cores: cores }) => cores ?? '–' },
  { title: 'Memory', isNumber: true, cell: ({ ram_gb: memory }) => `${memory} GB` },
  { title: 'Place', cell: ({ location }) => (location === undefined ? '–' : `${location.city}, ${location.country}`) },
];

function Templates({ onChoose }: { readonly onChoose: (template: Template) => void }) {
  const standard = useAnswer<TemplateList>(api('templates?provider=standard'));
  const confidential = useAnswer<TemplateList>(api('templates'));
  const all = [...(confidential.answer?.items ?? []), ...(standard.answer?.items ?? [])];
  const columns: readonly Column<Template>[] = [
    {
      title: 'Template',
      cell: ({ name, description }) => (
        <>
          {name}
          <div class="fine">{description}</div>
        </>
      ),
    },
    { title: 'For', cell: ({ uid, resource_name: tier }) => (uid === undefined ? 'standard machines' : tier) },
    {
      title: 'Actions',
      isTitleHidden: true,
      cell: (template) => (
        <button type="button" class="quiet" onClick={() => onChoose(template)} aria-haspopup="dialog">
          Deploy<span class="hidden"> the template {template.name}</span>
        </button>
      ),
    },
  ];
  return (
    <>
      <h2>Templates</h2>
      <Problem text={standard.problem ?? confidential.problem} />
      <DataTable caption="Templates" columns={columns} rows={all} keyOf={({ id, uid = '' }) => id ?? uid} />
    </>
  );
}
