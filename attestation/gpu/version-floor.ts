/**
 * Minimum versions of a GPU's driver and VBIOS. Pure. NVIDIA's manifests establish that NVIDIA published a version; these checks refuse old
 * ones.
 */
import { type Check, CheckList, type CheckText, refuse, type Step } from '../verify/checks.ts';
import { driverVersionOf, type GpuReport } from './gpu-report.ts';
import { vbiosVersionOf } from './gpu-state.ts';

export interface GpuVersionFloors {
  /** Decimal numbers with dots, `570.86.15`. */
  readonly driver?: string | undefined;
  /** Hexadecimal numbers with dots, `96.00.9F.00.01`. */
  readonly vbios?: string | undefined;
}

export const gpuFloorChecks = {
  'gpu-driver-floor': {
    title: "The GPU's driver is not older than the policy allows",
    action: 'Ask the operator to update the driver.',
  },
  'gpu-vbios-floor': {
    title: "The GPU's VBIOS is not older than the policy allows",
    action: "Ask the operator to update the GPU's firmware.",
  },
} as const satisfies Record<string, CheckText>;

export const isDriverVersion = (text: string): boolean => /^\d{1,6}(\.\d{1,6}){0,7}$/.test(text);
export const isVbiosVersion = (text: string): boolean => /^[0-9A-Fa-f]{1,4}(\.[0-9A-Fa-f]{1,4}){0,7}$/.test(text);

/**
 * @param a numbers separated by dots; missing components count as zero
 * @param radix 10 for drivers, 16 for VBIOS
 */
export function isVersionBelow(a: string, b: string, radix: 10 | 16): boolean {
  const [left, right] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, radix)));
  for (let index = 0; index < Math.max(left!.length, right!.length); index++) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/**
 * @param report absent if the GPU is not authentic: then the checks do not run
 * @returns a check for each given minimum
 */
export async function checkVersionFloors(
  report: Step<GpuReport>,
  { driver, vbios }: GpuVersionFloors,
): Promise<Check[]> {
  const checks = new CheckList(gpuFloorChecks);
  if (driver !== undefined) {
    await checks.run('gpu-driver-floor', [report], (parsed) =>
      requireFloor(driverVersionOf(parsed), driver, { is: isDriverVersion, radix: 10 }),
    );
  }
  if (vbios !== undefined) {
    await checks.run('gpu-vbios-floor', [report], (parsed) =>
      requireFloor(vbiosVersionOf(parsed), vbios, { is: isVbiosVersion, radix: 16 }),
    );
  }
  const named: Record<string, string | undefined> = { 'gpu-driver-floor': driver, 'gpu-vbios-floor': vbios };
  return checks.all().filter(({ id }) => named[id] !== undefined);
}

function requireFloor(
  found: string | undefined,
  floor: string,
  { is, radix }: { is: (text: string) => boolean; radix: 10 | 16 },
): string {
  if (found === undefined || !is(found)) return refuse(`the report names no version; the minimum is ${floor}`);
  if (isVersionBelow(found, floor, radix)) refuse(`it is ${found}, below ${floor}`);
  return found;
}
