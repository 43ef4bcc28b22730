/** The inventory: machines, tiers and their attestation records. */
import { Type } from '@cloister/server/schema/type';
import { ComputeError } from '../base/errors.ts';
import type { ReadonlyStatic } from '../base/schemas.ts';
import { type Operation, ok, operation } from '../http/operation.ts';
import * as shape from '../schemas/inventory.ts';
import { confidentialEntry, evidenceEntry, standardEntry, tierEntry } from '../views/machines.ts';

/** What no published attestation covers, on any machine. */
const neverAttested = [
  'standard pods: they have no enclave, memory encryption, quote or GPU report',
  'this control plane: it starts and stops machines, has no access to their memory, and signs no attestation',
  'availability: the operator of a machine can stop it',
];

/** Commands to run inside a VM of any tier; each record adds its own. */
const reproduce = ['test -e /dev/tdx_guest', 'dmesg | grep -i tdx', 'nvidia-smi conf-compute -f'];

export function machineOperations(base: string): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${base}/machines`,
      id: 'listMachines',
      summary:
        'Machines for rent: confidential tiers; with ?provider=standard standard machines, with ?provider=all both',
      access: 'machines',
      query: { provider: Type.Enum(['confidential', 'standard', 'all']) },
      answers: { 200: shape.machineList },
      errors: [400, 503],
      async handle({ service: { stock }, query: { provider = 'confidential' } }) {
        const confidential = async () =>
          (await stock.tiers()).filter(({ capableCount }) => capableCount > 0).map(confidentialEntry);
        const standard = async () => (await stock.standardMachines()).map(standardEntry);
        if (provider === 'standard') return ok(await standard());
        if (provider === 'confidential') return ok(await confidential());
        return ok(await availableOf([confidential, standard]));
      },
    }),
    operation({
      method: 'GET',
      path: '/api/confidential/vm/tiers',
      id: 'listTiers',
      summary: 'Tiers of confidential VMs, with free machines and attestation records',
      access: 'machines',
      answers: { 200: shape.tierList },
      errors: [503],
      async handle({ service: { stock, options } }) {
        const tiers = (await stock.tiers()).filter(({ capableCount }) => capableCount > 0);
        return ok({ tiers: tiers.map((tier) => tierEntry(tier, options)) });
      },
    }),
    operation({
      method: 'GET',
      path: '/api/attestation/evidence',
      id: 'listEvidence',
      summary: 'Attestations published by tenants, per machine kind, with a list of what they do not cover',
      access: 'open',
      answers: { 200: shape.evidenceList },
      handle: async ({ service: { stock, options } }) =>
        ok({
          evidence: stock.inventory.evidence.map((one) => evidenceEntry(one, options)),
          not_attested: neverAttested,
          reproduce,
        }),
    }),
  ];
}

type MachineList = ReadonlyStatic<typeof shape.machineList>;

/** Returns the lists that are available; fails only if neither is. */
async function availableOf(lists: readonly (() => Promise<MachineList>)[]): Promise<MachineList> {
  const settled = await Promise.allSettled(lists.map((list) => list()));
  const found = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (found.length > 0) return found.flat();
  throw new ComputeError('UNAVAILABLE', 'the machine list is temporarily unavailable: try again', {
    fields: { charged: false },
  });
}
