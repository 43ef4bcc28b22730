/** Turns the body of a request for a confidential virtual machine into a deploy plan (C-101…C-109, C-111). */
import { Type } from '@cloister/server/schema/type';
import { type ComputeError, notCharged } from '../base/errors.ts';
import { deployReader } from '../base/readers.ts';
import { closed, type ReadonlyStatic } from '../base/schemas.ts';
import { hashSudoPassword } from '../base/sudo-password.ts';
import type { ComputeService } from '../service/service.ts';
import { requireBalance } from '../store/claim.ts';
import { listSshKeys } from '../store/ssh-keys.ts';
import type { DeployPlan } from './deploy-pod.ts';
import { hoursSchema, idSchema, nameSchema, portSchema } from './names.ts';

const common = {
  name: nameSchema,
  resource_name: idSchema,
  ssh_key_uids: Type.Optional(Type.Array(idSchema, { minItems: 1, maxItems: 8 })),
  hardstop_hours: Type.Optional(hoursSchema),
};
const ignored = Type.Optional(
  Type.Unknown({ description: 'ignored; accepted for compatibility with earlier versions' }),
);

/** Body of the shared pod endpoint, which accepts and ignores some fields of earlier versions. */
export const confidentialBody = Type.Object(
  {
    provider: Type.Literal('confidential'),
    ...common,
    cost_per_hour: ignored,
    template_uid: ignored,
    image: ignored,
  },
  { ...closed, description: 'a confidential virtual machine of one tier' },
);

const port = Type.Object({ port: portSchema, protocol: Type.Enum(['tcp', 'udp']) }, closed);

/** Body of the endpoint that deploys only virtual machines. */
export const vmBody = Type.Object({ ...common, ports: Type.Optional(Type.Array(port, { maxItems: 8 })) }, closed);

/** The fields of both endpoints; the shared endpoint does not take `ports`. */
export type ConfidentialBody = ReadonlyStatic<typeof vmBody>;

/** @throws {ComputeError} INVALID_REQUEST */
export function readConfidentialBody(raw: object): ConfidentialBody {
  return deployReader.read(confidentialBody, raw);
}

/** @param sudoPassword the plan contains only its hash · @throws {ComputeError} if a check fails; nothing was charged */
export async function planConfidentialPod(
  service: ComputeService,
  { accountId, body, sudoPassword }: { accountId: string; body: ConfidentialBody; sudoPassword: string },
): Promise<DeployPlan> {
  const ports = requirePorts(body);
  const sshKeys = await findKeys(service, { accountId, ids: body.ssh_key_uids });
  const stock = (await service.stock.tiers()).find(({ tier }) => tier.resourceName === body.resource_name);
  if (stock === undefined) throw notCharged('MACHINE_NOT_FOUND', '`resource_name` is unknown: list the machines');
  // The balance is checked before availability (C-098).
  await requireBalance(service.control.store.db, { accountId, price: stock.price });
  if (stock.freeIds.length === 0) {
    throw notCharged('MACHINE_UNAVAILABLE', 'no machine of this kind is free: list the machines and choose another');
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

function requirePorts({ ports = [] }: ConfidentialBody): NonNullable<ConfidentialBody['ports']> {
  if (ports.some(({ port }) => port === 22)) {
    throw notCharged('INVALID_REQUEST', '`ports` must not contain 22: SSH is always open');
  }
  const names = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  if (new Set(names).size < names.length) throw notCharged('INVALID_REQUEST', '`ports` must not contain a port twice');
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
    'the account has no SSH key, and a VM gets its keys at creation: register one with POST ssh-keys, then deploy again',
    {
      fields: { needsSshKey: true },
    },
  );
}
