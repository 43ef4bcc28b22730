/** Which device a certificate chain of NVIDIA's is for, and what names that device and its state. Pure, with WebCrypto. */
import { toHex } from '../base/bytes.ts';
import { refuse } from '../verify/checks.ts';
import type { Certificate } from '../x509/certificate.ts';
import { driverVersionOf, type GpuReport } from './gpu-report.ts';
import { type GpuMode, gpuModeOf, vbiosVersionOf } from './gpu-state.ts';
import { requireLocked, switchBiosVersionOf } from './switch-state.ts';

export type DeviceKind = 'gpu' | 'switch';

/** An authentic device: `verifyGpuEvidence` and `verifySwitchEvidence` give both. */
export interface AuthenticDevice {
  readonly report: GpuReport;
  /** Leaf first, the anchor last. */
  readonly chain: readonly Certificate[];
}

/** What a start measures of a GPU, and evidence is compared with. */
export interface GpuIdentity {
  /** Hexadecimal SHA-256 of the SubjectPublicKeyInfo (DER) of the leaf, whose key signs the reports. */
  readonly keySha256: string;
  readonly driverVersion: string;
  readonly vbiosVersion: string;
  readonly mode: GpuMode;
}

/** The same, of a switch: it loads no driver, and its mode is to be locked. */
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
 * The kind of the device and its chip, `GH100`: by the first word of the certificate above the leaf. NVIDIA issues that one
 * to the device; the leaf the device issues itself.
 * @throws {AttestationError} ERR_NOT_VERIFIED where the chip is unknown
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
 * The number by which devices of a node name one another (PDI), 16 hexadecimal digits: the last eight bytes of the serial
 * number of the certificate that NVIDIA issued to the device; the first byte is the chip's.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function deviceNumberOf(chain: readonly Certificate[]): string {
  const number = /^[0-9a-f]{2}([0-9a-f]{16})$/.exec(chain[1]?.serial ?? '')?.[1];
  return number ?? refuse(`the certificate for "${chain[1]?.commonName ?? ''}" has no device number`);
}

/** @throws {AttestationError} ERR_NOT_VERIFIED where the report leaves something open, ERR_EVIDENCE_MALFORMED */
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
