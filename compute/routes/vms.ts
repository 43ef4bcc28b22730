/** Deploys under two other paths: virtual machines only, and the shortcut of the inference API. */
import { instanceBody } from '@cloister/server/features/compute/schema';
import { ComputeError } from '../base/errors.ts';
import type { ReadonlyStatic } from '../base/schemas.ts';
import { vmBody } from '../deploy/confidential.ts';
import { deployPodName } from '../deploy/names.ts';
import { findStandardKey, type StandardBody } from '../deploy/standard.ts';
import { requireBalancedBooks, startStandard, startVm, vmRepeatedMessage } from '../http/deploys.ts';
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
      summary: 'Deploys a confidential VM of a tier, with open ports; the response includes its attestation record',
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
      summary: 'Deploys a standard pod on the cheapest free machine that matches',
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
  requireBalancedBooks(call.service);
  return created(await startStandard(call, () => cheapestBody(call)));
}

/**
 * @returns the body of the equivalent standard deploy
 * @throws {ComputeError} SSH_KEY_REQUIRED, SSH_KEY_NOT_FOUND, MACHINE_UNAVAILABLE, UNAVAILABLE
 */
async function cheapestBody({ service, accountId, body }: Call<InstanceBody>): Promise<StandardBody> {
  // The SSH key is checked before the machine, as in every deploy (C-098).
  const sshKey = await findStandardKey(service, { accountId, id: body.ssh_key_id });
  const machines = (await service.stock.freeMachines()).filter((machine) => matches(machine, body));
  const cheapest = machines.toSorted((a, b) => a.price - b.price)[0];
  if (cheapest === undefined) {
    throw new ComputeError(
      'MACHINE_UNAVAILABLE',
      'no matching machine is free: list the machines with ?provider=standard',
      {
        fields: { charged: false },
      },
    );
  }
  return {
    provider: 'standard',
    name: deployPodName(),
    machine_id: cheapest.id,
    image: body.image,
    ssh_key_id: sshKey.id,
  };
}

function matches(machine: StandardMachine, { gpu_type, gpu_count, region }: InstanceBody): boolean {
  const { city, country, country_code } = machine.location;
  return (
    [city, country, country_code].some((name) => equalsIgnoringCase(name, region)) &&
    equalsIgnoringCase(machine.gpuType, gpu_type) &&
    machine.gpuCount === gpu_count
  );
}

function equalsIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
