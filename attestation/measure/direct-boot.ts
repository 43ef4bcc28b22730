/**
 * RTMR1 and RTMR2 of a machine whose VMM hands kernel, initial RAM disk and command line to OVMF ("direct boot"). Pure.
 * @see TCG PC Client Platform Firmware Profile, §10.4 · Linux drivers/firmware/efi/libstub/efi-stub-helper.c
 */
import { AttestationError } from '../base/errors.ts';
import { extendAll, sha384, text } from './extend.ts';
import { digestPeImage } from './pe-image.ts';

export interface DirectBoot {
  readonly kernel: Uint8Array;
  readonly initrd: Uint8Array;
  /** As it is given to the VMM, without what OVMF adds. */
  readonly cmdline: string;
  /**
   * How the VMM hands the kernel on. `unchanged` is QEMU 10 and later with an OVMF of 2025 or later; older ones write the
   * boot protocol's fields into it, which depend on the memory.
   */
  readonly handover?: Handover;
}

export type Handover = 'unchanged' | { readonly kind: 'qemu-patched'; readonly memoryBytes: number };

/** More than Linux takes on x86. */
const cmdlineCharactersMax = 2047;

/** @returns RTMR1, 48 bytes · @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export async function measureKernel(boot: DirectBoot): Promise<Uint8Array> {
  return await extendAll(await kernelDigests(boot));
}

/** What RTMR1 is extended with, in order, 48 bytes each. @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export async function kernelDigests({ kernel, initrd, handover = 'unchanged' }: DirectBoot): Promise<Uint8Array[]> {
  const loaded = handover === 'unchanged' ? kernel : patchedByQemu(kernel, initrd.length, handover.memoryBytes);
  return [await digestPeImage(loaded), ...(await bootEventDigests())];
}

/**
 * What OVMF measures into RTMR1 after the kernel, on its way into it: the same for every kernel. 48 bytes each.
 * @see edk2 OvmfPkg/Tcg/TdTcg2Dxe/TdTcg2Dxe.c, OnReadyToBoot; releases before it put the separator there are not predicted
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
 * What RTMR2 is extended with: the EFI stub measures the command line, then the initial RAM disk. 48 bytes each.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function commandLineDigests({ cmdline, initrd }: DirectBoot): Promise<Uint8Array[]> {
  if (cmdline.length > cmdlineCharactersMax || !/^[\x20-\x7e]*$/.test(cmdline)) {
    const message = `a command line has at most ${cmdlineCharactersMax} printable ASCII characters`;
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', message);
  }
  // OVMF tells the stub where the RAM disk is; the stub measures the options as it got them: UTF-16 with its end.
  const options = `${cmdline} initrd=initrd\0`;
  const bytes = new Uint8Array(options.length * 2);
  for (let index = 0; index < options.length; index++) bytes[2 * index] = options.charCodeAt(index);
  return [await sha384(bytes), await sha384(initrd)];
}

const setupBytes = 0x23c;
const commandLineAddress = 0x2_0000;
const realModeAddress = 0x1_0000;
/** What QEMU's q35 keeps free below 4 GiB for ACPI tables. */
const acpiBytes = 0x2_8000;

/** The fields that QEMU below 10 writes into the kernel's setup header. @see the Linux x86 boot protocol */
function patchedByQemu(kernel: Uint8Array, initrdBytes: number, memoryBytes: number): Uint8Array {
  if (kernel.length < setupBytes)
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', 'the kernel has no setup header');
  const patched = kernel.slice();
  const view = new DataView(patched.buffer);
  if (view.getUint32(0x202, true) !== 0x53726448 || view.getUint16(0x206, true) < 0x20c) {
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', 'the kernel speaks no boot protocol from 2.12 on');
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
