/** A confidential virtual machine, from the body of a request to a plan (C-101…C-109, C-111). */

import { type ComputeError, notCharged } from '../base/errors.ts';
import { findMismatch, type JsonSchema, objectOf } from '../base/json-schema.ts';
import { hashSudoPassword } from '../base/sudo-password.ts';
import type { DeployPlan } from '../control/deploy.ts';
import type { ComputeService } from '../service/service.ts';
import { requireBalance } from '../store/claim.ts';
import { listSshKeys } from '../store/ssh-keys.ts';
import { hoursSchema, idSchema, nameSchema } from './names.ts';

export interface ConfidentialBody {
  readonly name: string;
  readonly resource_name: string;
  readonly ssh_key_uids?: readonly string[];
  readonly hardstop_hours?: number;
  readonly ports?: readonly { readonly port: number; readonly protocol: 'tcp' | 'udp' }[];
}

const common = {
  name: nameSchema,
  resource_name: idSchema,
  ssh_key_uids: { type: 'array', minItems: 1, maxItems: 8, items: idSchema },
  hardstop_hours: hoursSchema,
} as const satisfies Record<string, JsonSchema>;

/** Of the shared pod endpoint: some fields of other times are passed over. */
export const confidentialBodySchema: JsonSchema = objectOf(
  {
    provider: { type: 'string', enum: ['confidential'] },
    ...common,
    cost_per_hour: { description: 'has no effect' },
    template_uid: { description: 'has no effect' },
    image: { description: 'has no effect' },
  },
  {
    optional: ['ssh_key_uids', 'hardstop_hours', 'cost_per_hour', 'template_uid', 'image'],
    description: 'a confidential virtual machine of one tier',
  },
);

/** Of the endpoint for virtual machines alone. */
export const vmBodySchema: JsonSchema = objectOf(
  {
    ...common,
    ports: {
      type: 'array',
      maxItems: 8,
      items: objectOf({
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
        protocol: { type: 'string', enum: ['tcp', 'udp'] },
      }),
    },
  },
  { optional: ['ssh_key_uids', 'hardstop_hours', 'ports'] },
);

/** @param sudoPassword only its hash goes into the plan · @throws {ComputeError} whatever speaks against it */
export async function planConfidentialPod(
  service: ComputeService,
  {
    accountId,
    body: raw,
    schema,
    sudoPassword,
  }: { accountId: string; body: unknown; schema: JsonSchema; sudoPassword: string },
): Promise<DeployPlan> {
  const mismatch = findMismatch(schema, raw);
  if (mismatch !== undefined) throw notCharged('INVALID_REQUEST', mismatch);
  const body = raw as ConfidentialBody;
  const ports = readPorts(body);
  const sshKeys = await findKeys(service, { accountId, ids: body.ssh_key_uids });
  const stock = (await service.stock.tiers()).find(({ tier }) => tier.resourceName === body.resource_name);
  if (stock === undefined) throw notCharged('MACHINE_NOT_FOUND', '`resource_name` is unknown: list the machines');
  // Before the claim, as C-098 has it: whoever cannot pay learns that, whether or not a machine is free.
  await requireBalance(service.control.store.db, { accountId, price: stock.price });
  if (stock.freeIds.length === 0) {
    throw notCharged('MACHINE_UNAVAILABLE', 'no machine of this kind is free: list the machines and take another');
  }
  const { tier, price } = stock;
  return {
    accountId,
    name: body.name,
    machineIds: stock.freeIds,
    resourceName: tier.resourceName,
    templateId: undefined,
    gpuType: tier.gpuType,
    price,
    hardStopHours: body.hardstop_hours,
    imageSpec: { kind: 'confidential', image: tier.image },
    spec: {
      sshKeys,
      ports,
      gpuCount: tier.gpuCount,
      limits: {
        cpus: tier.vcpu,
        memoryBytes: Math.round(tier.memoryGb * 1e9),
        diskBytes: Math.round(tier.diskGb * 1e9),
      },
      sudoPasswordHash: hashSudoPassword(sudoPassword),
    },
  };
}

function readPorts({ ports = [] }: ConfidentialBody): NonNullable<ConfidentialBody['ports']> {
  if (ports.some(({ port }) => port === 22)) {
    throw notCharged('INVALID_REQUEST', '`ports` must not name 22: SSH is always open');
  }
  const names = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  if (new Set(names).size < names.length) throw notCharged('INVALID_REQUEST', '`ports` must not name a port twice');
  return ports;
}

async function findKeys(
  { control }: ComputeService,
  { accountId, ids }: { accountId: string; ids: readonly string[] | undefined },
): Promise<string[]> {
  const keys = await listSshKeys(control.store.db, accountId);
  if (keys.length === 0) throw needsKey();
  if (ids === undefined) return [keys[0]!.public_key];
  return ids.map((id) => {
    const found = keys.find((key) => key.id === id);
    if (found !== undefined) return found.public_key;
    throw notCharged('SSH_KEY_NOT_FOUND', '`ssh_key_uids` names a key that is not on this account: list the SSH keys');
  });
}

function needsKey(): ComputeError {
  return notCharged(
    'SSH_KEY_REQUIRED',
    'the account has no SSH key, and a VM binds its key when it is made: POST ssh-keys',
    {
      fields: { needsSshKey: true },
    },
  );
}
