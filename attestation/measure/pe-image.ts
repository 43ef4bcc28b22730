/** Reads the sections of a PE image, and computes its Authenticode digest, which firmware measures before it starts the image. Pure, with WebCrypto. */
import { concatBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

export const imageBytesMax = 256 * 1024 * 1024;

const pe32 = 0x10b;
const pe32Plus = 0x20b;
const sectionHeaderBytes = 40;
const sectionsMax = 96;
const certificateTable = 4;

/**
 * Hashes the whole file except its checksum, the location of its signatures and the signatures.
 * @param image a PE file, such as a Linux kernel with EFI stub · @returns SHA-384, 48 bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see Windows Authenticode Portable Executable Signature Format, "Calculating the PE Image Hash"
 */
export async function digestPeImage(image: Uint8Array): Promise<Uint8Array> {
  const parts = readImage(image, (view) => hashedParts(image, view));
  return new Uint8Array(await crypto.subtle.digest('SHA-384', concatBytes(...parts)));
}

export interface PeSection {
  readonly name: string;
  readonly fileOffset: number;
  readonly fileBytes: number;
  /** Bytes when loaded: the file's are cut off or followed by zeros. */
  readonly memoryBytes: number;
}

/** The sections in the order of their headers. @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function readPeSections(image: Uint8Array): readonly PeSection[] {
  return readImage(image, (view) => sectionsOf(image, view, readHeaders(view)));
}

function readImage<Result>(image: Uint8Array, read: (view: DataView) => Result): Result {
  if (image.length > imageBytesMax || image.length < 0x40) throw malformed(`has ${image.length} bytes`);
  try {
    return read(new DataView(image.buffer, image.byteOffset, image.byteLength));
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new AttestationError('ERR_EVIDENCE_MALFORMED', 'the image ends inside its headers', { cause });
    }
    throw cause;
  }
}

interface PeHeaders {
  /** Offset of the optional header. */
  readonly optional: number;
  readonly isPlus: boolean;
  /** Offset of the table of sections. */
  readonly table: number;
  readonly sectionCount: number;
}

function readHeaders(view: DataView): PeHeaders {
  const header = view.getUint32(0x3c, true);
  if (view.getUint32(header, true) !== 0x4550) throw malformed('is not a PE file');
  const sectionCount = view.getUint16(header + 6, true);
  if (sectionCount > sectionsMax) throw malformed(`has ${sectionCount} sections, at most ${sectionsMax} are read`);
  const optional = header + 24;
  const magic = view.getUint16(optional, true);
  if (magic !== pe32 && magic !== pe32Plus) throw malformed('is neither PE32 nor PE32+');
  return { optional, isPlus: magic === pe32Plus, table: optional + view.getUint16(header + 20, true), sectionCount };
}

function sectionsOf(image: Uint8Array, view: DataView, { table, sectionCount }: PeHeaders): PeSection[] {
  return Array.from({ length: sectionCount }, (_, index) => {
    const entry = table + index * sectionHeaderBytes;
    const section = {
      memoryBytes: view.getUint32(entry + 8, true),
      fileBytes: view.getUint32(entry + 16, true),
      fileOffset: view.getUint32(entry + 20, true),
    };
    if (section.fileBytes > 0 && section.fileOffset + section.fileBytes > image.length)
      throw malformed('ends inside a section');
    if (section.memoryBytes > imageBytesMax) throw malformed(`has a section of ${section.memoryBytes} bytes`);
    const name = new TextDecoder('latin1').decode(image.subarray(entry, entry + 8)).replace(/\0+$/, '');
    return { name, ...section };
  });
}

function hashedParts(image: Uint8Array, view: DataView): Uint8Array[] {
  const headers = readHeaders(view);
  const { optional, isPlus } = headers;
  const checksum = optional + 64;
  const headersEnd = view.getUint32(optional + 60, true);
  const directories = optional + (isPlus ? 112 : 96);
  const directoryCount = view.getUint32(directories - 4, true);
  const certificates = directories + 8 * certificateTable;
  const sections = sectionsOf(image, view, headers);
  if (directoryCount <= certificateTable) {
    const contents = sectionParts(image, sections, { headersEnd, signedBytes: 0 });
    return [image.subarray(0, checksum), image.subarray(checksum + 4, headersEnd), ...contents];
  }
  const signedBytes = view.getUint32(certificates + 4, true);
  return [
    image.subarray(0, checksum),
    image.subarray(checksum + 4, certificates),
    image.subarray(certificates + 8, headersEnd),
    ...sectionParts(image, sections, { headersEnd, signedBytes }),
  ];
}

/** The sections in file order, then the rest of the file without the signatures at its end. */
function sectionParts(
  image: Uint8Array,
  sections: readonly PeSection[],
  { headersEnd, signedBytes }: { headersEnd: number; signedBytes: number },
): Uint8Array[] {
  const places = sections.filter(({ fileBytes }) => fileBytes > 0).sort((a, b) => a.fileOffset - b.fileOffset);
  let hashed = headersEnd;
  const parts = places.map(({ fileOffset, fileBytes }) => {
    hashed += fileBytes;
    return image.subarray(fileOffset, fileOffset + fileBytes);
  });
  const end = image.length - signedBytes;
  if (headersEnd > image.length || end < hashed) throw malformed('has sections or signatures that extend past its end');
  return [...parts, image.subarray(hashed, end)];
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the image ${message}`);
}
