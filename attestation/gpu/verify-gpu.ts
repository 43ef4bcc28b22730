/**
 * Verifies that the report of a GPU or a switch is authentic: signed by such a device, with a certificate chain to a trusted root, over the
 * expected nonce. Pure. `verify-reference.ts` and `verify-switch-reference.ts` check measurements, revocation and modes.
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
  /** Request and response, as NVML returns them. */
  readonly report: Uint8Array;
  /** PEM text, leaf first. The root may be missing. */
  readonly chainPem: Uint8Array | string;
}

export interface GpuExpectations {
  /** Trusted certificates: NVIDIA's device identity root. */
  readonly anchors: readonly Certificate[];
  /** 32 bytes that the report must contain. */
  readonly nonce: Uint8Array;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export interface DeviceVerification<Id extends string> {
  /** True only if every check passed. */
  readonly authentic: boolean;
  readonly checks: readonly Check<Id>[];
  /** The parsed report; undefined if malformed, and trustworthy only if `authentic`. */
  readonly report: GpuReport | undefined;
  /** Leaf first, the anchor last; undefined if the chain does not lead to an anchor. */
  readonly chain: readonly Certificate[] | undefined;
}

export type GpuVerification = DeviceVerification<GpuCheckId>;
export type SwitchVerification = DeviceVerification<SwitchCheckId>;

/**
 * Runs every check and returns the outcome of each. Never throws for invalid evidence. Refuses switches.
 * @throws {TypeError} if the nonce does not have 32 bytes or the time is not a finite number
 */
export function verifyGpuEvidence(evidence: GpuEvidence, expectations: GpuExpectations): Promise<GpuVerification> {
  return verifyDevice('gpu', new CheckList(gpuChecks), evidence, expectations);
}

/** Like `verifyGpuEvidence`, for a switch. Refuses GPUs. */
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

/** Verifies every device of a node. @throws as `verifyGpuEvidence` */
export async function verifyDeviceEvidence(
  { gpus, switches }: { readonly gpus: readonly GpuEvidence[]; readonly switches: readonly GpuEvidence[] },
  expectations: GpuExpectations,
): Promise<DeviceVerifications> {
  return {
    gpus: await Promise.all(gpus.map((gpu) => verifyGpuEvidence(gpu, expectations))),
    switches: await Promise.all(switches.map((one) => verifySwitchEvidence(one, expectations))),
  };
}

/** The report and chain of a device that passed every check. @throws {AttestationError} ERR_NOT_VERIFIED otherwise */
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
    if (!(await isSignatureValid(leafKey, signature, signedBytes))) refuse('the signature is invalid');
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

/** Drivers before 550 and switches report no firmware digest: then only the certificate identifies the firmware. */
function requireSameFirmware(report: GpuReport, leaf: Certificate): string {
  const certified = firmwareIdsOf(leaf);
  if (certified.length === 0) return refuse(`"${leaf.commonName}" names no firmware`);
  const reported = report.fields.get(gpuField.firmwareId);
  if (reported === undefined) return 'the certificate names the firmware, the report does not';
  if (!certified.some((one) => sameBytes(one, reported))) {
    refuse(`the report names firmware ${toHex(reported)}, the certificate ${certified.map(toHex).join(', ')}`);
  }
  return 'the report and the certificate name the same firmware';
}
