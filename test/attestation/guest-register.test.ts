import { describe, expect, it } from 'vitest';
import { replayStartLog } from '../../attestation/eventlog/start-log.ts';
import { guestPaths } from '../../attestation/guest/kernel.ts';
import { openTdxPlatform } from '../../attestation/guest/tdx-platform.ts';
import { parseQuote } from '../../attestation/index.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { FakeTdxKernel, systemError } from '../support/attestation/fake-tdx-kernel.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../support/vectors.ts';

const hardware = await createSimulatedPlatform(Date.UTC(2026, 5, 15));
const zero = new Uint8Array(48);
const events = ['one', 'two', 'three'].map((name) => ({ name, content: `content of ${name}` }));

async function td() {
  const kernel = new FakeTdxKernel((data, rtmr3) => hardware.quote(data, { rtmrs: [zero, zero, zero, rtmr3] }));
  return { kernel, platform: await openTdxPlatform(kernel) };
}

describe('RTMR3 of a TD', () => {
  it('equals in every quote the replay of the start log', async () => {
    const { platform } = await td();
    for (const event of events) {
      await platform.measure(event);
      const { body } = parseQuote(await platform.quote(new Uint8Array(64)));
      expect(body.rtmrs[3]).toEqual(await replayStartLog(platform.startLog));
    }
    expect(platform.startLog).toEqual(events);
  });

  it('is extended in the order of concurrent calls', async () => {
    const { kernel, platform } = await td();
    await Promise.all(events.map((event) => platform.measure(event)));
    expect(platform.startLog).toEqual(events);
    expect(kernel.rtmr3).toEqual(await replayStartLog(events));
  });

  it('is not extended if something extended it before', async () => {
    const { kernel, platform } = await td();
    kernel.rtmr3 = new Uint8Array(48).fill(1);
    await expect(platform.measure(events[0]!)).rejects.toMatchObject({ code: 'ERR_RTMR_NOT_FRESH' });
    expect(kernel.rtmr3).toEqual(new Uint8Array(48).fill(1));
    expect(platform.startLog).toEqual([]);
  });

  it('fails if another program extends it during the start', async () => {
    const { kernel, platform } = await td();
    await platform.measure(events[0]!);
    kernel.rtmr3 = new Uint8Array(48).fill(1);
    await expect(platform.measure(events[1]!)).rejects.toMatchObject({ code: 'ERR_TDX_FAILED' });
    expect(platform.startLog).toEqual([events[0]]);
  });

  it('fails if a write does not extend it', async () => {
    const { kernel, platform } = await td();
    kernel.write = async () => undefined;
    await expect(platform.measure(events[0]!)).rejects.toMatchObject({ code: 'ERR_TDX_FAILED' });
  });

  it('cannot be extended on kernels before 6.16, which have no file for it', async () => {
    const { kernel, platform } = await td();
    kernel.failures.push({ name: 'rtmr3:sha384', code: 'ENOENT' });
    await expect(platform.measure(events[0]!)).rejects.toMatchObject({ code: 'ERR_RTMR_UNAVAILABLE' });
  });

  it('cannot be extended without permission', async () => {
    const { kernel, platform } = await td();
    kernel.write = async () => Promise.reject(systemError('EACCES'));
    await expect(platform.measure(events[0]!)).rejects.toMatchObject({ code: 'ERR_TDX_PERMISSION' });
  });

  it('is not extended with an invalid event', async () => {
    const { kernel, platform } = await td();
    const wrong = { name: 'Not A Name', content: '' };
    await expect(platform.measure(wrong)).rejects.toMatchObject({ code: 'ERR_EVIDENCE_MALFORMED' });
    expect(kernel.rtmr3).toEqual(zero);
  });

  it('has a read-only log', async () => {
    const { platform } = await td();
    await platform.measure(events[0]!);
    (platform.startLog as unknown[]).pop();
    expect(platform.startLog).toEqual([events[0]]);
    expect(Object.isFrozen(platform.startLog[0])).toBe(true);
  });
});

describe('the boot log of a TD', () => {
  it('is absent if the firmware wrote none', async () => {
    const { platform } = await td();
    expect(platform.bootLog).toBeUndefined();
  });

  it.skipIf(!hasVectors)(`is truncated after its last event${vectorsNote}`, async () => {
    const { kernel } = await td();
    const area = vectorBytes('ccel-trustee/CCEL_data_ovmf');
    kernel.files.set(guestPaths.ccelLog, area);
    const { bootLog } = await openTdxPlatform(kernel);
    expect(bootLog!.length).toBeGreaterThan(1000);
    expect(bootLog!.length).toBeLessThan(area.length);
    expect(area.subarray(0, bootLog!.length)).toEqual(bootLog);
    expect(area.subarray(bootLog!.length).every((byte) => byte === 0xff)).toBe(true);
  });

  it('is returned whole if it is malformed', async () => {
    const { kernel } = await td();
    kernel.files.set(guestPaths.ccelLog, new Uint8Array(100).fill(3));
    expect((await openTdxPlatform(kernel)).bootLog).toHaveLength(100);
  });

  it('must be readable if it exists', async () => {
    const { kernel } = await td();
    kernel.files.set(guestPaths.ccelLog, new Uint8Array(100));
    kernel.failures.push({ name: 'CCEL', code: 'EACCES' });
    await expect(openTdxPlatform(kernel)).rejects.toMatchObject({ code: 'ERR_TDX_PERMISSION' });
  });
});
