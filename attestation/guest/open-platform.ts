/** The platform that this process may attest itself with, if any. Nothing pretends: no TD and nothing asked for, no platform. */
import { AttestationError } from '../base/errors.ts';
import { type GuestKernel, guestPaths, linuxKernel } from './kernel.ts';
import type { AttestedPlatform } from './platform.ts';
import { openSimulatedPlatform } from './simulated-platform.ts';
import { openTdxPlatform } from './tdx-platform.ts';

export interface OpenOptions {
  /** Whether a machine that is no TD gets a simulated platform. */
  readonly simulate: boolean;
  /** Milliseconds since 1970: a simulated hierarchy is valid for a year from a day before. */
  readonly nowMs: number;
  readonly kernel?: GuestKernel;
}

/**
 * @returns the real one inside a TD; the simulated one elsewhere, where it is asked for; else undefined
 * @throws {AttestationError} ERR_SIMULATION_REFUSED inside a TD, where a simulated quote would hide a real machine;
 *   ERR_TDX_DEVICE_MISSING in a TD whose kernel has no driver
 */
export async function openPlatform({
  simulate,
  nowMs,
  kernel = linuxKernel,
}: OpenOptions): Promise<AttestedPlatform | undefined> {
  const isTd = await isTrustDomain(kernel);
  if (isTd && simulate) {
    throw new AttestationError(
      'ERR_SIMULATION_REFUSED',
      'this machine is a TD: it attests itself, start without --simulate-tdx',
    );
  }
  if (isTd) return openTdxPlatform(kernel);
  return simulate ? openSimulatedPlatform(nowMs) : undefined;
}

/** The processor says so to the kernel, which tells by a flag; a container may lack the devices. */
async function isTrustDomain(kernel: GuestKernel): Promise<boolean> {
  for (const path of [guestPaths.device, guestPaths.deviceClass]) if (await kernel.exists(path)) return true;
  const cpuInfo = await kernel.read(guestPaths.cpuInfo).catch(() => new Uint8Array());
  return /^flags\s*:.*\btdx_guest\b/m.test(new TextDecoder().decode(cpuInfo));
}
