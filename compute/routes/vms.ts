/** Deploys under other addresses: virtual machines alone, and the shortcut of the inference surface. */
import { instanceBody } from '@cloister/server/features/compute/schema';
import { ComputeError } from '../base/errors.ts';
import type { ReadonlyStatic } from '../base/schemas.ts';
import { vmBody } from '../deploy/confidential.ts';
import { deployPodName } from '../deploy/names.ts';
import { findStandardKey, type StandardBody } from '../deploy/standard.ts';
import { requireSoundBooks, startStandard, startVm, vmRepeatedMessage } from '../http/deploys.ts';
import { type Call, created, type Operation, operation } from '../http/operation.ts';
import type { StandardMachine } from '../inventory/configuration.ts';
import * as shape from '../schemas/pods.ts';

type InstanceBody = ReadonlyStatic<typeof instanceBody>;

export function vmOperations(): Operation[] {
  return [
    operation({
      method: 'POST',
      path: '/api/confidential/vm/deploy',
      id: 'deployVm',
      summary: 'Rents a confidential VM of a tier, with ports and what was proven about it',
      access: 'pods',
      createsPods: true,
      body: vmBody,
      answers: { 200: shape.vmDeploy },
      errors: [400, 402, 404, 409, 502, 503],
      secrets: ['sudoPassword'],
      repeatedMessage: vmRepeatedMessage,
      handle: startVm,
    }),
    operation({
      method: 'POST',
      path: '/v1/compute/instances',
      id: 'createInstance',
      summary: 'Rents the cheapest free standard machine that fits',
      access: 'pods',
      createsPods: true,
      body: instanceBody,
      answers: { 201: shape.standardDeploy },
      errors: [400, 402, 404, 409, 502, 503],
      handle: startCheapest,
    }),
  ];
}

/** I-065. */
async function startCheapest(call: Call<InstanceBody>) {
  requireSoundBooks(call.service);
  return created(await startStandard(call, () => cheapestBody(call)));
}

/**
 * @returns the body of the standard deploy that the request stands for
 * @throws {ComputeError} SSH_KEY_REQUIRED, SSH_KEY_NOT_FOUND, MACHINE_UNAVAILABLE, UNAVAILABLE
 */
async function cheapestBody({ service, accountId, body: wanted }: Call<InstanceBody>): Promise<StandardBody> {
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
