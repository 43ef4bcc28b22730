/**
 * Before any model is loaded: the GPUs of this machine prove themselves to it as they do to tenants, by the same functions;
 * what they are is measured; and only then they take work.
 */
import { canonicalJson } from '../../attestation/aci/jcs.ts';
import type { Json } from '../../attestation/aci/strict-json.ts';
import { AttestationError } from '../../attestation/errors.ts';
import type { GpuReferenceDevices } from '../../attestation/fetch-gpu-reference.ts';
import { gpuIdentityOf, switchIdentityOf } from '../../attestation/gpu/device-identity.ts';
import { requireWholeNode } from '../../attestation/gpu/node.ts';
import { nvidiaDeviceRootCa, nvidiaManifestRootCa } from '../../attestation/gpu/nvidia-roots.ts';
import {
  type GpuVerification,
  type SwitchVerification,
  verifyGpuEvidence,
  verifySwitchEvidence,
} from '../../attestation/gpu/verify-gpu.ts';
import { type GpuReference, verifyGpuReference } from '../../attestation/gpu/verify-reference.ts';
import { verifySwitchReference } from '../../attestation/gpu/verify-switch-reference.ts';
import { type DeviceEvidence, type GpuFacts, requireConfidentialGpus } from '../../attestation/guest/gpu-evidence.ts';
import type { AttestedPlatform } from '../../attestation/platform.ts';
import { startEventNames } from '../../attestation/start-log.ts';
import type { Check } from '../../attestation/verify/checks.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';

/** What stands in the start log: facts of the driver's, and of a real platform's devices what their own reports say. */
export interface MeasuredDevices extends Omit<GpuFacts, 'gpus'> {
  readonly gpus: readonly Readonly<Record<string, string>>[];
  readonly switches: readonly Readonly<Record<string, string>>[];
}

/** `unknown` on a simulated platform only, where the driver does not tell. */
export type MeasuredGpus = MeasuredDevices | 'none' | 'unknown';

/** The machine's GPUs, and where NVIDIA's manifests come from. */
export interface GpuSystem {
  readonly readFacts: () => Promise<GpuFacts>;
  readonly collectEvidence: (nonce: Uint8Array) => Promise<DeviceEvidence>;
  readonly findReference: (devices: GpuReferenceDevices) => Promise<GpuReference>;
  readonly setReady: () => Promise<void>;
}

export interface AdmissionOptions {
  readonly system: GpuSystem;
  /** Whether GPUs may be used at all. */
  readonly isWanted: boolean;
  /** 32 bytes, made of the keys of this start: see `gpuStartNonceOf`. */
  readonly nonce: Uint8Array;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** DER of the roots of devices and manifests. Default: NVIDIA's. */
  readonly roots?: { readonly devices: readonly Uint8Array[]; readonly manifests: readonly Uint8Array[] };
}

const NVIDIA = { devices: [nvidiaDeviceRootCa], manifests: [nvidiaManifestRootCa] };

/**
 * Where this rejects, the GPUs take no work, and nothing may start.
 * @returns what was measured
 * @throws {AttestationError} ERR_GPU_NOT_CONFIDENTIAL, ERR_GPU_NOT_VERIFIED, ERR_NVML_…, ERR_NSCQ_…, those of
 *   `fetchGpuReference`, and as `AttestedPlatform.measure`
 */
export async function admitGpus(
  platform: Pick<AttestedPlatform, 'kind' | 'measure'>,
  options: AdmissionOptions,
): Promise<MeasuredGpus> {
  const found = options.isWanted ? await findGpus(platform.kind, options.system) : 'none';
  // A simulation protects nothing: it tells what it found, and leaves the GPUs as they are.
  if (typeof found === 'string' || platform.kind === 'simulated') {
    const told = typeof found === 'string' ? found : { ...found, switches: [] };
    await measureGpus(platform, told);
    return told;
  }
  requireConfidentialGpus(found);
  const verified = await verifyDevices(found, options);
  await measureGpus(platform, verified);
  await options.system.setReady();
  return verified;
}

/** The first event of a start. @throws {AttestationError} as `AttestedPlatform.measure` */
export function measureGpus(platform: Pick<AttestedPlatform, 'measure'>, gpus: MeasuredGpus): Promise<void> {
  const content = typeof gpus === 'string' ? { gpus: gpus === 'none' ? [] : gpus } : gpus;
  return platform.measure({ name: startEventNames.gpu, content: canonicalJson(content as unknown as Json) });
}

async function findGpus(
  kind: AttestedPlatform['kind'],
  { readFacts }: GpuSystem,
): Promise<GpuFacts | 'none' | 'unknown'> {
  try {
    const facts = await readFacts();
    return facts.gpus.length === 0 ? 'none' : facts;
  } catch (error) {
    if (error instanceof AttestationError && error.code === 'ERR_NVML_MISSING') return 'none';
    if (kind === 'tdx') throw error;
    return 'unknown';
  }
}

async function verifyDevices(
  facts: GpuFacts,
  { system, nonce, nowMs, roots = NVIDIA }: AdmissionOptions,
): Promise<MeasuredDevices> {
  const evidence = await system.collectEvidence(nonce);
  if (evidence.gpus.length !== facts.gpus.length) {
    throw notVerified(`${evidence.gpus.length} of ${facts.gpus.length} GPUs prove themselves`);
  }
  const expected = { anchors: roots.devices.map(parseCertificate), nonce, nowMs };
  const gpus = await Promise.all(evidence.gpus.map((gpu) => verifyGpuEvidence(gpu, expected)));
  const switches = await Promise.all(evidence.switches.map((one) => verifySwitchEvidence(one, expected)));
  requireEach('GPU', gpus);
  requireEach('switch', switches);
  const reference = await system.findReference({ gpus, switches });
  const rims = { rimAnchors: roots.manifests.map(parseCertificate), nowMs };
  const modes = ['single', 'multi', 'ppcie'] as const;
  requireEach('GPU', await Promise.all(gpus.map((gpu) => verifyGpuReference(gpu, reference, { ...rims, modes }))));
  const judged = switches.map(async (one) => ({ checks: await verifySwitchReference(one, reference, rims) }));
  requireEach('switch', await Promise.all(judged));
  return await measuredDevices(facts, evidence, { gpus: gpus.map(toDevice), switches: switches.map(toDevice) });
}

type Devices = Parameters<typeof requireWholeNode>[0];

function toDevice({ report, chain }: GpuVerification | SwitchVerification): Devices['gpus'][number] {
  return { report: report!, chain: chain! };
}

async function measuredDevices(facts: GpuFacts, evidence: DeviceEvidence, devices: Devices): Promise<MeasuredDevices> {
  requireWholeNode(devices);
  const gpus = await Promise.all(devices.gpus.map(gpuIdentityOf));
  const switches = await Promise.all(devices.switches.map(switchIdentityOf));
  if (new Set(gpus.map(({ keySha256 }) => keySha256)).size < gpus.length) throw notVerified('a GPU answers twice');
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
