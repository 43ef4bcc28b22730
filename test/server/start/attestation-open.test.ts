/** GPUs of a TD are attested at the beginning of the start; no model can be loaded before. */
import { describe, expect, it } from 'vitest';
import type { AttestedPlatform } from '../../../attestation/guest/platform.ts';
import { openSimulatedPlatform } from '../../../attestation/guest/simulated-platform.ts';
import type { GpuSystem } from '../../../server/enclave/gpu-admission.ts';
import { readConfig } from '../../../server/program/config.ts';
import { Attestation, type Machine } from '../../../server/start/attestation.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { guarded as guard } from '../../support/server/process-guard.ts';

const facts = {
  driverVersion: '570.1.2',
  environment: 'production',
  confidentialCompute: true,
  developerTools: false,
  multiGpu: 'none',
  gpus: [{ uuid: 'GPU-0', name: 'Test GPU', vbiosVersion: '?' }],
} as const;

/** A machine whose platform reports a TD, and the requests that its GPUs received. */
async function machineWith(gpus: Partial<GpuSystem>) {
  const simulated = await openSimulatedPlatform(Date.now());
  const platform: AttestedPlatform = Object.create(simulated, {
    kind: { value: 'tdx' },
    simulation: { value: undefined },
  });
  const nonces: Uint8Array[] = [];
  let isReady = false;
  const system: GpuSystem = {
    readFacts: async () => facts,
    async collectEvidence(nonce) {
      nonces.push(nonce);
      return { gpus: [{ report: new Uint8Array(8), chainPem: 'none' }], switches: [] };
    },
    findReference: async () => ({}),
    async setReady() {
      isReady = true;
    },
    ...gpus,
  };
  const machine: Machine = { closeProcess: () => guard, openPlatform: async () => platform, gpuSystem: () => system };
  return { machine, platform, nonces, isReady: () => isReady };
}

async function withConfig<T>(use: (config: ReturnType<typeof readConfig>['config']) => Promise<T>, ...args: string[]) {
  await using folder = await scratchFolder();
  return await use(readConfig({ args: ['--state-dir', folder.path, ...args], env: {}, cwd: folder.path }).config);
}

describe('a start in a TD', () => {
  it('fails before a model is loaded if a GPU fails attestation, and leaves the GPUs not ready', async () => {
    const { machine, platform, isReady } = await machineWith({});
    await withConfig(async (config) => {
      await expect(Attestation.open(config, machine)).rejects.toMatchObject({
        code: 'ERR_GPU_NOT_VERIFIED',
        message: expect.stringMatching(/^GPU 1: The GPU report is an SPDM 1.1 measurement report: /),
      });
    });
    expect([platform.startLog, isReady()]).toEqual([[], false]);
  });

  it('requests GPU evidence with a nonce derived from its keys, which differ at each start', async () => {
    const all: Uint8Array[] = [];
    for (const _ of [1, 2]) {
      const { machine, nonces } = await machineWith({});
      await withConfig((config) => Attestation.open(config, machine).catch(() => undefined));
      all.push(...nonces);
    }
    expect(all.map(({ length }) => length)).toEqual([32, 32]);
    expect(all[0]).not.toEqual(all[1]);
  });

  it('requests no GPU evidence if GPUs are switched off', async () => {
    const { machine, platform, nonces, isReady } = await machineWith({});
    await withConfig((config) => Attestation.open(config, machine), '--gpu', 'off');
    expect(platform.startLog).toEqual([{ name: 'cloister.gpu', content: '{"gpus":[]}' }]);
    expect([nonces, isReady()]).toEqual([[], false]);
  });
});
