/** Evidence with a GPU: it must answer the report data of the quote, and be in the mode that was measured. */
import { afterAll, describe, expect, it } from 'vitest';
import type { EvidencePolicy } from '../../attestation/client/evidence-policy.ts';
import { startEvidenceVerifier } from '../support/evidence-verifier.ts';
import { gpuNowMs } from '../support/gpu-evidence.ts';
import { confidentialGpu, gpuServerOptions } from '../support/gpu-server.ts';

const { verify, close } = await startEvidenceVerifier();
afterAll(close);

describe('verifyEvidence with a GPU', () => {
  async function verifyGpu({ nonce, state, copies, policy = {} }: GpuCase = {}) {
    let root: Uint8Array | undefined;
    const server = await gpuServerOptions({
      ...(state === undefined ? {} : { state }),
      ...(copies === undefined ? {} : { copies }),
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
  interface GpuCase {
    nonce?: Uint8Array;
    state?: object;
    copies?: number;
    policy?: Partial<EvidencePolicy>;
  }

  it('verifies one that answers the report data of the quote', async () => {
    const { verdict, failed, reasonOf } = await verifyGpu();
    expect({ verdict, failed }).toEqual({ verdict: 'verified', failed: [] });
    expect(reasonOf('gpu')).toBe('1 in confidential mode');
  });

  it('could not check what it measured without NVIDIA’s manifests, unless the policy waives it', async () => {
    const { verdict, failed, reasonOf } = await verifyGpu({ policy: { gpuMeasurements: 'published' } });
    expect({ verdict, failed }).toEqual({ verdict: 'could-not-check', failed: [] });
    expect(reasonOf('driver-rim-format')).toBe('no manifest was given');
  });

  it.each<[string, string, GpuCase]>([
    ['a report that answers another nonce', 'gpu-nonce', { nonce: new Uint8Array(32).fill(9) }],
    ['developer tools', 'gpu', { state: { ...confidentialGpu, developerTools: true } }],
    ['confidential computing that is off', 'gpu', { state: { ...confidentialGpu, confidentialCompute: false } }],
    ['a GPU that was not there at the start', 'gpu', { state: { ...confidentialGpu, gpus: [] } }],
    ['one GPU that answers for two', 'gpu', { state: { ...confidentialGpu, gpus: [{}, {}] }, copies: 2 }],
  ])('refuses %s', async (_, id, change) => {
    expect(await verifyGpu(change)).toMatchObject({ verdict: 'not-verified', failed: [id] });
  });
});
