/**
 * Whether the report of a GPU, or of a switch between GPUs, is authentic: signed by such a device of NVIDIA's that a trusted
 * root vouches for, over our nonce. Pure. It does not judge what was measured, whether NVIDIA revoked a certificate, or in
 * which mode the device is: that is for `verify-reference.ts` and `verify-switch-reference.ts`.
 */
import { sameBytes, toHex } from '../base/bytes.ts';
import { type Check, CheckList, refuse } from '../verify/checks.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { requireValidAt, verifyChain } from '../x509/chain.ts';
import { isSignatureValid } from '../x509/ecdsa.ts';
import { parsePemChain } from '../x509/pem.ts';
import { type AuthenticDevice, type DeviceKind, deviceOf } from './device-identity.ts';
import { firmwareIdsOf } from './dice-firmware.ts';
import {
  type DeviceCheck,
  type DeviceCheckId,
  type GpuCheckId,
  gpuChecks,
  type SwitchCheckId,
  switchChecks,
} from './gpu-check-table.ts';
import { type GpuReport, gpuField, gpuNonceBytes, parseGpuReport } from './gpu-report.ts';

export interface GpuEvidence {
  /** Request and response, as NVML hands them out. */
  readonly report: Uint8Array;
  /** PEM text, leaf first; the root may be missing. */
  readonly chainPem: Uint8Array | string;
}

export interface GpuExpectations {
  /** Certificates trusted as they are: NVIDIA's device identity root. */
  readonly anchors: readonly Certificate[];
  /** 32 bytes that the report must carry. */
  readonly nonce: Uint8Array;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export interface DeviceVerification<Id extends string> {
  /** True only where every check passed. */
  readonly authentic: boolean;
  readonly checks: readonly Check<Id>[];
  /** What the report says, for reading: undefined where it does not parse, and worth nothing unless `authentic`. */
  readonly report: GpuReport | undefined;
  /** Leaf first, the anchor last; undefined where it leads to none. */
  readonly chain: readonly Certificate[] | undefined;
}

export type GpuVerification = DeviceVerification<GpuCheckId>;
export type SwitchVerification = DeviceVerification<SwitchCheckId>;

/**
 * Runs every check and says how each came out; never throws for what the evidence holds. A switch is refused.
 * @throws {TypeError} where an expectation is none: a nonce that has not 32 bytes, a time that is no number
 */
export function verifyGpuEvidence(evidence: GpuEvidence, expectations: GpuExpectations): Promise<GpuVerification> {
  return verifyDevice('gpu', new CheckList(gpuChecks), evidence, expectations);
}

/** The same for a switch. A GPU is refused. @throws as `verifyGpuEvidence` */
export function verifySwitchEvidence(
  evidence: GpuEvidence,
  expectations: GpuExpectations,
): Promise<SwitchVerification> {
  return verifyDevice('switch', new CheckList(switchChecks), evidence, expectations);
}

export interface DeviceVerifications {
  readonly gpus: readonly GpuVerification[];
  readonly switches: readonly SwitchVerification[];
}

/** Every device of a node. @throws as `verifyGpuEvidence` */
export async function verifyDeviceEvidence(
  { gpus, switches }: { readonly gpus: readonly GpuEvidence[]; readonly switches: readonly GpuEvidence[] },
  expectations: GpuExpectations,
): Promise<DeviceVerifications> {
  return {
    gpus: await Promise.all(gpus.map((gpu) => verifyGpuEvidence(gpu, expectations))),
    switches: await Promise.all(switches.map((one) => verifySwitchEvidence(one, expectations))),
  };
}

/** What a device said that passed every check. @throws {AttestationError} ERR_NOT_VERIFIED for any other */
export function requireAuthentic({ authentic, report, chain }: GpuVerification | SwitchVerification): AuthenticDevice {
  if (authentic && report !== undefined && chain !== undefined) return { report, chain };
  return refuse('the device is not authentic');
}

async function verifyDevice<Kind extends DeviceKind>(
  kind: Kind,
  checks: CheckList<DeviceCheckId<Kind>>,
  evidence: GpuEvidence,
  { anchors, nonce, nowMs }: GpuExpectations,
): Promise<DeviceVerification<DeviceCheckId<Kind>>> {
  if (nonce.length !== gpuNonceBytes) throw new TypeError(`nonce must have 32 bytes, got ${nonce.length}`);
  if (!Number.isFinite(nowMs)) throw new TypeError(`nowMs must be a time in milliseconds, got ${nowMs}`);
  const id = (name: DeviceCheck): DeviceCheckId<Kind> => `${kind}-${name}`;
  const report = await checks.run(id('report-format'), [], () => parseGpuReport(evidence.report));
  const certificates = await checks.run(id('certificates'), [], () =>
    parsePemChain(evidence.chainPem, `${kind} certificate chain`).map(parseCertificate),
  );
  const chain = await checks.run(id('chain'), [certificates], (list) => verifyChain(list, anchors));
  await checks.run(id('chain-dates'), [chain], (verified) => requireValidAt(verified.certificates, nowMs));
  await checks.run(id('device'), [chain], (verified) => {
    const device = deviceOf(verified.certificates);
    return device.kind === kind ? device.chip : refuse(`it is for a ${device.kind}, ${device.chip}`);
  });
  await checks.run(id('report-signature'), [report, chain], async ({ signature, signedBytes }, { leafKey }) => {
    if (!(await isSignatureValid(leafKey, signature, signedBytes))) refuse('the signature is wrong');
  });
  await checks.run(id('nonce'), [report], ({ requestNonce }) => {
    if (!sameBytes(requestNonce, nonce)) refuse(`the nonce is ${toHex(requestNonce)}, expected ${toHex(nonce)}`);
  });
  await checks.run(id('firmware'), [report, chain], (parsed, verified) =>
    requireSameFirmware(parsed, verified.certificates[0]!),
  );
  const all = checks.all();
  return {
    authentic: all.every((check) => check.outcome === 'pass'),
    checks: all,
    report: report.value,
    chain: chain.value?.certificates,
  };
}

/** Drivers before 550 and switches report no firmware: then the certificate alone says which it is. */
function requireSameFirmware(report: GpuReport, leaf: Certificate): string {
  const certified = firmwareIdsOf(leaf);
  if (certified.length === 0) return refuse(`"${leaf.commonName}" names no firmware`);
  const reported = report.fields.get(gpuField.firmwareId);
  if (reported === undefined) return 'the certificate names the firmware, the report does not';
  if (!certified.some((one) => sameBytes(one, reported))) {
    refuse(`the report names firmware ${toHex(reported)}, the certificate ${certified.map(toHex).join(', ')}`);
  }
  return 'both name the same';
}
