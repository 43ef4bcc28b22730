/** Checks that each GPU and switch in evidence is authentic, answers this report, and matches NVIDIA's reference values. Pure. */
import type { AuthenticDevice } from '../gpu/device-identity.ts';
import { nvidiaManifestRootCa } from '../gpu/nvidia-roots.ts';
import {
  type DeviceVerifications,
  type GpuVerification,
  requireAuthentic,
  type SwitchVerification,
} from '../gpu/verify-gpu.ts';
import { verifyGpuReference } from '../gpu/verify-reference.ts';
import { verifySwitchReference } from '../gpu/verify-switch-reference.ts';
import { checkVersionFloors } from '../gpu/version-floor.ts';
import type { Check, Step } from '../verify/checks.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { EvidenceCheck, EvidenceTrust } from './verification.ts';

/** The devices of a server, all authentic. */
export interface AuthenticDevices {
  readonly gpus: readonly AuthenticDevice[];
  readonly switches: readonly AuthenticDevice[];
}

export interface CheckedDevices {
  readonly checks: readonly EvidenceCheck[];
  /** Input of the checks that compare devices; has no value if one of them is not authentic. */
  readonly authentic: Step<AuthenticDevices>;
}

/** @param devices from `authenticateDevices`, which ties them to the quote's report data */
export async function checkDevices(
  { gpus, switches }: DeviceVerifications,
  trust: EvidenceTrust,
): Promise<CheckedDevices> {
  const checks = [
    ...numbered('GPU', await Promise.all(gpus.map((gpu) => checkGpu(gpu, trust)))),
    ...numbered('Switch', await Promise.all(switches.map((one) => checkSwitch(one, trust)))),
  ];
  const unauthentic = [...gpus, ...switches].find(({ authentic }) => !authentic);
  if (unauthentic !== undefined) {
    const id = unauthentic.checks.find(({ outcome }) => outcome !== 'pass')!.id;
    return { checks, authentic: { id } };
  }
  const value = { gpus: gpus.map(requireAuthentic), switches: switches.map(requireAuthentic) };
  return { checks, authentic: { id: 'gpu', value } };
}

/** Appends the device's number to each check, unless there is only one device. */
function numbered(device: string, all: readonly (readonly EvidenceCheck[])[]): EvidenceCheck[] {
  if (all.length === 1) return [...all[0]!];
  return all.flatMap((checks, index) =>
    checks.map((check) => ({
      ...check,
      id: `${check.id}-${index + 1}`,
      title: `${device} ${index + 1}: ${check.title}`,
    })),
  );
}

async function checkGpu(verified: GpuVerification, trust: EvidenceTrust): Promise<EvidenceCheck[]> {
  const { policy, gpuReference = {}, nowMs } = trust;
  // Protected PCIe is valid for a whole node only, which the check `gpu-node` enforces.
  const modes = policy?.gpuModes ?? (isWaived(trust) ? 'any' : ['single', 'multi', 'ppcie']);
  const expectations = { rimAnchors: rimAnchorsOf(trust), nowMs, modes } as const;
  const { checks } = await verifyGpuReference(verified, gpuReference, expectations);
  const report = verified.authentic ? { id: 'gpu', value: verified.report! } : { id: 'gpu' };
  const floors = await checkVersionFloors(report, { driver: policy?.gpuDriverMin, vbios: policy?.gpuVbiosMin });
  return [...required([...verified.checks, ...floors]), ...acceptable(checks, trust)];
}

async function checkSwitch(verified: SwitchVerification, trust: EvidenceTrust): Promise<EvidenceCheck[]> {
  const expectations = { rimAnchors: rimAnchorsOf(trust), nowMs: trust.nowMs };
  const checks = await verifySwitchReference(verified, trust.gpuReference ?? {}, expectations);
  return [...required(verified.checks), ...acceptable(checks, trust)];
}

function rimAnchorsOf({ gpuRoots }: EvidenceTrust) {
  return (gpuRoots ?? [nvidiaManifestRootCa]).map(parseCertificate);
}

function isWaived({ policy }: EvidenceTrust): boolean {
  return policy?.gpuMeasurements === 'any';
}

function required(checks: readonly Check[]): EvidenceCheck[] {
  return checks.map((check) => ({ ...check, required: true }));
}

function acceptable(checks: readonly Check[], trust: EvidenceTrust): EvidenceCheck[] {
  return checks.map((check) => ({ ...check, required: !isWaived(trust) }));
}
