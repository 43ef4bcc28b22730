/** Quotes on kernels without configfs-tsm: the device's report is sent to the host's quote service. */
import { describe, expect, it } from 'vitest';
import { guestPaths } from '../../attestation/guest/kernel.ts';
import { encodeQuoteRequest, parseQuoteAnswer } from '../../attestation/guest/quote-service.ts';
import { openTdxPlatform } from '../../attestation/guest/tdx-platform.ts';
import { parseQuote } from '../../attestation/index.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { FakeTdxKernel, systemError } from '../support/attestation/fake-tdx-kernel.ts';

const hardware = await createSimulatedPlatform(Date.UTC(2026, 5, 15));
const reportData = new Uint8Array(64).fill(6);
const unreachable = { code: 'ERR_QUOTE_SERVICE_UNREACHABLE' };

/** A response in the layout of qgs_msg_lib.h, little-endian. */
function answerOf(quote: Uint8Array, change: Partial<Record<'major' | 'type' | 'error' | 'size', number>> = {}) {
  const id = Uint8Array.of(1, 2, 3);
  const answer = Buffer.alloc(24 + id.length + quote.length);
  answer.writeUInt16LE(change.major ?? 1, 0);
  answer.writeUInt32LE(change.type ?? 1, 4);
  answer.writeUInt32LE(change.size ?? answer.length, 8);
  answer.writeUInt32LE(change.error ?? 0, 12);
  answer.writeUInt32LE(id.length, 16);
  answer.writeUInt32LE(quote.length, 20);
  answer.set(id, 24);
  answer.set(quote, 24 + id.length);
  return new Uint8Array(answer);
}

function kernelWithoutConfigfs(): FakeTdxKernel {
  const kernel = new FakeTdxKernel(() => Promise.reject(new Error('there is no configfs')));
  kernel.present.delete(guestPaths.reports);
  kernel.answerMessage = async (message) => answerOf(await hardware.quote(message.slice(24 + 128, 24 + 192)));
  return kernel;
}

describe('a quote without configfs-tsm', () => {
  it("is made by the host's quote service from the device's report", async () => {
    const kernel = kernelWithoutConfigfs();
    const platform = await openTdxPlatform(kernel);
    expect(parseQuote(await platform.quote(reportData)).body.reportData).toEqual(reportData);
    expect(kernel.tdReportsMade).toBe(1);
  });

  it.each([
    ['ERR_TDX_PERMISSION', 'ERR_TDX_PERMISSION'],
    ['ERR_TDX_DEVICE_MISSING', 'ERR_TDX_DEVICE_MISSING'],
    ['ERR_TDX_FAILED', 'ERR_TDX_FAILED'],
  ])("fails with the device's error: %s", async (code, expected) => {
    const kernel = kernelWithoutConfigfs();
    const platform = await openTdxPlatform(kernel);
    kernel.failures.push({ name: 'tdreport', code });
    await expect(platform.quote(reportData)).rejects.toMatchObject({ name: 'AttestationError', code: expected });
  });

  it.each([['ERR_QUOTE_SERVICE_UNREACHABLE'], ['ERR_QUOTE_TIMEOUT']])(
    'fails with what the service’s socket answers: %s',
    async (code) => {
      const kernel = kernelWithoutConfigfs();
      kernel.answerMessage = async () => Promise.reject(systemError(code));
      const platform = await openTdxPlatform(kernel);
      await expect(platform.quote(reportData)).rejects.toMatchObject({ name: 'AttestationError', code });
    },
  );

  it('fails in a TD without either interface', async () => {
    const kernel = kernelWithoutConfigfs();
    kernel.present.delete(guestPaths.device);
    await expect(openTdxPlatform(kernel)).rejects.toMatchObject({ code: 'ERR_TDX_DEVICE_MISSING' });
  });
});

describe('messages of the quote service', () => {
  it('request a quote with a header of 16 bytes, two sizes and the report', () => {
    const report = new Uint8Array(1024).fill(5);
    const request = Buffer.from(encodeQuoteRequest(report));
    expect(request.subarray(0, 24).toString('hex')).toBe('010000000000000018040000000000000004000000000000');
    expect(new Uint8Array(request.subarray(24))).toEqual(report);
  });

  it('require a TDREPORT', () => {
    expect(() => encodeQuoteRequest(new Uint8Array(1023))).toThrow(RangeError);
  });

  it('return the quote after the key id', () => {
    expect(parseQuoteAnswer(answerOf(Uint8Array.of(9, 8, 7)))).toEqual(Uint8Array.of(9, 8, 7));
  });

  it.each([
    ['an error', answerOf(Uint8Array.of(1), { error: 0x12001 })],
    ['another type', answerOf(Uint8Array.of(1), { type: 5 })],
    ['another version', answerOf(Uint8Array.of(1), { major: 2 })],
    ['a size that is not its own', answerOf(Uint8Array.of(1), { size: 10 })],
    ['no quote', answerOf(new Uint8Array())],
    ['nothing', new Uint8Array()],
    ['a quote cut short', answerOf(new Uint8Array(50)).slice(0, 60)],
  ])('are rejected with %s', (_what, answer) => {
    expect(() => parseQuoteAnswer(answer)).toThrow(expect.objectContaining(unreachable));
  });
});
