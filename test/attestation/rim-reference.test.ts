/** Whether an authentic GPU is acceptable: manifests, measurements, modes and revocation, with one fault at a time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../attestation/base/bytes.ts';
import { gpuReferenceChecks } from '../../attestation/gpu/gpu-reference-check-table.ts';
import { parseGpuReport } from '../../attestation/gpu/gpu-report.ts';
import { gpuModeOf, manifestNamesOf, vbiosVersionOf } from '../../attestation/gpu/gpu-state.ts';
import { nvidiaDeviceRootCa, nvidiaManifestRootCa } from '../../attestation/gpu/nvidia-roots.ts';
import { verifyGpuEvidence } from '../../attestation/gpu/verify-gpu.ts';
import { verifyGpuReference } from '../../attestation/gpu/verify-reference.ts';
import type { Check, Outcome } from '../../attestation/verify/checks.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { gpuNowMs, writeGpuReport } from '../support/attestation/gpu-evidence.ts';
import {
  buildReference,
  driverIndices,
  fieldsBut,
  golden,
  measured,
  type ReferenceChange,
} from '../support/attestation/gpu-reference.ts';
import { gpuStateCases, manifestCases } from '../support/attestation/gpu-reference-cases.ts';
import { hasVectors, vectorBytes, vectorsNote, vectorText } from '../support/vectors.ts';

const dayMs = 86_400_000;
const u16 = (value: number) => Uint8Array.of(value & 0xff, value >> 8);
const withIndex = (check: Check) => check.id;
const outcomes = (checks: readonly Check[], outcome: Outcome) =>
  checks.filter((check) => check.outcome === outcome).map(withIndex);

async function judge(change: ReferenceChange = {}) {
  const { gpu, reference, expectations } = await buildReference(change);
  return verifyGpuReference(gpu, reference, expectations);
}

describe('verifyGpuReference', () => {
  it('passes every check of a GPU with the published measurements', async () => {
    const { verdict, checks } = await judge();
    expect(outcomes(checks, 'pass')).toEqual(Object.keys(gpuReferenceChecks));
    expect(verdict).toBe('verified');
  });

  it.each([...manifestCases, ...gpuStateCases])('rejects %s', async (_, id, reason, change) => {
    const { verdict, checks } = await judge(change);
    expect(outcomes(checks, 'fail')).toEqual([id]);
    expect(checks.find((check) => check.id === id)?.reason).toMatch(reason);
    expect(verdict).toBe('not-verified');
  });

  it('rejects both manifests if their signer has expired or is revoked', async () => {
    const expired = await judge({ signerNotAfterMs: gpuNowMs - 1000 });
    expect(outcomes(expired.checks, 'fail')).toEqual(['driver-rim-chain-dates', 'vbios-rim-chain-dates']);
    const revoked = await judge({ rimAnswer: { status: 'revoked' } });
    expect(outcomes(revoked.checks, 'fail')).toEqual(['driver-rim-not-revoked', 'vbios-rim-not-revoked']);
    expect([expired.verdict, revoked.verdict]).toEqual(['not-verified', 'not-verified']);
  });

  it('has a case for every check but that of developer tools, which follows from the measurements', () => {
    const together = [
      'driver-rim-chain-dates',
      'vbios-rim-chain-dates',
      'driver-rim-not-revoked',
      'vbios-rim-not-revoked',
    ];
    const covered = new Set<string>([...[...manifestCases, ...gpuStateCases].map(([, id]) => id), ...together]);
    expect(Object.keys(gpuReferenceChecks).filter((id) => !covered.has(id))).toEqual(['gpu-developer-tools']);
  });

  it('fails every revocation check if a response is malformed or missing', async () => {
    const { responses } = await buildReference();
    const damaged = await judge({ reference: { ocspResponses: [responses[0]!.subarray(1)] } });
    expect(outcomes(damaged.checks, 'fail')).toHaveLength(3);
    const many = await judge({ reference: { ocspResponses: new Array<Uint8Array>(65).fill(responses[0]!) } });
    expect(many.checks[0]!.reason).toMatch(/65 OCSP responses were given, at most 64/);
    const { gpu, reference, expectations } = await buildReference();
    const some = await verifyGpuReference(
      gpu,
      { ...reference, ocspResponses: reference.ocspResponses!.slice(1) },
      expectations,
    );
    expect(outcomes(some.checks, 'fail')).toEqual(['gpu-not-revoked']);
    expect(some.checks[0]!.reason).toMatch(/no OCSP response is for "GH100 A01 GSP BROM"/);
  });

  it('reports checks without their input as not checked', async () => {
    const { verdict, checks } = await judge({ reference: { driverRim: undefined, ocspResponses: undefined } });
    expect(verdict).toBe('could-not-check');
    const reasons = new Map(checks.map(({ id, outcome, reason }) => [id, `${outcome}: ${reason}`]));
    expect(reasons.get('gpu-not-revoked')).toBe('not-checked: no OCSP responses were given');
    expect(reasons.get('driver-rim-format')).toBe('not-checked: no manifest was given');
    expect(reasons.get('vbios-rim-signature')).toBe('pass: it holds');
    expect(reasons.get('gpu-developer-tools')).toMatch(/not-checked: it depends on "gpu-measurements"/);
  });

  it('skips the revocation check of a chain without a responder', async () => {
    const { verdict, checks } = await judge({ gpu: { hasResponder: false } });
    expect([verdict, checks[0]!.outcome]).toEqual(['could-not-check', 'not-checked']);
    expect(checks[0]!.reason).toMatch(/names an OCSP responder/);
  });

  it('rejects a report without a mode from a driver with several modes, unless the caller waives it', async () => {
    const gpu = { report: { fields: fieldsBut(34) } };
    const strict = await judge({ gpu });
    expect([strict.verdict, outcomes(strict.checks, 'fail')]).toEqual(['not-verified', ['gpu-mode']]);
    expect(strict.checks.find(({ id }) => id === 'gpu-mode')?.reason).toMatch(
      /570\.1\.2 .* GH100: driver R590 or later/,
    );
    const waived = await judge({ gpu, expectations: { modes: 'any' } });
    expect(waived.verdict).toBe('verified');
  });

  it('accepts any published value, a delegated responder, and responses of the last day', async () => {
    const values = [golden(8), golden(3)];
    const driver = {
      measurements: driverIndices.map((index) => ({ index, values: index === 3 ? values : [golden(index)] })),
    };
    expect((await judge({ driver })).verdict).toBe('verified');
    expect((await judge({ responder: 'charged' })).verdict).toBe('verified');
    const { gpu, reference, expectations } = await buildReference({
      gpuAnswer: { thisUpdateMs: gpuNowMs - dayMs / 2, nextUpdateMs: undefined as unknown as number },
    });
    expect((await verifyGpuReference(gpu, reference, expectations)).verdict).toBe('verified');
  });

  it('does not compare the video decoder of a GPU without one', async () => {
    const fields = fieldsBut(11, Uint8Array.of(0x55));
    const { verdict, checks } = await judge({
      gpu: { report: { fields, measurements: measured.filter(({ index }) => index !== 36) } },
    });
    expect(verdict).toBe('verified');
    expect(checks.find(({ id }) => id === 'gpu-measurements')?.reason).toBe('4 measurements match the manifest');
  });

  it('accepts nothing of a GPU that is not authentic', async () => {
    const { verdict, checks } = await judge({ gpu: { isForeignKey: true } });
    expect(verdict).toBe('not-verified');
    expect(outcomes(checks, 'pass').filter((id) => !id.includes('-rim-'))).toEqual([]);
  });

  it('accepts no manifest with a changed bit, and never throws', async () => {
    const { gpu, reference, expectations } = await buildReference();
    const file = reference.driverRim!;
    const signatureAt = new TextDecoder().decode(file).indexOf('<ds:KeyInfo>');
    await fc.assert(
      fc.asyncProperty(fc.nat(8 * file.length - 1), async (bit) => {
        const driverRim = Uint8Array.from(file);
        driverRim[bit >> 3]! ^= 1 << (bit & 7);
        const { verdict, checks } = await verifyGpuReference(gpu, { ...reference, driverRim }, expectations);
        // The signature does not cover the certificates, and base64 may contain white space.
        if (bit >> 3 < signatureAt) expect(verdict === 'verified' && !isSpace(driverRim[bit >> 3]!)).toBe(false);
        expect(checks.filter(({ reason }) => reason.startsWith('defect'))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('throws for an invalid time', async () => {
    const { gpu, reference, expectations } = await buildReference();
    await expect(verifyGpuReference(gpu, reference, { ...expectations, nowMs: Number.NaN })).rejects.toThrow(TypeError);
  });
});

function isSpace(byte: number): boolean {
  return [9, 10, 13, 32].includes(byte);
}

describe('versions and modes in a report', () => {
  const word = (value: string) => new TextEncoder().encode(`${value}\0\0`);
  const reportWith = (...fields: readonly (readonly [number, Uint8Array])[]) =>
    parseGpuReport(Uint8Array.from([...writeGpuReport({ fields }), ...new Uint8Array(96)]));

  it('names the manifests of Blackwell by its chip', () => {
    const fields = [
      [3, word('575.32')],
      [6, Uint8Array.of(0x00, 0x88, 0x00, 0x97, 0x0f, 0, 0, 0)],
      [15, word('886')],
      [17, word('G525')],
      [18, word('0220')],
    ] as const;
    const vbios = 'NV_GPU_VBIOS_G525_0220_886_970088000F';
    expect(manifestNamesOf(reportWith(...fields), 'GB100')).toEqual({ driver: 'NV_GPU_CC_DRIVER_GB100_575.32', vbios });
    const newer = reportWith(...fields, [35, word('GB202')]);
    expect(manifestNamesOf(newer, 'GB100')).toEqual({ driver: 'NV_GPU_CC_DRIVER_GB202_575.32', vbios });
  });

  it('names no manifest for malformed versions or boards', () => {
    const odd = reportWith([3, word('../x')], [6, Uint8Array.of(1, 2)], [15, word('a/b')]);
    expect(manifestNamesOf(odd, 'GB100')).toEqual({ driver: undefined, vbios: undefined });
  });

  it.each([
    [0, 'multi'],
    [1, 'single'],
    [2, 'ppcie'],
  ])('calls mode %i %s', (flag, mode) => {
    expect(gpuModeOf(reportWith([34, u16(1)], [36, u16(flag)]), 'GH100')).toBe(mode);
  });

  it.each([
    ['GH100', '535.86.09', undefined, 'single'],
    ['GH100', '570.1.2', 0x55, 'single'],
    ['GH100', '570.1.2', 0xaa, 'ppcie'],
    ['GH100', '570.1.2', undefined, undefined],
    ['GB100', '575.32', undefined, 'single'],
    ['GB202', '580.65.06', 0x55, 'single'],
    ['GB100', '590.12', undefined, undefined],
    ['GR100', '535.1', undefined, undefined],
  ])('of an older report of %s with driver %s and protected PCIe %s, finds %s', (chip, driver, status, mode) => {
    const fields = [[3, word(driver)], ...(status === undefined ? [] : [[21, Uint8Array.of(status)]])];
    expect(gpuModeOf(reportWith(...(fields as [number, Uint8Array][])), chip)).toBe(mode);
  });

  it('rejects a protected PCIe status that is neither on nor off', () => {
    expect(() => gpuModeOf(reportWith([21, Uint8Array.of(1)]), 'GH100')).toThrow(/unknown status 1 for protected PCIe/);
  });

  it('rejects a mode in nine bytes', () => {
    expect(() => gpuModeOf(reportWith([34, new Uint8Array(9)]), 'GH100')).toThrow(/9 bytes in field 34/);
  });
});

describe.skipIf(!hasVectors)(`a real Hopper report and driver manifest${vectorsNote}`, () => {
  const folder = 'gpu-nvidia-attestation-sdk';

  async function judgeReal(driverRim: Uint8Array) {
    const report = fromHex(vectorText(`${folder}/hopperAttestationReport.txt`).trim())!;
    const nowMs = Date.UTC(2026, 0, 1);
    const chainPem = vectorText(`${folder}/hopperCertChain.txt`);
    const anchors = [parseCertificate(nvidiaDeviceRootCa)];
    const gpu = await verifyGpuEvidence({ report, chainPem }, { anchors, nonce: report.subarray(4, 36), nowMs });
    const rimAnchors = [parseCertificate(nvidiaManifestRootCa)];
    return { gpu, ...(await verifyGpuReference(gpu, { driverRim }, { rimAnchors, modes: 'any', nowMs })) };
  }

  it("chain to NVIDIA's root; the manifest is genuine, but for another driver", async () => {
    const { gpu, checks, verdict } = await judgeReal(vectorBytes(`${folder}/NV_GPU_DRIVER_GH100_550.144.03.xml`));
    expect(gpu.authentic).toBe(true);
    expect(outcomes(checks, 'pass')).toEqual([
      'gpu-mode',
      'driver-rim-format',
      'driver-rim-chain',
      'driver-rim-chain-dates',
      'driver-rim-signature',
    ]);
    expect(outcomes(checks, 'fail')).toEqual(['driver-rim-version']);
    expect(verdict).toBe('not-verified');
  });

  it('is rejected together with the manifest with the incorrect signature', async () => {
    const { checks } = await judgeReal(vectorBytes(`${folder}/incorrect_signature_driver_rim.xml`));
    expect(outcomes(checks, 'fail')).toEqual(['driver-rim-signature']);
  });

  it("names its firmware in NVIDIA's notation, and is in the only mode that its driver supports", () => {
    const report = parseGpuReport(fromHex(vectorText(`${folder}/hopperAttestationReport.txt`).trim())!);
    expect([vbiosVersionOf(report), gpuModeOf(report, 'GH100')]).toEqual(['96.00.5E.00.01', 'single']);
    expect(manifestNamesOf(report, 'GH100')).toEqual({
      driver: 'NV_GPU_DRIVER_GH100_535.86.09',
      vbios: 'NV_GPU_VBIOS_1010_0200_882_96005E0001',
    });
  });
});
