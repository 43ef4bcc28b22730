/** Opens the platform that this process can attest itself with. A simulation is opened only on request. */
import { AttestationError } from '../base/errors.ts';
import { type GuestKernel, guestPaths, linuxKernel } from './kernel.ts';
import type { AttestedPlatform } from './platform.ts';
import { openSimulatedPlatform } from './simulated-platform.ts';
import { openTdxPlatform } from './tdx-platform.ts';

export interface OpenOptions {
  /** Whether to simulate a platform on a machine that is not a TD. */
  readonly simulate: boolean;
  /** Milliseconds since 1970: a simulated hierarchy is valid for a year, from one day before. */
  readonly nowMs: number;
  readonly kernel?: GuestKernel;
}

/**
 * @returns the real platform inside a TD; elsewhere the simulated one if requested, otherwise undefined
 * @throws {AttestationError} ERR_SIMULATION_REFUSED inside a TD, where a simulation would hide a real machine;
 *   ERR_TDX_DEVICE_MISSING in a TD whose kernel has no driver
 */
export async function openPlatform({
  simulate,
  nowMs,
  kernel = linuxKernel,
}: OpenOptions): Promise<AttestedPlatform | undefined> {
  const isTd = await isTrustDomain(kernel);
  if (isTd && simulate) {
    throw new AttestationError('ERR_SIMULATION_REFUSED', 'this machine is a TD: start without --simulate-tdx');
  }
  if (isTd) return openTdxPlatform(kernel);
  return simulate ? openSimulatedPlatform(nowMs) : undefined;
}

/** The kernel exposes the processor's TD flag. The devices may be missing in a container. */
async function isTrustDomain(kernel: GuestKernel): Promise<boolean> {
  for (const path of [guestPaths.device, guestPaths.deviceClass]) if (await kernel.exists(path)) return true;
  const cpuInfo = await kernel.read(guestPaths.cpuInfo).catch(() => new Uint8Array());
  return /^flags\s*:.*\btdx_guest\b/m.test(new TextDecoder().decode(cpuInfo));
}
