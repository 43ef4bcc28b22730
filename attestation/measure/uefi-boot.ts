/**
 * Computes RTMR1 and RTMR2 of a machine whose firmware starts a unified kernel image from a disk, without Secure Boot. Pure, with WebCrypto.
 * @see TCG PC Client Platform Firmware Profile, §10.4 · UEFI 2.10, §38.4.1 (registers of PCRs)
 *   · systemd 257, src/boot/stub.c (measure_sections) · Linux drivers/firmware/efi/libstub/efi-stub-helper.c
 */
import { ByteReader, concatBytes, isAllZero, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { bootEventDigests, stubOptions } from './direct-boot.ts';
import { extendAll, sha384, text } from './extend.ts';
import { digestPeImage, type PeSection, readPeSections } from './pe-image.ts';

export interface UefiBoot {
  /** A unified kernel image with systemd's stub and without `.osrel`, whose contents the stub would add to the initial RAM disk. */
  readonly uki: Uint8Array;
  /** The disk's beginning: at least the primary partition table. */
  readonly disk: Uint8Array;
}

/**
 * The sections that systemd's stub measures, in its order.
 * @see systemd 257, src/fundamental/uki.h
 */
const measuredSections = [
  ...['.linux', '.osrel', '.cmdline', '.initrd', '.ucode', '.splash', '.dtb', '.uname', '.sbat', '.pcrpkey'],
  ...['.profile', '.dtbauto', '.hwids'],
];
/** Sections with which the stub changes what it passes to the kernel. */
const unsupportedSections = ['.osrel', '.ucode', '.dtb', '.pcrsig', '.pcrpkey', '.profile', '.dtbauto', '.hwids'];

/** @returns RTMR1, 48 bytes · @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export async function measureDiskBoot(boot: UefiBoot): Promise<Uint8Array> {
  return await extendAll(await diskBootDigests(boot));
}

/**
 * The digests that extend RTMR1, 48 bytes each: the firmware measures the disk's partition table and the image, then the kernel, which the
 * stub passes to it.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function diskBootDigests({ uki, disk }: UefiBoot): Promise<Uint8Array[]> {
  const [calling, separator, ...exit] = await bootEventDigests();
  return [
    ...[calling!, separator!],
    await sha384(partitionTableEvent(disk)),
    await digestPeImage(uki),
    await digestPeImage(sectionOf(uki, readPeSections(uki), '.linux')),
    ...exit,
  ];
}

/** @returns RTMR2, 48 bytes · @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export async function measureUki(uki: Uint8Array): Promise<Uint8Array> {
  return await extendAll(await ukiDigests(uki));
}

/**
 * The digests that extend RTMR2, 48 bytes each: systemd's stub measures name and contents of each section, then the kernel's stub measures
 * the command line and the initial RAM disk that it receives.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function ukiDigests(uki: Uint8Array): Promise<Uint8Array[]> {
  const sections = readPeSections(uki);
  const unsupported = sections.find(({ name }) => unsupportedSections.includes(name));
  if (unsupported !== undefined) throw malformed(`has a section ${unsupported.name}, whose effect is not computed`);
  const present = measuredSections.filter((name) => sections.some((section) => section.name === name));
  const content = (name: string) => sectionOf(uki, sections, name);
  const measured = present.flatMap((name) => [text(`${name}\0`), content(name)]);
  const cmdline = new TextDecoder('latin1').decode(content('.cmdline'));
  if (cmdline !== cmdline.trim()) throw malformed('has a command line that begins or ends with a space');
  return await Promise.all([...measured, stubOptions(cmdline), content('.initrd')].map(sha384));
}

/** The contents of a section in memory. */
function sectionOf(uki: Uint8Array, sections: readonly PeSection[], name: string): Uint8Array {
  const found = sections.filter((section) => section.name === name);
  if (found.length !== 1) throw malformed(`has ${found.length} sections ${name}, expected one`);
  return contentOf(uki, found[0]!);
}

function contentOf(uki: Uint8Array, { fileOffset, fileBytes, memoryBytes }: PeSection): Uint8Array {
  const content = uki.subarray(fileOffset, fileOffset + Math.min(fileBytes, memoryBytes));
  return content.length === memoryBytes ? content : concatBytes(content, new Uint8Array(memoryBytes - content.length));
}

const sectorBytes = 512;
const headerBytes = 92;
const entryBytesMin = 128;
const entriesMax = 1024;
const signature = toHex(text('EFI PART'));

/**
 * The data of the event EV_EFI_GPT_EVENT: the primary table's header, and its entries that are in use.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see TCG PC Client Platform Firmware Profile, UEFI_GPT_DATA
 */
export function partitionTableEvent(disk: Uint8Array): Uint8Array {
  const reader = new ByteReader(disk.subarray(sectorBytes), 'partition table', 'ERR_EVIDENCE_MALFORMED');
  const header = reader.bytes(headerBytes, 'header');
  if (toHex(header.subarray(0, 8)) !== signature) throw notTable('begins with "EFI PART"');
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const [entriesAt, count, bytes] = [view.getBigUint64(72, true), view.getUint32(80, true), view.getUint32(84, true)];
  if (entriesAt !== 2n || count > entriesMax || bytes !== entryBytesMin) {
    throw notTable(`has up to ${entriesMax} entries of ${entryBytesMin} bytes after its header`);
  }
  reader.bytes(sectorBytes - headerBytes, 'rest of the header');
  const entries = Array.from({ length: count }, () => reader.bytes(bytes, 'entry'));
  const used = entries.filter((entry) => !isAllZero(entry.subarray(0, 16)));
  const number = new Uint8Array(8);
  new DataView(number.buffer).setUint32(0, used.length, true);
  return concatBytes(header, number, ...used);
}

function notTable(expected: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `a partition table ${expected}`);
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the unified kernel image ${message}`);
}
