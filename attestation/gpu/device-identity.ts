/** Identifies the device of an NVIDIA certificate chain, and its state. Pure, with WebCrypto. */
import { toHex } from '../base/bytes.ts';
import { refuse } from '../verify/checks.ts';
import type { Certificate } from '../x509/certificate.ts';
import { driverVersionOf, type GpuReport } from './gpu-report.ts';
import { type GpuMode, gpuModeOf, vbiosVersionOf } from './gpu-state.ts';
import { requireLocked, switchBiosVersionOf } from './switch-state.ts';

export type DeviceKind = 'gpu' | 'switch';

/** An authentic device, from `verifyGpuEvidence` or `verifySwitchEvidence`. */
export interface AuthenticDevice {
  readonly report: GpuReport;
  /** Leaf first, the anchor last. */
  readonly chain: readonly Certificate[];
}

/** The identity of a GPU, which is measured at the start and compared with evidence. */
export interface GpuIdentity {
  /** Hexadecimal SHA-256 of the SubjectPublicKeyInfo (DER) of the leaf, whose key signs the reports. */
  readonly keySha256: string;
  readonly driverVersion: string;
  readonly vbiosVersion: string;
  readonly mode: GpuMode;
}

/** The identity of a switch, which has no driver and must be locked. */
export interface SwitchIdentity {
  readonly keySha256: string;
  readonly vbiosVersion: string;
  readonly mode: 'locked';
}

const chips: readonly (readonly [kind: DeviceKind, pattern: RegExp])[] = [
  // GH100, GB100, GB202
  ['gpu', /^G[A-Z]\d{3}$/],
  ['switch', /^LS_10$/],
];

/**
 * The kind of the device and its chip, `GH100`, from the first word of the common name above the leaf. NVIDIA issues that certificate; the
 * device issues the leaf.
 * @throws {AttestationError} ERR_NOT_VERIFIED if the chip is unknown
 */
export function deviceOf(chain: readonly Certificate[]): { readonly kind: DeviceKind; readonly chip: string } {
  const name = chain[1]?.commonName ?? '';
  const chip = name.split(' ')[0]!;
  const found = chips.find(([, pattern]) => pattern.test(chip));
  if (found === undefined)
    return refuse(`the certificate is for "${name}", which is neither a known GPU nor a known switch`);
  return { kind: found[0], chip };
}

/**
 * The number by which devices of a node refer to each other (PDI), 16 hexadecimal digits: the last eight bytes of the serial number of
 * the certificate that NVIDIA issued to the device. The first byte is the chip's.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function deviceNumberOf(chain: readonly Certificate[]): string {
  const number = /^[0-9a-f]{2}([0-9a-f]{16})$/.exec(chain[1]?.serial ?? '')?.[1];
  return number ?? refuse(`the certificate for "${chain[1]?.commonName ?? ''}" has no device number`);
}

/** @throws {AttestationError} ERR_NOT_VERIFIED if the report lacks a member of the identity, ERR_EVIDENCE_MALFORMED */
export async function gpuIdentityOf({ report, chain }: AuthenticDevice): Promise<GpuIdentity> {
  return {
    keySha256: await keySha256Of(chain[0]!),
    driverVersion: driverVersionOf(report) ?? refuse('the report names no driver'),
    vbiosVersion: vbiosVersionOf(report) ?? refuse('the report names no VBIOS'),
    mode: gpuModeOf(report, deviceOf(chain).chip) ?? refuse('the report does not say which mode is on'),
  };
}

/** @throws as `gpuIdentityOf` */
export async function switchIdentityOf({ report, chain }: AuthenticDevice): Promise<SwitchIdentity> {
  requireLocked(report);
  return {
    keySha256: await keySha256Of(chain[0]!),
    vbiosVersion: switchBiosVersionOf(report) ?? refuse('the report names no BIOS'),
    mode: 'locked',
  };
}

async function keySha256Of({ spki }: Certificate): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', spki as Uint8Array<ArrayBuffer>)));
}
