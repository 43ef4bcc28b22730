/**
 * Evidence with a GPU: its report must contain the quote's report data, and it must be the measured GPU in its measured state.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { EvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { startLogWith } from '../support/attestation/attested-server.ts';
import { startEvidenceVerifier } from '../support/attestation/evidence-verifier.ts';
import { gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import { fieldsBut } from '../support/attestation/gpu-reference.ts';
import {
  type GpuServerOptions,
  gpuServerOptions,
  measuredGpu,
  serverGpuKeys,
} from '../support/attestation/gpu-server.ts';
import { newKeyPair } from '../support/attestation/p384-hierarchy.ts';

const { verify, close } = await startEvidenceVerifier();
afterAll(close);

describe('verifyEvidence with a GPU', () => {
  interface GpuCase extends Omit<GpuServerOptions, 'onRoot' | 'foreignNonce'> {
    nonce?: Uint8Array;
    policy?: Partial<EvidencePolicy>;
  }
  async function verifyGpu({ nonce, policy = {}, ...options }: GpuCase = {}) {
    let root: Uint8Array | undefined;
    const server = await gpuServerOptions({
      ...options,
      foreignNonce: () => nonce,
      onRoot: (one) => {
        root = one;
      },
    });
    return verify({
      server,
      policy: { gpuRequired: true, gpuMeasurements: 'any', ...policy },
      trust: () => ({ gpuRoots: [root!], nowMs: gpuNowMs }),
    });
  }
  const measuredWith = async (change: object) => [{ ...(await measuredGpu()), ...change }];

  it('verifies the GPU that was measured at the start and that signed the report data of the quote', async () => {
    const { verdict, failed, reasonOf } = await verifyGpu();
    expect({ verdict, failed }).toEqual({ verdict: 'verified', failed: [] });
    expect(reasonOf('gpu')).toBe('1 in confidential mode');
    expect(reasonOf('gpu-binding')).toBe('1, by key, driver, VBIOS and mode');
    expect(reasonOf('gpu-node')).toBe('no GPU is in protected PCIe mode');
  });

  it('expires with the keyset, or with the certificates of the GPU if they end earlier', async () => {
    expect((await verifyGpu()).expiresAtMs).toBe(gpuNowMs + 3_600_000);
    const { verdict, expiresAtMs } = await verifyGpu({ shown: { notAfterMs: gpuNowMs + 60_000 } });
    expect([verdict, expiresAtMs]).toEqual(['verified', gpuNowMs + 60_000]);
  });

  it("cannot check the GPU's measurements without NVIDIA's manifests, unless the policy waives it", async () => {
    const { verdict, failed, reasonOf } = await verifyGpu({ policy: { gpuMeasurements: 'published' } });
    expect({ verdict, failed }).toEqual({ verdict: 'could-not-check', failed: [] });
    expect(reasonOf('driver-rim-format')).toBe('no manifest was given');
  });

  it.each<[string, string, GpuCase]>([
    ['a report that answers another nonce', 'gpu-nonce', { nonce: new Uint8Array(32).fill(9) }],
    ['developer tools', 'gpu', { state: { developerTools: true } }],
    ['confidential computing that is off', 'gpu', { state: { confidentialCompute: false } }],
    ['one GPU that answers for two', 'gpu-binding', { state: { gpus: [{}, {}] }, copies: 2 }],
  ])('rejects %s', async (_, id, change) => {
    expect(await verifyGpu(change)).toMatchObject({ verdict: 'not-verified', failed: [id] });
  });

  it('rejects a GPU that was not present at the start', async () => {
    const { failed, reasonOf } = await verifyGpu({ state: { gpus: [] } });
    expect(failed).toEqual(['gpu', 'gpu-binding']);
    expect(reasonOf('gpu-binding')).toMatch(/GPU 1, with key [0-9a-f]{64}, was not measured/);
  });

  it('rejects a log whose model computes on an unmeasured GPU', async () => {
    const startLog = startLogWith('model', { id: 'tiny', device: 'CUDA0' });
    const { failed, reasonOf } = await verify({
      server: { startLog, evidence: (all) => ({ ...all, simulated: false }) },
    });
    expect(failed).toEqual(['gpu']);
    expect(reasonOf('gpu')).toMatch(/computes on a GPU that was not measured/);
  });

  describe('GPU swapped', () => {
    it('rejects the genuine report of a foreign GPU with the right nonce in place of the measured one', async () => {
      // A device under the same root and CA, with another key.
      const foreign = { of: { ...serverGpuKeys, leafKey: newKeyPair() } };
      const { verdict, failed, reasonOf } = await verifyGpu({ shown: foreign });
      expect({ verdict, failed }).toEqual({ verdict: 'not-verified', failed: ['gpu-binding'] });
      expect(reasonOf('gpu-nonce')).toBe('it holds');
      expect(reasonOf('gpu-report-signature')).toBe('it holds');
      expect(reasonOf('gpu-binding')).toMatch(/was not measured at the start/);
    });

    it.each([
      ['driverVersion', '550.54.15'],
      ['vbiosVersion', '96.00.9F.00.01'],
      ['mode', 'multi'],
    ])('rejects a %s that differs from the measured one', async (name, value) => {
      const gpus = await measuredWith({ [name]: value });
      const { verdict, failed, reasonOf } = await verifyGpu({ state: { gpus } });
      expect({ verdict, failed }).toEqual({ verdict: 'not-verified', failed: ['gpu-binding'] });
      expect(reasonOf('gpu-binding')).toMatch(
        new RegExp(`^${name} of GPU 1 is .*, but ${value} was measured at the start$`),
      );
    });

    it('rejects fewer GPUs than were measured, and a duplicate measured key', async () => {
      const [gpu] = await measuredWith({});
      const fewer = await verifyGpu({ state: { gpus: [gpu, { ...gpu, keySha256: '00'.repeat(32) }] } });
      expect(fewer.reasonOf('gpu-binding')).toBe('2 GPUs were measured at the start, but the evidence has 1');
      const twice = await verifyGpu({ state: { gpus: [gpu, gpu] }, copies: 2 });
      expect(twice.reasonOf('gpu-binding')).toBe('GPU 2 is the same as GPU 1');
      const again = await verifyGpu({ state: { gpus: [gpu, gpu] } });
      expect(again.failed).toEqual(['gpu-binding']);
    });
  });

  it('rejects a switch in the place of a GPU, for every waiver of the policy', async () => {
    const shown = { device: 'LS_10 A01 FSP BROM' };
    const { verdict, failed, reasonOf } = await verifyGpu({
      shown,
      policy: { gpuMeasurements: 'any', gpuModes: 'any' },
    });
    expect({ verdict, failed }).toEqual({ verdict: 'not-verified', failed: ['gpu-device'] });
    expect(reasonOf('gpu-device')).toBe('it is for a switch, LS_10');
  });

  it('rejects protected PCIe of a GPU without switches', async () => {
    const fields = fieldsBut(36, Uint8Array.of(2, 0));
    const [state, shown] = [{ gpus: [await measuredGpu({ report: { fields } })] }, { report: { fields } }];
    const { failed, reasonOf } = await verifyGpu({ state: { ...state, multiGpu: 'protected-pcie' }, shown });
    expect(failed).toEqual(['gpu-node']);
    expect(reasonOf('gpu-node')).toBe('GPU 1 names no switches that it is connected to');
  });
});
