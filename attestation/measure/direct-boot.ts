/**
 * Computes RTMR1 and RTMR2 of a machine whose VMM passes kernel, initial RAM disk and command line to OVMF ("direct boot"). Pure.
 * @see TCG PC Client Platform Firmware Profile, §10.4 · Linux drivers/firmware/efi/libstub/efi-stub-helper.c
 */
import { AttestationError } from '../base/errors.ts';
import { extendAll, sha384, text } from './extend.ts';
import { digestPeImage } from './pe-image.ts';

export interface DirectBoot {
  readonly kernel: Uint8Array;
  readonly initrd: Uint8Array;
  /** As passed to the VMM, without OVMF's additions. */
  readonly cmdline: string;
  /**
   * How the VMM passes the kernel. `unchanged`: QEMU 10 and later with an OVMF of 2025 or later. Older versions write the boot protocol's
   * fields into the kernel, which depend on the memory size.
   */
  readonly handover?: Handover;
}

export type Handover = 'unchanged' | { readonly kind: 'qemu-patched'; readonly memoryBytes: number };

/** Linux's limit on x86. */
const cmdlineCharactersMax = 2047;

/** @returns RTMR1, 48 bytes · @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export async function measureKernel(boot: DirectBoot): Promise<Uint8Array> {
  return await extendAll(await kernelDigests(boot));
}

/** The digests that extend RTMR1, in order, 48 bytes each. @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export async function kernelDigests({ kernel, initrd, handover = 'unchanged' }: DirectBoot): Promise<Uint8Array[]> {
  const loaded = handover === 'unchanged' ? kernel : patchedByQemu(kernel, initrd.length, handover.memoryBytes);
  return [await digestPeImage(loaded), ...(await bootEventDigests())];
}

/**
 * The digests of the events around the start of a kernel, which OVMF measures into RTMR1; the same for every kernel. 48 bytes each.
 * @see edk2 OvmfPkg/Tcg/TdTcg2Dxe/TdTcg2Dxe.c, OnReadyToBoot; earlier releases with a separator there are not supported
 */
export async function bootEventDigests(): Promise<Uint8Array[]> {
  const separator = new Uint8Array(4);
  const events = [
    text('Calling EFI Application from Boot Option'),
    separator,
    text('Exit Boot Services Invocation'),
    text('Exit Boot Services Returned with Success'),
  ];
  return await Promise.all(events.map(sha384));
}

/** @returns RTMR2, 48 bytes · @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export async function measureCommandLine(boot: DirectBoot): Promise<Uint8Array> {
  return await extendAll(await commandLineDigests(boot));
}

/**
 * The digests that extend RTMR2: the EFI stub measures the command line, then the initial RAM disk. 48 bytes each.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function commandLineDigests({ cmdline, initrd }: DirectBoot): Promise<Uint8Array[]> {
  // OVMF passes the location of the RAM disk to the stub.
  return [await sha384(stubOptions(cmdline, ' initrd=initrd')), await sha384(initrd)];
}

/**
 * The command line as the EFI stub measures it: as received, UTF-16 with a terminator.
 * @param more what the firmware appends
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export function stubOptions(cmdline: string, more = ''): Uint8Array {
  if (cmdline.length > cmdlineCharactersMax || !/^[\x20-\x7e]*$/.test(cmdline)) {
    const message = `a command line has at most ${cmdlineCharactersMax} printable ASCII characters`;
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', message);
  }
  const options = `${cmdline}${more}\0`;
  const bytes = new Uint8Array(options.length * 2);
  for (let index = 0; index < options.length; index++) bytes[2 * index] = options.charCodeAt(index);
  return bytes;
}

const setupBytes = 0x23c;
const commandLineAddress = 0x2_0000;
const realModeAddress = 0x1_0000;
/** The memory that QEMU's q35 reserves below 4 GiB for ACPI tables. */
const acpiBytes = 0x2_8000;

/** The fields that QEMU before 10 writes into the kernel's setup header. @see the Linux x86 boot protocol */
function patchedByQemu(kernel: Uint8Array, initrdBytes: number, memoryBytes: number): Uint8Array {
  if (kernel.length < setupBytes)
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', 'the kernel has no setup header');
  const patched = kernel.slice();
  const view = new DataView(patched.buffer);
  if (view.getUint32(0x202, true) !== 0x53726448 || view.getUint16(0x206, true) < 0x20c) {
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', 'the kernel must support boot protocol 2.12 or later');
  }
  const isLoadedAnywhere = (view.getUint16(0x236, true) & 2) !== 0;
  const lowBytes = memoryBytes >= 0xb000_0000 ? 0x8000_0000 : memoryBytes;
  const limit = isLoadedAnywhere ? 0xffff_ffff : view.getUint32(0x22c, true);
  const top = Math.min(limit, lowBytes - acpiBytes - 1);
  view.setUint32(0x228, commandLineAddress, true);
  view.setUint8(0x210, 0xb0);
  view.setUint8(0x211, view.getUint8(0x211) | 0x80);
  view.setUint16(0x224, commandLineAddress - realModeAddress - 0x200, true);
  if (initrdBytes > 0) {
    view.setUint32(0x218, top - initrdBytes - ((top - initrdBytes) % 4096), true);
    view.setUint32(0x21c, initrdBytes, true);
  }
  return patched;
}
