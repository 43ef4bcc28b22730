/** Minimum versions of a GPU's driver and VBIOS, checked on a server's evidence. */
import { describe, expect, it } from 'vitest';
import { checkDevices } from '../../attestation/client/check-gpus.ts';
import { verifyDeviceEvidence } from '../../attestation/gpu/verify-gpu.ts';
import { isVersionBelow } from '../../attestation/gpu/version-floor.ts';
import type { EvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { buildGpuEvidence, gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import { fieldsBut, newestFields } from '../support/attestation/gpu-reference.ts';

const nonce = new Uint8Array(32).fill(7);

/** A GPU with driver 570.1.2 and VBIOS 96.00.5E.00.01, unless its fields state others. */
async function judge(wants: Partial<EvidencePolicy>, { fields = newestFields, isForged = false } = {}) {
  const gpu = buildGpuEvidence({ report: { nonce: isForged ? new Uint8Array(32) : nonce, fields } });
  const policy: EvidencePolicy = { measurements: 'any', gpuMeasurements: 'any', ...wants };
  const trust = { policy, nowMs: gpuNowMs };
  const expected = { anchors: [parseCertificate(gpu.authorities.root)], nonce, nowMs: gpuNowMs };
  const { checks } = await checkDevices(await verifyDeviceEvidence({ gpus: [gpu], switches: [] }, expected), trust);
  return checks.filter(({ id }) => id.endsWith('-floor')).map(({ id, outcome, required }) => [id, outcome, required]);
}

describe('minimum versions of a GPU', () => {
  it.each([
    ['570.1.2', 'pass'],
    ['570.1', 'pass'],
    ['560.99.99', 'pass'],
    ['570.1.2.0', 'pass'],
    ['570.1.10', 'fail'],
    ['570.1.2.1', 'fail'],
    ['580', 'fail'],
  ])('compares driver 570.1.2 with the floor %s, number by number: %s', async (gpuDriverMin, outcome) => {
    expect(await judge({ gpuDriverMin })).toEqual([['gpu-driver-floor', outcome, true]]);
  });

  it.each([
    ['96.00.5E.00.01', 'pass'],
    ['96.00.5d.ff.ff', 'pass'],
    ['92.00.FF', 'pass'],
    ['96.00.5E.00.0A', 'fail'],
    ['96.00.9F', 'fail'],
    ['97', 'fail'],
  ])('compares VBIOS 96.00.5E.00.01 with the floor %s, in hexadecimal: %s', async (gpuVbiosMin, outcome) => {
    expect(await judge({ gpuVbiosMin })).toEqual([['gpu-vbios-floor', outcome, true]]);
  });

  it('has no check without a minimum in the policy', async () => {
    expect(await judge({})).toEqual([]);
  });

  it('rejects a report without a version, and cannot check one that is not authentic', async () => {
    const floors = { gpuDriverMin: '1', gpuVbiosMin: '1' };
    const nameless = await judge(floors, { fields: fieldsBut(3).filter(([id]) => id !== 6) });
    expect(nameless.map(([, outcome]) => outcome)).toEqual(['fail', 'fail']);
    const forged = await judge(floors, { isForged: true });
    expect(forged).toEqual([
      ['gpu-driver-floor', 'not-checked', true],
      ['gpu-vbios-floor', 'not-checked', true],
    ]);
  });

  it('orders versions as numbers, not as text', () => {
    expect(isVersionBelow('9.0', '10', 10)).toBe(true);
    expect(isVersionBelow('10', '9.9.9', 10)).toBe(false);
    expect(isVersionBelow('96.0A', '96.10', 16)).toBe(true);
  });
});
