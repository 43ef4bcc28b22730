import { describe, expect, it } from 'vitest';
import { replayStartLog } from '../../attestation/eventlog/start-log.ts';
import { guestPaths, linuxKernel } from '../../attestation/guest/kernel.ts';
import { openPlatform } from '../../attestation/guest/open-platform.ts';
import { openSimulatedPlatform, simulationLabel } from '../../attestation/guest/simulated-platform.ts';
import { intelRootCa, parseQuote, verifyQuote } from '../../attestation/index.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { FakeTdxKernel } from '../support/attestation/fake-tdx-kernel.ts';

const nowMs = Date.UTC(2026, 5, 15);
const hardware = await createSimulatedPlatform(nowMs);

function fakeKernel(): FakeTdxKernel {
  return new FakeTdxKernel((data) => hardware.quote(data));
}

function ordinaryMachine(): FakeTdxKernel {
  const kernel = fakeKernel();
  kernel.present.clear();
  kernel.files.set(guestPaths.cpuInfo, new TextEncoder().encode('flags\t\t: fpu vme de hypervisor lahf_lm\n'));
  return kernel;
}

describe('opening a platform', () => {
  it('opens the real one inside a TD', async () => {
    const platform = await openPlatform({ simulate: false, nowMs, kernel: fakeKernel() });
    expect(platform).toMatchObject({ kind: 'tdx', simulation: undefined, startLog: [] });
  });

  it('opens none on a machine that is not a TD', async () => {
    expect(await openPlatform({ simulate: false, nowMs, kernel: ordinaryMachine() })).toBeUndefined();
  });

  it('opens the simulated one on request on a machine that is not a TD', async () => {
    const platform = await openPlatform({ simulate: true, nowMs, kernel: ordinaryMachine() });
    expect(platform?.kind).toBe('simulated');
  });

  it.each([
    ['the device', guestPaths.device],
    ['its class', guestPaths.deviceClass],
  ])('refuses to simulate inside a TD, recognised by %s', async (_what, path) => {
    const kernel = ordinaryMachine();
    kernel.present.add(path);
    await expect(openPlatform({ simulate: true, nowMs, kernel })).rejects.toMatchObject({
      code: 'ERR_SIMULATION_REFUSED',
    });
  });

  it('refuses to simulate inside a TD that only its processor reveals', async () => {
    const kernel = ordinaryMachine();
    kernel.files.set(guestPaths.cpuInfo, new TextEncoder().encode('flags\t: fpu tdx_guest nx\nbugs : \n'));
    await expect(openPlatform({ simulate: true, nowMs, kernel })).rejects.toMatchObject({
      code: 'ERR_SIMULATION_REFUSED',
    });
    await expect(openPlatform({ simulate: false, nowMs, kernel })).rejects.toMatchObject({
      code: 'ERR_TDX_DEVICE_MISSING',
    });
  });

  it('does not mistake a TDX host for a TD', async () => {
    const kernel = ordinaryMachine();
    kernel.files.set(guestPaths.cpuInfo, new TextEncoder().encode('flags\t: fpu tdx_host_platform tdx_guests\n'));
    expect(await openPlatform({ simulate: false, nowMs, kernel })).toBeUndefined();
  });

  it('detects the platform of the machine that runs this test', async () => {
    const platform = await openPlatform({ simulate: false, nowMs, kernel: linuxKernel });
    expect(platform?.kind).toBe((await linuxKernel.exists(guestPaths.device)) ? 'tdx' : undefined);
  });
});

describe('a simulated platform', () => {
  it('issues quotes of its measurements that are genuine only under its own root', async () => {
    const platform = await openSimulatedPlatform(nowMs);
    for (const name of ['first', 'second']) await platform.measure({ name, content: '{}' });
    const quote = await platform.quote(new Uint8Array(64).fill(3));
    const { rootCa, collateral } = platform.simulation!;
    expect((await verifyQuote(quote, collateral, [rootCa], nowMs)).genuine).toBe(true);
    expect((await verifyQuote(quote, collateral, [intelRootCa], nowMs)).genuine).toBe(false);
    const { body } = parseQuote(quote);
    expect(body.rtmrs[3]).toEqual(await replayStartLog(platform.startLog));
    expect(body.reportData).toEqual(new Uint8Array(64).fill(3));
  });

  it('labels its quotes as simulated', async () => {
    const platform = await openSimulatedPlatform(nowMs);
    const { body } = parseQuote(await platform.quote(new Uint8Array(64)));
    expect(new TextDecoder().decode(body.mrConfigId)).toContain(simulationLabel);
  });

  it('keeps the order of concurrent events', async () => {
    const platform = await openSimulatedPlatform(nowMs);
    const events = ['a', 'b', 'c', 'd'].map((name) => ({ name, content: name }));
    await Promise.all(events.map((event) => platform.measure(event)));
    expect(platform.startLog).toEqual(events);
  });

  it('rejects report data that is not 64 bytes', async () => {
    const platform = await openSimulatedPlatform(nowMs);
    await expect(platform.quote(new Uint8Array(65))).rejects.toThrow(RangeError);
  });
});
