/** Deploys under other addresses: virtual machines alone, and the shortcut of the inference surface. */

import { ComputeError } from '../base/errors.ts';
import { objectOf } from '../base/json-schema.ts';
import { vmBodySchema } from '../deploy/confidential.ts';
import { deployPodName, idSchema } from '../deploy/names.ts';
import { findStandardKey } from '../deploy/standard.ts';
import { startStandard, startVm, vmRepeatedMessage } from '../http/deploys.ts';
import { type Call, created, type Operation } from '../http/operation.ts';
import type { StandardMachine } from '../inventory/configuration.ts';
import * as shape from '../schemas/pods.ts';

const word = { type: 'string', minLength: 1, maxLength: 128 } as const;

interface InstanceBody {
  readonly gpu_type: string;
  readonly gpu_count: number;
  readonly region: string;
  readonly image: string;
  readonly ssh_key_id?: string;
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
      repeatedMessage: vmRepeatedMessage,
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
          gpu_count: { type: 'integer', minimum: 0, maximum: 64 },
          region: { ...word, description: "a machine's city, country or country code" },
          image: { ...word, maxLength: 512 },
          ssh_key_id: { ...idSchema, description: 'required where the account has several SSH keys' },
        },
        { optional: ['ssh_key_id'] },
      ),
      answers: { 201: shape.standardDeploy },
      errors: [400, 402, 404, 409, 502, 503],
      handle: startCheapest,
    },
  ];
}

/** I-065. */
async function startCheapest(call: Call) {
  return created(await startStandard(call, () => cheapestBody(call)));
}

/**
 * @returns the body of the standard deploy that the request stands for
 * @throws {ComputeError} SSH_KEY_REQUIRED, SSH_KEY_NOT_FOUND, MACHINE_UNAVAILABLE, UNAVAILABLE
 */
async function cheapestBody({ service, accountId, body }: Call): Promise<object> {
  const wanted = body as InstanceBody;
  // Before the machine is chosen, as in every deploy (C-098).
  const sshKey = await findStandardKey(service, { accountId, id: wanted.ssh_key_id });
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
  return {
    provider: 'standard',
    name: deployPodName(),
    machine_id: cheapest.id,
    image: wanted.image,
    ssh_key_id: sshKey.id,
  };
}

function fits(machine: StandardMachine, { gpu_type, gpu_count, region }: InstanceBody): boolean {
  const { city, country, country_code } = machine.location;
  return (
    [city, country, country_code].some((name) => same(name, region)) &&
    same(machine.gpuType, gpu_type) &&
    machine.gpuCount === gpu_count
  );
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
