import { describe, expect, it } from 'vitest';
import { parseTdReport } from '../../attestation/quote/td-report.ts';

/** Fills every field with its own number. */
function report(): Uint8Array {
  const bytes = new Uint8Array(1024);
  bytes.set([0x81, 0, 0, 1]);
  bytes[2] = 1;
  bytes[3] = 0;
  const fields: readonly (readonly [number, number])[] = [
    [16, 16],
    [32, 48],
    [80, 48],
    [128, 64],
    [224, 32],
    [264, 16],
    [280, 48],
    [328, 48],
    [376, 8],
    [384, 16],
    [512, 8],
    [520, 8],
    [528, 48],
    [576, 48],
    [624, 48],
    [672, 48],
    [720, 48],
    [768, 48],
    [816, 48],
    [864, 48],
    [912, 48],
  ];
  for (const [index, [at, length]] of fields.entries()) bytes.fill(index + 1, at, at + length);
  return bytes;
}

describe('parseTdReport', () => {
  it('finds every field at its offset', () => {
    const parsed = parseTdReport(report());
    const { version, rtmrs, ...fields } = parsed;
    expect(version).toBe(1);
    const inOrder = [
      fields.cpuSvn,
      fields.teeTcbInfoHash,
      fields.tdInfoHash,
      fields.reportData,
      fields.mac,
      fields.teeTcbSvn,
      fields.mrSeam,
      fields.mrSignerSeam,
      fields.seamAttributes,
      fields.teeTcbSvn2,
      fields.tdAttributes,
      fields.xfam,
      fields.mrTd,
      fields.mrConfigId,
      fields.mrOwner,
      fields.mrOwnerConfig,
      ...rtmrs,
      fields.serviceTdHash,
    ];
    expect(inOrder.map((bytes) => [...new Set(bytes)])).toEqual(inOrder.map((_, index) => [index + 1]));
  });

  it.each([
    ['another length', (bytes: Uint8Array) => bytes.subarray(1)],
    ['another type', (bytes: Uint8Array) => bytes.with(0, 0)],
    ['an unknown version', (bytes: Uint8Array) => bytes.with(2, 2)],
    ['reserved bytes that are set', (bytes: Uint8Array) => bytes.with(5, 1)],
  ])('rejects %s', (_, change) => {
    const bad = change(report()) as Uint8Array;
    expect(() => parseTdReport(bad)).toThrow(expect.objectContaining({ code: 'ERR_TD_REPORT_MALFORMED' }));
  });
});
