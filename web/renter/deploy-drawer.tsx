/** Deploys a pod: machine, template, SSH key, name and end. */
import { useMemo, useState } from 'preact/hooks';
import { call } from '../api/request.ts';
import { Drawer } from '../parts/drawer.tsx';
import { formatMoney } from '../parts/format.ts';
import { Problem } from '../parts/problem.tsx';
import { SecretNotice } from '../parts/secret-notice.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { fieldsOf, useChange } from '../parts/use-change.ts';
import { reload } from './live.ts';
import { api, isFree, type Machine, machineKey, type SshKey, type Template, type TemplateList } from './renter-api.ts';

export interface DeployDrawerProps {
  readonly machine?: Machine;
  readonly template?: Template;
  readonly machines: readonly Machine[];
  readonly onClose: () => void;
}

export function DeployDrawer({ machine, template, machines, onClose }: DeployDrawerProps) {
  const keys = useAnswer<readonly SshKey[]>(api('ssh-keys'));
  const fitting = machines.filter((one) => isFree(one) && fits(one, template));
  const [chosen, setChosen] = useState(machine === undefined ? undefined : machineKey(machine));
  const place = fitting.find((one) => machineKey(one) === chosen) ?? fitting[0];
  const [password, setPassword] = useState<string>();
  const [isDone, setIsDone] = useState(false);
  const { failure, attempt } = useChange(reload);
  // A repeat of this deploy, for example after a lost answer, finds the first pod.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [chosen]);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    const { fields } = fieldsOf(event);
    if (place === undefined || isBusy) return;
    setIsBusy(true);
    await attempt(async () => {
      const body = bodyOf(place, fields);
      const headers = { 'idempotency-key': idempotencyKey };
      const answer = await call<{ sudoPassword?: string | null }>(api('pods'), { method: 'POST', body, headers });
      setPassword(answer.sudoPassword ?? undefined);
      setIsDone(true);
    });
    setIsBusy(false);
  };
  return (
    <Drawer title="Deploy a pod" onClose={onClose}>
      {isDone ? (
        <Done password={password} onClose={onClose} />
      ) : (
        <form class="stack" onSubmit={(event) => void submit(event)}>
          <Problem text={failure} />
          {fitting.length === 0 && <p class="notice caution">No machine is free that fits.</p>}
          <label>
            Machine
            <select
              value={place === undefined ? '' : machineKey(place)}
              onChange={(event) => setChosen(event.currentTarget.value)}
            >
              {fitting.map((one) => (
                <option key={machineKey(one)} value={machineKey(one)}>
                  {one.name}, {formatMoney(one.price * 1e6)} an hour
                </option>
              ))}
            </select>
          </label>
          {place?.provider === 'standard' && <TemplateChoice chosen={template?.id} />}
          <KeyChoice keys={keys.answer} />
          <label>
            Name
            <input
              name="name"
              required
              maxLength={40}
              pattern="[a-z0-9][a-z0-9\-]*"
              title="lower-case letters, digits and hyphens"
              defaultValue={template === undefined ? 'pod' : nameFrom(template.name)}
            />
          </label>
          <label>
            End after this many hours
            <input name="hours" type="number" min={1} max={720} placeholder="no end" />
          </label>
          {place?.provider === 'standard' && (
            <label class="check">
              <input name="jupyter" type="checkbox" /> Start JupyterLab, if the image has it
            </label>
          )}
          {place !== undefined && (
            <p class="notice">
              {formatMoney(place.price * 1e6)} are held for the first hour. Each second is paid; what is unused of the
              first hour is returned.
            </p>
          )}
          <p>
            <button type="submit" class="primary" disabled={isBusy || place === undefined || keys.answer?.length === 0}>
              {isBusy ? 'Deploying…' : 'Deploy'}
            </button>
          </p>
        </form>
      )}
    </Drawer>
  );
}

function Done({ password, onClose }: { readonly password: string | undefined; readonly onClose: () => void }) {
  const showPods = () => {
    onClose();
    location.hash = 'pods';
  };
  return (
    <>
      <p class="notice good" role="status">
        The pod is being prepared. Its SSH line appears in the list of pods when it has an address.
      </p>
      <SecretNotice what="sudo password" secret={password} />
      <p>
        <button type="button" class="primary" onClick={showPods}>
          Show the pods
        </button>
      </p>
    </>
  );
}

function TemplateChoice({ chosen }: { readonly chosen: string | undefined }) {
  const { answer, problem } = useAnswer<TemplateList>(api('templates?provider=standard'));
  const items = answer?.items ?? [];
  const selected = chosen ?? items.find(({ default: isDefault }) => isDefault)?.id;
  return (
    <>
      <Problem text={problem} />
      <label>
        Template
        <select name="template" key={items.length}>
          {items.map(({ id, name }) => (
            <option key={id} value={id} selected={id === selected}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function KeyChoice({ keys }: { readonly keys: readonly SshKey[] | undefined }) {
  if (keys?.length === 0) {
    return (
      <p class="notice caution">
        A pod needs an SSH key of yours: <a href="#keys">add one</a> first.
      </p>
    );
  }
  return (
    <label>
      SSH key
      <select name="key">
        {(keys ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A template of a confidential machine names its tier; the others are for standard machines. */
function fits(machine: Machine, template: Template | undefined): boolean {
  if (template === undefined) return true;
  if (template.uid === undefined) return machine.provider === 'standard';
  return machine.resource_name === template.resource_name;
}

function bodyOf(machine: Machine, fields: FormData): object {
  const { provider } = machine;
  const hours = Number(fields.get('hours'));
  const common = { provider, name: fields.get('name') };
  if (provider === 'confidential') {
    return {
      ...common,
      resource_name: machine.resource_name,
      ssh_key_uids: [fields.get('key')],
      ...(hours > 0 && { hardstop_hours: hours }),
    };
  }
  return {
    ...common,
    machine_id: machine.machine_id,
    template_id: fields.get('template'),
    ssh_key_id: fields.get('key'),
    ...(hours > 0 && { auto_terminate_hours: hours }),
    ...(fields.has('jupyter') && { jupyter: true }),
  };
}

function nameFrom(title: string): string {
  const name = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return name.replaceAll(/^-|-$/g, '').slice(0, 40) || 'pod';
}
