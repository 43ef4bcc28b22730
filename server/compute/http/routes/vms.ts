/** Deploys under other addresses: virtual machines alone, and the shortcut of the inference surface. */

import { vmBodySchema } from '../../deploy/confidential.ts';
import { deployPodName } from '../../deploy/names.ts';
import { ComputeError } from '../../errors.ts';
import type { StandardMachine } from '../../inventory/configuration.ts';
import { objectOf } from '../../json-schema.ts';
import { listSshKeys } from '../../store/ssh-keys.ts';
import { startStandard, startVm } from '../deploys.ts';
import { type Call, created, type Operation } from '../operation.ts';
import * as shape from '../schemas/pods.ts';

const word = { type: 'string', minLength: 1, maxLength: 128 } as const;

interface InstanceBody {
  readonly gpu_type?: string;
  readonly gpu_count?: number;
  readonly region?: string;
  readonly image?: string;
}

export function vmOperations(): Operation[] {
  return [
    {
      method: 'POST',
      path: '/api/confidential/vm/deploy',
      id: 'deployVm',
      summary: 'Rents a confidential VM of a tier, with ports and what was proven about it',
      access: 'pods',
      createsPods: true,
      body: vmBodySchema,
      answers: { 200: shape.vmDeploy },
      errors: [400, 402, 404, 409, 502, 503],
      secrets: ['sudoPassword'],
      handle: startVm,
    },
    {
      method: 'POST',
      path: '/v1/compute/instances',
      id: 'createInstance',
      summary: 'Rents the cheapest free standard machine that fits',
      access: 'pods',
      createsPods: true,
      body: objectOf(
        {
          gpu_type: word,
          gpu_count: { type: 'integer', minimum: 1, maximum: 64 },
          region: word,
          image: { ...word, maxLength: 512 },
        },
        { optional: ['gpu_type', 'gpu_count', 'region', 'image'] },
      ),
      answers: { 201: shape.standardDeploy },
      errors: [400, 402, 409, 502, 503],
      handle: startCheapest,
    },
  ];
}

/** I-065. */
async function startCheapest(call: Call) {
  return created(await startStandard(call, () => cheapestBody(call)));
}

/** @returns the body of the deploy that is meant · @throws {ComputeError} MACHINE_UNAVAILABLE, UNAVAILABLE */
async function cheapestBody({ service, accountId, body }: Call): Promise<object> {
  const wanted = body as InstanceBody;
  const machines = (await service.stock.freeMachines()).filter((machine) => fits(machine, wanted));
  const cheapest = machines.toSorted((a, b) => a.price - b.price)[0];
  if (cheapest === undefined) {
    throw new ComputeError(
      'MACHINE_UNAVAILABLE',
      'no machine that fits is free: list the machines with ?provider=standard',
      {
        fields: { charged: false },
      },
    );
  }
  // There is no field to name one of several keys by: the newest is meant.
  const newest = (await listSshKeys(service.control.store.db, accountId))[0];
  return {
    provider: 'standard',
    name: deployPodName(),
    machine_id: cheapest.id,
    ...(wanted.image === undefined ? {} : { image: wanted.image }),
    ...(newest === undefined ? {} : { ssh_key_id: newest.id }),
  };
}

function fits(machine: StandardMachine, { gpu_type, gpu_count, region }: InstanceBody): boolean {
  const { city, country, country_code } = machine.location;
  const isThere = region === undefined || [city, country, country_code].some((name) => same(name, region));
  return (
    isThere &&
    (gpu_type === undefined || same(machine.gpuType, gpu_type)) &&
    (gpu_count === undefined || machine.gpuCount === gpu_count)
  );
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
