/** The inventory: machines, tiers, and what was proven about them. */
import { Type } from '@cloister/server/schema/type';
import { ComputeError } from '../base/errors.ts';
import type { ReadonlyStatic } from '../base/schemas.ts';
import { type Operation, ok, operation } from '../http/operation.ts';
import * as shape from '../schemas/inventory.ts';
import { confidentialEntry, evidenceEntry, standardEntry, tierEntry } from '../views/machines.ts';

/** What no published proof covers, whichever the machine. */
const neverAttested = [
  'standard pods: they have no enclave, memory encryption, quote or GPU report',
  'this control plane: it starts and ends machines, is not trusted with their memory, and signs no proof',
  'availability: whoever runs a machine can end it',
];

/** What a tenant runs inside a VM of any tier; a record's own commands come with it. */
const reproduce = ['test -e /dev/tdx_guest', 'dmesg | grep -i tdx', 'nvidia-smi conf-compute -f'];

export function machineOperations(base: string): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${base}/machines`,
      id: 'listMachines',
      summary: 'Confidential tiers; ?provider=standard for standard machines, all for both',
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
        return ok(await eitherOf([confidential, standard]));
      },
    }),
    operation({
      method: 'GET',
      path: '/api/confidential/vm/tiers',
      id: 'listTiers',
      summary: 'Tiers of confidential VMs, with what of them is free and what was proven about them',
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
      summary: 'Attestations that tenants made and published, per kind of machine, and what is not attested',
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

/** One half that cannot be had does not hide the other. */
async function eitherOf(halves: readonly (() => Promise<MachineList>)[]): Promise<MachineList> {
  const settled = await Promise.allSettled(halves.map((half) => half()));
  const found = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (found.length > 0) return found.flat();
  throw new ComputeError('UNAVAILABLE', 'the machine list is unavailable for the moment: try again', {
    fields: { charged: false },
  });
}
