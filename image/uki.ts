/** Writes unified kernel images: systemd's stub with the kernel, its command line and the initial RAM disk as sections. Pure. */
import { ImageError } from './errors.ts';

export interface UkiParts {
  /** systemd-stub, `linuxx64.efi.stub`. */
  readonly stub: Uint8Array;
  readonly kernel: Uint8Array;
  readonly cmdline: string;
  readonly initrd: Uint8Array;
}

const sectionHeaderBytes = 40;
const initializedData = 0x40;
const readable = 0x4000_0000;

/** Offsets in the optional header of PE32+. @see Microsoft, PE Format */
const optionalHeader = {
  initializedDataBytes: 8,
  sectionAlignment: 32,
  fileAlignment: 36,
  imageBytes: 56,
  headersBytes: 60,
  checksum: 64,
} as const;

/**
 * Builds the image. There is no `.osrel` section: with one, the stub adds an archive of its own to the initial RAM disk.
 * @throws {ImageError} ERR_IMAGE_INCOMPLETE if the stub is not a PE32+ image with room for the sections
 */
export function buildUki({ stub, kernel, cmdline, initrd }: UkiParts): Buffer<ArrayBuffer> {
  const sections = [
    { name: '.linux', content: kernel },
    { name: '.cmdline', content: Buffer.from(cmdline, 'ascii') },
    { name: '.initrd', content: initrd },
  ];
  const base = readStub(stub);
  const head = Buffer.from(stub);
  const contents: Uint8Array[] = [];
  let { fileEnd, memoryEnd } = base;
  for (const [index, { name, content }] of sections.entries()) {
    const entry = base.tableEnd + index * sectionHeaderBytes;
    if (entry + sectionHeaderBytes > base.headersBytes) throw invalid('has no room for sections');
    const fileBytes = align(content.length, base.fileAlignment);
    head.write(name.padEnd(8, '\0'), entry, 'latin1');
    head.writeUInt32LE(content.length, entry + 8);
    head.writeUInt32LE(memoryEnd, entry + 12);
    head.writeUInt32LE(fileBytes, entry + 16);
    head.writeUInt32LE(fileEnd, entry + 20);
    head.fill(0, entry + 24, entry + 36);
    head.writeUInt32LE(initializedData + readable, entry + 36);
    contents.push(content, Buffer.alloc(fileBytes - content.length));
    fileEnd += fileBytes;
    memoryEnd = align(memoryEnd + content.length, base.sectionAlignment);
  }
  head.writeUInt16LE(base.sectionCount + sections.length, base.header + 6);
  const added = fileEnd - base.fileEnd;
  const { optional } = base;
  const dataBytes = head.readUInt32LE(optional + optionalHeader.initializedDataBytes);
  head.writeUInt32LE(dataBytes + added, optional + optionalHeader.initializedDataBytes);
  head.writeUInt32LE(memoryEnd, optional + optionalHeader.imageBytes);
  head.writeUInt32LE(0, optional + optionalHeader.checksum);
  return Buffer.concat([head, Buffer.alloc(base.fileEnd - head.length), ...contents]);
}

function readStub(stub: Uint8Array) {
  const bytes = Buffer.from(stub.buffer, stub.byteOffset, stub.byteLength);
  try {
    const header = bytes.readUInt32LE(0x3c);
    const optional = header + 24;
    if (bytes.readUInt32LE(header) !== 0x4550 || bytes.readUInt16LE(optional) !== 0x20b) throw invalid('is not PE32+');
    const sectionCount = bytes.readUInt16LE(header + 6);
    const table = optional + bytes.readUInt16LE(header + 20);
    const tableEnd = table + sectionCount * sectionHeaderBytes;
    const sectionAlignment = bytes.readUInt32LE(optional + optionalHeader.sectionAlignment);
    const fileAlignment = bytes.readUInt32LE(optional + optionalHeader.fileAlignment);
    const last = tableEnd - sectionHeaderBytes;
    const memoryEnd = align(bytes.readUInt32LE(last + 12) + bytes.readUInt32LE(last + 8), sectionAlignment);
    const headersBytes = bytes.readUInt32LE(optional + optionalHeader.headersBytes);
    const fileEnd = align(bytes.length, fileAlignment);
    return {
      header,
      optional,
      sectionCount,
      tableEnd,
      headersBytes,
      sectionAlignment,
      fileAlignment,
      memoryEnd,
      fileEnd,
    };
  } catch (cause) {
    if (cause instanceof RangeError) throw invalid('ends inside its headers');
    throw cause;
  }
}

function align(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

function invalid(reason: string): ImageError {
  return new ImageError('ERR_IMAGE_INCOMPLETE', `stub.efi ${reason}: build the image again`);
}
