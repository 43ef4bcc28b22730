/** Verifies the GPUs and switches of this machine with the functions that tenants use. Loaded only on machines with GPUs. */
import { AttestationError } from '@cloister/attestation/base/errors';
import { gpuIdentityOf, switchIdentityOf } from '@cloister/attestation/gpu/device-identity';
import { requireWholeNode } from '@cloister/attestation/gpu/node';
import { nvidiaDeviceRootCa, nvidiaManifestRootCa } from '@cloister/attestation/gpu/nvidia-roots';
import { requireAuthentic, verifyDeviceEvidence } from '@cloister/attestation/gpu/verify-gpu';
import { type GpuReference, verifyGpuReference } from '@cloister/attestation/gpu/verify-reference';
import { verifySwitchReference } from '@cloister/attestation/gpu/verify-switch-reference';
import type { GpuReferenceDevices } from '@cloister/attestation/gpu-reference/fetch-gpu-reference';
import type { DeviceEvidence, GpuFacts } from '@cloister/attestation/guest/gpu-evidence';
import type { Check } from '@cloister/attestation/verify/checks';
import { parseCertificate } from '@cloister/attestation/x509/certificate';

/** The GPU facts in the start log: those of the driver, and on a real platform those of the devices' own reports. */
export interface MeasuredDevices extends Omit<GpuFacts, 'gpus'> {
  readonly gpus: readonly Readonly<Record<string, string>>[];
  readonly switches: readonly Readonly<Record<string, string>>[];
}

export interface ProvingDevices {
  readonly collectEvidence: (nonce: Uint8Array) => Promise<DeviceEvidence>;
  readonly findReference: (devices: GpuReferenceDevices) => Promise<GpuReference>;
}

export interface OwnDevicesOptions {
  readonly system: ProvingDevices;
  /** 32 bytes derived from the keys of this start: see `gpuStartNonceOf`. */
  readonly nonce: Uint8Array;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** DER of the roots of devices and manifests. Default: NVIDIA's. */
  readonly roots?: { readonly devices: readonly Uint8Array[]; readonly manifests: readonly Uint8Array[] };
}

const nvidia = { devices: [nvidiaDeviceRootCa], manifests: [nvidiaManifestRootCa] };

/**
 * Verifies every device, then all devices together. A check that could not run counts as failed.
 * @returns the facts to measure · @throws {AttestationError} ERR_GPU_NOT_VERIFIED, and those of `ProvingDevices`
 */
export async function verifyDevices(
  facts: GpuFacts,
  { system, nonce, nowMs, roots = nvidia }: OwnDevicesOptions,
): Promise<MeasuredDevices> {
  const evidence = await system.collectEvidence(nonce);
  if (evidence.gpus.length !== facts.gpus.length) {
    throw notVerified(`${evidence.gpus.length} of ${facts.gpus.length} GPUs gave evidence`);
  }
  const expected = { anchors: roots.devices.map(parseCertificate), nonce, nowMs };
  const verified = await verifyDeviceEvidence(evidence, expected);
  const { gpus, switches } = verified;
  requireEach('GPU', gpus);
  requireEach('switch', switches);
  const reference = await system.findReference(verified);
  const rims = { rimAnchors: roots.manifests.map(parseCertificate), nowMs };
  const modes = ['single', 'multi', 'ppcie'] as const;
  requireEach('GPU', await Promise.all(gpus.map((gpu) => verifyGpuReference(gpu, reference, { ...rims, modes }))));
  const judged = switches.map(async (one) => ({ checks: await verifySwitchReference(one, reference, rims) }));
  requireEach('switch', await Promise.all(judged));
  return await measuredDevices(facts, evidence, {
    gpus: gpus.map(requireAuthentic),
    switches: switches.map(requireAuthentic),
  });
}

type Devices = Parameters<typeof requireWholeNode>[0];

async function measuredDevices(facts: GpuFacts, evidence: DeviceEvidence, devices: Devices): Promise<MeasuredDevices> {
  requireWholeNode(devices);
  const gpus = await Promise.all(devices.gpus.map(gpuIdentityOf));
  const switches = await Promise.all(devices.switches.map(switchIdentityOf));
  if (new Set(gpus.map(({ keySha256 }) => keySha256)).size < gpus.length)
    throw notVerified('two GPUs have the same key');
  const isProtected = facts.multiGpu === 'protected-pcie';
  gpus.forEach(({ driverVersion, mode }, index) => {
    const other = driverVersion !== facts.driverVersion;
    if (other) throw notVerified(`GPU ${index + 1} reports driver ${driverVersion}, loaded is ${facts.driverVersion}`);
    if ((mode === 'ppcie') !== isProtected) {
      throw notVerified(`GPU ${index + 1} reports mode ${mode}, the driver says ${facts.multiGpu}`);
    }
  });
  return {
    ...facts,
    gpus: gpus.map((identity, index) => ({
      uuid: facts.gpus[index]!.uuid,
      name: facts.gpus[index]!.name,
      ...identity,
    })),
    switches: switches.map((identity, index) => ({ uuid: evidence.switches[index]!.uuid, ...identity })),
  };
}

function requireEach(device: string, all: readonly { readonly checks: readonly Check[] }[]): void {
  for (const [index, { checks }] of all.entries()) {
    const first = checks.find(({ outcome }) => outcome === 'fail') ?? checks.find(({ outcome }) => outcome !== 'pass');
    if (first !== undefined) throw notVerified(`${device} ${index + 1}: ${first.title}: ${first.reason}`);
  }
}

function notVerified(reason: string): AttestationError {
  return new AttestationError('ERR_GPU_NOT_VERIFIED', reason);
}
