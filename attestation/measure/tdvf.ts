/**
 * Computes MRTD, which the TDX module measures page by page while the VMM builds the TD, from the firmware file alone. Pure, with WebCrypto,
 * for Node and browsers.
 * @see Intel TDX Virtual Firmware Design Guide, §11 (metadata) · TDX module ABI, TDH.MEM.PAGE.ADD and TDH.MR.EXTEND
 */
import { ByteReader, concatBytes, fromHex, sameBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

/** A section of the TD's initial memory, from the firmware's metadata. */
export interface TdvfSection {
  /** Location in the firmware file; 0 bytes for memory that starts as zeros. */
  readonly fileOffset: number;
  readonly fileBytes: number;
  /** Location in the guest's physical memory. */
  readonly address: bigint;
  readonly memoryBytes: number;
  readonly type: TdvfSectionType;
  /** Whether the contents are measured, in addition to the presence of the pages. */
  readonly isMeasured: boolean;
  /** Pages that the guest accepts later and that are not part of MRTD. */
  readonly isAddedLater: boolean;
}

export type TdvfSectionType = 'firmware' | 'variables' | 'hob' | 'memory' | 'permanent-memory' | 'payload' | 'other';

/**
 * The order in which the VMM adds and measures pages: QEMU 8 first adds all pages of a section; QEMU 9 and later add and measure one page
 * after the other.
 */
export type PageOrder = 'page-by-page' | 'add-then-measure';

export const firmwareBytesMax = 64 * 1024 * 1024;
const pageBytes = 4096;
const chunkBytes = 256;
const sectionsMax = 64;
const types: readonly TdvfSectionType[] = ['firmware', 'variables', 'hob', 'memory', 'permanent-memory', 'payload'];
const measured = 1;
const addedLater = 2;

/** OVMF's table of GUIDed entries ends 32 bytes before the end of the file with this GUID, in its stored byte order. */
const footer = fromHex('de82b596b21ff745baeaa366c55a082d')!;
/** The entry whose last four bytes are the distance of the TDX metadata from the end of the file. */
const metadata = fromHex('35657ae44a989847865e4685a7bf8ec2')!;
const guidBytes = 16;
const footerFromEnd = 32;

/**
 * @param firmware a complete OVMF.fd with TDX support
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED if its TDX metadata is missing or invalid
 */
export function parseTdvf(firmware: Uint8Array): readonly TdvfSection[] {
  if (firmware.length > firmwareBytesMax || firmware.length < pageBytes) {
    throw malformed(`has ${firmware.length} bytes, ${pageBytes} to ${firmwareBytesMax} are read`);
  }
  const offset = firmware.length - distanceOfMetadata(firmware);
  if (offset < 0 || offset > firmware.length - 16) throw malformed('has its TDX metadata outside the file');
  const reader = new ByteReader(firmware.subarray(offset), 'TDX metadata', 'ERR_EVIDENCE_MALFORMED');
  const signature = new TextDecoder('latin1').decode(reader.bytes(4, 'signature'));
  if (signature !== 'TDVF') throw malformed('has TDX metadata without their signature');
  reader.uint32('length');
  const version = reader.uint32('version');
  if (version !== 1) throw malformed(`has TDX metadata of version ${version}, only 1 is supported`);
  const count = reader.uint32('number of sections');
  if (count === 0 || count > sectionsMax) throw malformed(`has ${count} TDX sections, 1 to ${sectionsMax} are read`);
  return Array.from({ length: count }, () => parseSection(reader, firmware.length));
}

/**
 * @returns MRTD, 48 bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function measureFirmware(firmware: Uint8Array, order: PageOrder = 'page-by-page'): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const section of parseTdvf(firmware)) {
    const pages = Array.from({ length: section.memoryBytes / pageBytes }, (_, index) => index);
    const add = (page: number) => section.isAddedLater || parts.push(operation('MEM.PAGE.ADD', section, page, 0));
    const extend = (page: number) => section.isMeasured && parts.push(...extensions(firmware, section, page));
    if (order === 'add-then-measure') {
      for (const page of pages) add(page);
      for (const page of pages) extend(page);
    } else {
      for (const page of pages) {
        add(page);
        extend(page);
      }
    }
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-384', concatBytes(...parts)));
}

/** The contents of the only section of a type. */
export function tdvfSectionBytes(firmware: Uint8Array, type: TdvfSectionType): Uint8Array {
  const found = parseTdvf(firmware).filter((section) => section.type === type);
  if (found.length !== 1) throw malformed(`has ${found.length} sections of ${type}, expected one`);
  const { fileOffset, fileBytes } = found[0]!;
  return firmware.subarray(fileOffset, fileOffset + fileBytes);
}

/** Entries precede the footer: content, length (including length and GUID), GUID. */
function distanceOfMetadata(firmware: Uint8Array): number {
  const end = firmware.length - footerFromEnd;
  if (!sameBytes(firmware.subarray(end - guidBytes, end), footer))
    throw malformed('has no table of entries at its end');
  const view = new DataView(firmware.buffer, firmware.byteOffset, firmware.byteLength);
  const lengthOf = (entryEnd: number) => view.getUint16(entryEnd - guidBytes - 2, true);
  const start = end - lengthOf(end);
  let at = end - guidBytes - 2;
  while (at - guidBytes - 2 >= Math.max(start, 0)) {
    const length = lengthOf(at);
    if (length < guidBytes + 2 || at - length < start) throw malformed('has an entry that extends past its table');
    if (sameBytes(firmware.subarray(at - guidBytes, at), metadata)) {
      if (length < guidBytes + 2 + 4) throw malformed('has an entry for TDX metadata without its offset');
      return view.getUint32(at - guidBytes - 2 - 4, true);
    }
    at -= length;
  }
  throw malformed('has no TDX metadata: it was built without TDX');
}

function parseSection(reader: ByteReader, firmwareBytes: number): TdvfSection {
  const fileOffset = reader.uint32('offset of a section');
  const fileBytes = reader.uint32('bytes of a section');
  const address = uint64(reader, 'address of a section');
  const memoryBytes = Number(uint64(reader, 'memory of a section'));
  const type = types[reader.uint32('type of a section')] ?? 'other';
  const attributes = reader.uint32('attributes of a section');
  if (fileOffset + fileBytes > firmwareBytes) throw malformed('has a TDX section that extends past its end');
  if (memoryBytes % pageBytes !== 0 || memoryBytes > firmwareBytesMax || fileBytes > memoryBytes) {
    throw malformed(`has a TDX section with ${memoryBytes} bytes of memory but ${fileBytes} bytes in the file`);
  }
  const isMeasured = (attributes & measured) !== 0;
  if (isMeasured && fileBytes !== memoryBytes) throw malformed('has a measured TDX section larger than its contents');
  return {
    fileOffset,
    fileBytes,
    address,
    memoryBytes,
    type,
    isMeasured,
    isAddedLater: (attributes & addedLater) !== 0,
  };
}

function extensions(firmware: Uint8Array, section: TdvfSection, page: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let within = 0; within < pageBytes; within += chunkBytes) {
    const at = section.fileOffset + page * pageBytes + within;
    parts.push(operation('MR.EXTEND', section, page, within), firmware.subarray(at, at + chunkBytes));
  }
  return parts;
}

/** 128 bytes: the operation's name in 16 bytes, the guest address in 8, zeros. */
function operation(name: string, { address }: TdvfSection, page: number, within: number): Uint8Array {
  const bytes = new Uint8Array(128);
  bytes.set(new TextEncoder().encode(name));
  new DataView(bytes.buffer).setBigUint64(16, address + BigInt(page * pageBytes + within), true);
  return bytes;
}

function uint64(reader: ByteReader, field: string): bigint {
  const low = reader.uint32(field);
  return (BigInt(reader.uint32(field)) << 32n) | BigInt(low);
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the firmware ${message}`);
}
