/** GPU reports: parsing, and each check of `verifyGpuEvidence` with the one fault that makes it fail. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../attestation/base/bytes.ts';
import { AttestationError } from '../../attestation/base/errors.ts';
import { firmwareIdsOf } from '../../attestation/gpu/dice-firmware.ts';
import { type GpuCheckId, gpuChecks } from '../../attestation/gpu/gpu-check-table.ts';
import { driverVersionOf, gpuField, gpuReportBytesMax, parseGpuReport } from '../../attestation/gpu/gpu-report.ts';
import { verifyGpuEvidence } from '../../attestation/gpu/verify-gpu.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import {
  buildGpuEvidence,
  compositeDevice,
  type GpuChange,
  gpuFirmware,
  gpuNonce,
  gpuNowMs,
  tcbInfo,
  type WrittenReport,
  writeGpuReport,
} from '../support/attestation/gpu-evidence.ts';
import { hasVectors, vectorsNote, vectorText } from '../support/vectors.ts';

const value = new Uint8Array(48);
const signature = new Uint8Array(96).fill(3);
const signed = (report: WrittenReport = {}) => Uint8Array.from([...writeGpuReport(report), ...signature]);
const outcomes = (checks: readonly { id: string; outcome: string }[], outcome: string) =>
  checks.filter((check) => check.outcome === outcome).map((check) => check.id);

describe('parseGpuReport', () => {
  it('returns nonces, measurements, fields, signed bytes and signature', () => {
    const report = parseGpuReport(signed());
    expect(report.requestNonce).toEqual(gpuNonce);
    expect(report.responseNonce).toEqual(new Uint8Array(32));
    expect(report.measurements.map(({ index, type }) => [index, type])).toEqual([
      [1, 1],
      [2, 1],
      [5, 1],
    ]);
    expect(report.fields.get(gpuField.firmwareId)).toEqual(gpuFirmware);
    expect(driverVersionOf(report)).toBe('570.1.2');
    expect([report.signedBytes, report.signature]).toEqual([writeGpuReport(), signature]);
  });

  it('has no driver version if the report has none or a malformed one', () => {
    expect(driverVersionOf(parseGpuReport(signed({ fields: [] })))).toBeUndefined();
    expect(driverVersionOf(parseGpuReport(signed({ fields: [[3, Uint8Array.of(27, 91)]] })))).toBeUndefined();
  });

  it.each<[string, RegExp, WrittenReport]>([
    ['another SPDM version in the request', /request of SPDM version 0x12/, { requestHeader: [0x12, 0xe0, 1, 255] }],
    ['another SPDM version in the response', /response of SPDM version 0x10/, { responseHeader: [0x10, 0x60, 0, 0] }],
    ['another request', /request with code 0xe1/, { requestHeader: [0x11, 0xe1, 1, 255] }],
    ['an error as response', /response with code 0x7f/, { responseHeader: [0x11, 0x7f, 0, 0] }],
    ['a request for no signature', /asks for no signature/, { requestHeader: [0x11, 0xe0, 0, 255] }],
    ['a request for one measurement', /not ask for all measurements/, { requestHeader: [0x11, 0xe0, 1, 3] }],
    ['fewer measurements than its count', /inside measurement header/, { blocks: 4 }],
    ['more measurements than its count', /after its measurements/, { blocks: 2 }],
    [
      'a measurement twice',
      /measurement 1 after 1/,
      {
        measurements: [
          { index: 1, value },
          { index: 1, value },
        ],
      },
    ],
    ['measurement 0', /measurement 0 after 0/, { measurements: [{ index: 0, value }] }],
    ['an unknown specification', /specification 2/, { measurements: [{ index: 1, specification: 2, value }] }],
    [
      'a measurement with a tail',
      /2 bytes after the value of measurement 1/,
      { measurements: [{ index: 1, value, extra: 2 }] },
    ],
    [
      'a field twice',
      /field 3 twice/,
      {
        fields: [
          [3, value],
          [3, value],
        ],
      },
    ],
  ])('rejects a report with %s', (_, reason, report) => {
    const parse = () => parseGpuReport(signed(report));
    expect(parse).toThrow(reason);
    expect(parse).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });

  it('rejects truncated, trailing and too many bytes', () => {
    const report = signed();
    for (let length = 0; length < report.length; length++) {
      expect(() => parseGpuReport(report.subarray(0, length))).toThrow(AttestationError);
    }
    expect(() => parseGpuReport(Uint8Array.from([...report, 0]))).toThrow(/followed by 1 bytes/);
    expect(() => parseGpuReport(new Uint8Array(gpuReportBytesMax + 1))).toThrow(/at most/);
  });
});

describe('verifyGpuEvidence', () => {
  it('passes every check of authentic evidence', async () => {
    const { root, ...evidence } = buildGpuEvidence();
    const result = await verifyGpuEvidence(evidence, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
    expect(outcomes(result.checks, 'pass')).toEqual(Object.keys(gpuChecks));
    expect(result.authentic).toBe(true);
    expect(result.report).toEqual(parseGpuReport(evidence.report));
  });

  it.each<[string, GpuCheckId, RegExp, GpuChange]>([
    ['a report of another format', 'gpu-report-format', /code 0x7f/, { report: { responseHeader: [17, 127, 0, 0] } }],
    ['an expired certificate', 'gpu-chain-dates', /expired/, { notAfterMs: gpuNowMs - 1000 }],
    ['a foreign signature', 'gpu-report-signature', /signature is invalid/, { isForeignKey: true }],
    ['another nonce', 'gpu-nonce', /expected 0707/, { report: { nonce: new Uint8Array(32) } }],
    ['other firmware', 'gpu-firmware', /the report names firmware 0909/, { dice: compositeDevice(value) }],
    ['no certified firmware', 'gpu-firmware', /names no firmware/, { dice: 'none' }],
    ['a damaged DICE extension', 'gpu-firmware', /DICE extension/, { dice: Uint8Array.of(1, 2, 3) }],
  ])('rejects %s', async (_, id, reason, change) => {
    const { root, ...evidence } = buildGpuEvidence(change);
    const result = await verifyGpuEvidence(evidence, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
    expect(outcomes(result.checks, 'fail')).toEqual([id]);
    expect(result.checks.find((check) => check.id === id)?.reason).toMatch(reason);
    expect(result.authentic).toBe(false);
  });

  it('rejects a chain to an untrusted root, and then checks no signature', async () => {
    const { root: _, ...evidence } = buildGpuEvidence();
    const anchors = [buildGpuEvidence().root];
    const result = await verifyGpuEvidence(evidence, { anchors: [], nonce: gpuNonce, nowMs: gpuNowMs });
    expect(outcomes(result.checks, 'fail')).toEqual(['gpu-chain']);
    expect(outcomes(result.checks, 'not-checked')).toContain('gpu-report-signature');
    const other = await verifyGpuEvidence(evidence, { anchors, nonce: gpuNonce, nowMs: gpuNowMs });
    expect(outcomes(other.checks, 'fail')).toEqual(['gpu-chain']);
  });

  it('rejects a chain that is not PEM text', async () => {
    const { root, report } = buildGpuEvidence();
    const expectations = { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs };
    const { checks, authentic } = await verifyGpuEvidence({ report, chainPem: 'nothing' }, expectations);
    expect([outcomes(checks, 'fail'), authentic]).toEqual([['gpu-certificates'], false]);
  });

  it('accepts the newer form of the firmware extension, and reports without a firmware digest', async () => {
    for (const change of [{ dice: tcbInfo(value, gpuFirmware) }, { report: { fields: [] } }]) {
      const { root, ...evidence } = buildGpuEvidence(change);
      const result = await verifyGpuEvidence(evidence, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
      expect(result.authentic).toBe(true);
    }
  });

  it('accepts Blackwell’s firmware list, which ends with zeros', async () => {
    const dice = tcbInfo(gpuFirmware, new Uint8Array(48));
    const judge = async (change: GpuChange) => {
      const { root, ...evidence } = buildGpuEvidence({ dice, diceOid: '2.23.133.5.4.1.1', ...change });
      return verifyGpuEvidence(evidence, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
    };
    expect((await judge({})).authentic).toBe(true);
    const zeros = await judge({ report: { fields: [[20, new Uint8Array(48)]] } });
    expect(outcomes(zeros.checks, 'fail')).toEqual(['gpu-firmware']);
  });

  it('accepts no changed bit, and never throws', async () => {
    const { root, ...evidence } = buildGpuEvidence();
    const bits = fc.nat(8 * evidence.report.length - 1);
    await fc.assert(
      fc.asyncProperty(bits, async (bit) => {
        const report = Uint8Array.from(evidence.report);
        report[bit >> 3]! ^= 1 << (bit & 7);
        const changed = { report, chainPem: evidence.chainPem };
        const result = await verifyGpuEvidence(changed, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
        expect(result.authentic).toBe(false);
        expect(result.checks.filter(({ reason }) => reason.startsWith('defect'))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('throws for invalid expectations', async () => {
    const { root, ...evidence } = buildGpuEvidence();
    const good = { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs };
    await expect(verifyGpuEvidence(evidence, { ...good, nonce: new Uint8Array() })).rejects.toThrow(TypeError);
    await expect(verifyGpuEvidence(evidence, { ...good, nowMs: Number.NaN })).rejects.toThrow(TypeError);
  });
});

it('parseGpuReport returns, or throws its error code, for hostile bytes', () => {
  const good = signed();
  const edits = fc.array(fc.record({ at: fc.nat(good.length - 1), value: fc.nat(255) }), {
    minLength: 1,
    maxLength: 4,
  });
  const damaged = edits.map((list) => {
    const bytes = Uint8Array.from(good);
    for (const edit of list) bytes[edit.at] = edit.value;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      try {
        parseGpuReport(bytes);
      } catch (error) {
        if (!(error instanceof AttestationError) || error.code !== 'ERR_EVIDENCE_MALFORMED') throw error;
      }
    }),
    { numRuns: 1000 },
  );
});

describe.skipIf(!hasVectors)(`a real Hopper report${vectorsNote}`, () => {
  const folder = 'gpu-nvidia-attestation-sdk';
  const reportOf = (file: string) => fromHex(vectorText(`${folder}/${file}`).trim())!;
  const nowMs = Date.UTC(2026, 0, 1);

  async function verifyFile(file: string) {
    const report = reportOf(file);
    const chainPem = vectorText(`${folder}/hopperCertChain.txt`);
    const root = parseCertificate(parsePemChain(chainPem, 'chain').at(-1)!);
    return verifyGpuEvidence({ report, chainPem }, { anchors: [root], nonce: report.subarray(4, 36), nowMs });
  }

  it('is authentic: signature, chain to the root of the chain file, nonce', async () => {
    const { authentic, checks, report } = await verifyFile('hopperAttestationReport.txt');
    expect(outcomes(checks, 'pass')).toEqual(Object.keys(gpuChecks));
    expect([authentic, driverVersionOf(report!), report?.measurements.length]).toEqual([true, '535.86.09', 64]);
    expect([...report!.fields.keys()]).toEqual([6, 14, 15, 16, 17, 18, 19, 3, 4, 12, 13, 11]);
  });

  it('is rejected with a bad signature, and for its firmware, which the certificate does not name', async () => {
    const { authentic, checks } = await verifyFile('hopperAttestationReportInvalidSignature.txt');
    expect([authentic, outcomes(checks, 'fail')]).toEqual([false, ['gpu-report-signature', 'gpu-firmware']]);
  });

  it("has the firmware in its certificate's DICE extension", () => {
    const leaf = parseCertificate(parsePemChain(vectorText(`${folder}/hopperCertChain.txt`), 'chain')[0]!);
    expect(firmwareIdsOf(leaf).map(toHex)).toEqual([expect.stringMatching(/^faa77bfb.*8724f76$/)]);
  });

  it('has the form of the published parsed report: its fields round-trip', () => {
    const published = JSON.parse(vectorText(`${folder}/spdm_parsed_output.json`));
    const bytes = (digits: string) => fromHex(digits.slice(2))!;
    const blocks: [string, { DMTFSpecMeasurementValueType: number; DMTFSpecMeasurementValue: string }][] =
      Object.entries(published.MeasurementRecord.MeasurementBlocks);
    const measurements = blocks.map(([index, block]) => ({
      index: Number(index),
      type: block.DMTFSpecMeasurementValueType,
      value: bytes(block.DMTFSpecMeasurementValue),
    }));
    const responseNonce = bytes(published.Nonce);
    const written = writeGpuReport({ measurements, responseNonce, fields: [] });
    const report = parseGpuReport(Uint8Array.from([...written, ...bytes(published.Signature)]));
    expect(report.measurements).toEqual(measurements);
    expect([report.responseNonce, report.signature]).toEqual([responseNonce, bytes(published.Signature)]);
    const recordBytes = written.length - 37 - 8 - 32 - 2;
    expect([report.measurements.length, recordBytes]).toEqual([
      published.NumberOfBlocks,
      published.MeasurementRecordLength,
    ]);
  });
});
