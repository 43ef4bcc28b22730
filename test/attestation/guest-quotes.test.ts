/** Quotes of a real TD, with a kernel that reproduces the observed behaviour of a real one. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guestPaths, linuxKernel } from '../../attestation/guest/kernel.ts';
import { openTdxPlatform } from '../../attestation/guest/tdx-platform.ts';
import { readTsmQuote, tsmTriesMax } from '../../attestation/guest/tsm-report.ts';
import { parseQuote } from '../../attestation/index.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { FakeTdxKernel } from '../support/attestation/fake-tdx-kernel.ts';

const hardware = await createSimulatedPlatform(Date.UTC(2026, 5, 15));
const zero = new Uint8Array(48);
const reportData = new Uint8Array(64).fill(7);
const other = new Uint8Array(64).fill(8);

async function td() {
  const kernel = new FakeTdxKernel((data, rtmr3) => hardware.quote(data, { rtmrs: [zero, zero, zero, rtmr3] }));
  const pauses: number[] = [];
  const wait = async (ms: number) => void pauses.push(ms);
  const platform = await openTdxPlatform(kernel, { wait });
  return { kernel, platform, pauses };
}

function repeat(name: string, code: string, times: number) {
  return Array.from({ length: times }, () => ({ name, code }));
}

describe('a quote through configfs-tsm', () => {
  it('contains the requested report data', async () => {
    const { platform } = await td();
    expect(parseQuote(await platform.quote(reportData)).body.reportData).toEqual(reportData);
  });

  it('removes its configfs entry', async () => {
    const { kernel, platform } = await td();
    await platform.quote(reportData);
    kernel.failures.push({ name: 'outblob', code: 'EIO' });
    await expect(platform.quote(reportData)).rejects.toThrow();
    expect(kernel.reports.size).toBe(0);
  });

  it('is returned even if its entry cannot be removed', async () => {
    const { kernel, platform } = await td();
    kernel.failures.push({ name: 'rmdir', code: 'EBUSY' });
    expect(parseQuote(await platform.quote(reportData)).body.reportData).toEqual(reportData);
  });

  it('is retried if another process wrote other report data', async () => {
    const { kernel, platform } = await td();
    let disturbances = 0;
    kernel.meanwhile = (report) => {
      if (disturbances++ > 0) return;
      report.inblob = other;
      report.generation++;
    };
    expect(parseQuote(await platform.quote(reportData)).body.reportData).toEqual(reportData);
    expect(kernel.quotesMade).toBe(2);
  });

  it('is retried if the generation changed after the quote was read', async () => {
    const { kernel, platform } = await td();
    const read = kernel.read.bind(kernel);
    let disturbances = 0;
    kernel.read = async (path) => {
      const bytes = await read(path);
      if (path.endsWith('outblob') && disturbances++ === 0)
        for (const report of kernel.reports.values()) report.generation++;
      return bytes;
    };
    await platform.quote(reportData);
    expect(kernel.quotesMade).toBe(2);
  });

  it.each(['EINTR', 'EBUSY', 'EAGAIN'])('is retried after %s with exponential backoff', async (code) => {
    const { kernel, platform, pauses } = await td();
    kernel.failures.push(...repeat('outblob', code, 3));
    expect(parseQuote(await platform.quote(reportData)).body.reportData).toEqual(reportData);
    expect(pauses).toEqual([50, 100, 200]);
  });

  it('fails if the driver stays busy', async () => {
    const { kernel, platform, pauses } = await td();
    kernel.failures.push(...repeat('outblob', 'EBUSY', tsmTriesMax));
    await expect(platform.quote(reportData)).rejects.toMatchObject({ code: 'ERR_QUOTE_BUSY' });
    expect(pauses).toHaveLength(tsmTriesMax - 1);
  });
});

describe('errors of configfs-tsm have a code', () => {
  it.each([
    ['mkdir', 'ENXIO', 'ERR_TDX_DEVICE_MISSING'],
    ['mkdir', 'ENOENT', 'ERR_TDX_DEVICE_MISSING'],
    ['mkdir', 'ENODEV', 'ERR_TDX_DEVICE_MISSING'],
    ['mkdir', 'EACCES', 'ERR_TDX_PERMISSION'],
    ['mkdir', 'EPERM', 'ERR_TDX_PERMISSION'],
    ['mkdir', 'EROFS', 'ERR_TDX_PERMISSION'],
    ['inblob', 'EACCES', 'ERR_TDX_PERMISSION'],
    ['outblob', 'EACCES', 'ERR_TDX_PERMISSION'],
    ['outblob', 'ETIMEDOUT', 'ERR_QUOTE_TIMEOUT'],
    ['outblob', 'EIO', 'ERR_QUOTE_SERVICE_UNREACHABLE'],
    ['outblob', 'EINVAL', 'ERR_TDX_FAILED'],
    ['outblob', 'EFBIG', 'ERR_TDX_FAILED'],
    ['provider', 'EACCES', 'ERR_TDX_PERMISSION'],
  ])('%s answers %s: %s', async (name, code, expected) => {
    const { kernel, platform } = await td();
    kernel.failures.push({ name, code });
    await expect(platform.quote(reportData)).rejects.toMatchObject({ name: 'AttestationError', code: expected });
  });

  it('an empty quote: the host has no quote service', async () => {
    const { kernel, platform } = await td();
    Object.assign(kernel, { makeQuote: async () => new Uint8Array() });
    await expect(platform.quote(reportData)).rejects.toMatchObject({ code: 'ERR_QUOTE_SERVICE_UNREACHABLE' });
  });

  it('another kind of confidential machine', async () => {
    const { kernel, platform } = await td();
    kernel.provider = 'sev_guest\n';
    await expect(platform.quote(reportData)).rejects.toMatchObject({ code: 'ERR_TDX_DEVICE_MISSING' });
  });

  it('a quote with other report data', async () => {
    const { kernel, platform } = await td();
    Object.assign(kernel, { makeQuote: () => hardware.quote(other) });
    await expect(platform.quote(reportData)).rejects.toMatchObject({ code: 'ERR_TDX_FAILED' });
  });

  it('malformed quotes', async () => {
    const { kernel, platform } = await td();
    Object.assign(kernel, { makeQuote: async () => (await hardware.quote(reportData)).slice(0, 700) });
    await expect(platform.quote(reportData)).rejects.toMatchObject({ code: 'ERR_QUOTE_MALFORMED' });
  });

  it('report data without 64 bytes is a RangeError', async () => {
    const { platform } = await td();
    await expect(platform.quote(new Uint8Array(63))).rejects.toThrow(RangeError);
  });
});

const hasConfigfs = existsSync(guestPaths.reports);
describe.skipIf(!hasConfigfs)(
  `this kernel’s configfs-tsm${hasConfigfs ? '' : ' (skipped: it is not mounted here)'}`,
  () => {
    it('returns a quote or fails with a code', async () => {
      const options = { kernel: linuxKernel, reports: guestPaths.reports, wait: async () => undefined };
      const quote = await readTsmQuote(reportData, { ...options, signal: new AbortController().signal }).catch(
        (error: { code: string }) => error,
      );
      if (quote instanceof Uint8Array) expect(parseQuote(quote).body.reportData).toEqual(reportData);
      else expect(quote.code).toMatch(/^ERR_/);
    });
  },
);
