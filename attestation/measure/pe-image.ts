/** Computes the Authenticode digest of a PE image, which firmware measures before it starts a kernel. Pure, with WebCrypto. */
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
  if (image.length > imageBytesMax || image.length < 0x40) throw malformed(`has ${image.length} bytes`);
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  try {
    return new Uint8Array(await crypto.subtle.digest('SHA-384', concatBytes(...hashedParts(image, view))));
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new AttestationError('ERR_EVIDENCE_MALFORMED', 'the image ends inside its headers', { cause });
    }
    throw cause;
  }
}

function hashedParts(image: Uint8Array, view: DataView): Uint8Array[] {
  const header = view.getUint32(0x3c, true);
  if (view.getUint32(header, true) !== 0x4550) throw malformed('is not a PE file');
  const sections = view.getUint16(header + 6, true);
  if (sections > sectionsMax) throw malformed(`has ${sections} sections, at most ${sectionsMax} are read`);
  const optionalBytes = view.getUint16(header + 20, true);
  const optional = header + 24;
  const magic = view.getUint16(optional, true);
  if (magic !== pe32 && magic !== pe32Plus) throw malformed('is neither PE32 nor PE32+');
  const checksum = optional + 64;
  const headersEnd = view.getUint32(optional + 60, true);
  const directories = optional + (magic === pe32Plus ? 112 : 96);
  const directoryCount = view.getUint32(directories - 4, true);
  const certificates = directories + 8 * certificateTable;
  if (directoryCount <= certificateTable) {
    const tables = sectionParts(image, view, { at: optional + optionalBytes, sections, headersEnd, signed: 0 });
    return [image.subarray(0, checksum), image.subarray(checksum + 4, headersEnd), ...tables];
  }
  const signed = view.getUint32(certificates + 4, true);
  return [
    image.subarray(0, checksum),
    image.subarray(checksum + 4, certificates),
    image.subarray(certificates + 8, headersEnd),
    ...sectionParts(image, view, { at: optional + optionalBytes, sections, headersEnd, signed }),
  ];
}

/** The sections in file order, then the rest of the file without the signatures at its end. */
function sectionParts(
  image: Uint8Array,
  view: DataView,
  { at, sections, headersEnd, signed }: { at: number; sections: number; headersEnd: number; signed: number },
): Uint8Array[] {
  const places = Array.from({ length: sections }, (_, index) => {
    const entry = at + index * sectionHeaderBytes;
    return { bytes: view.getUint32(entry + 16, true), offset: view.getUint32(entry + 20, true) };
  }).filter(({ bytes }) => bytes > 0);
  places.sort((a, b) => a.offset - b.offset);
  let hashed = headersEnd;
  const parts = places.map(({ offset, bytes }) => {
    if (offset + bytes > image.length) throw malformed('ends inside a section');
    hashed += bytes;
    return image.subarray(offset, offset + bytes);
  });
  const end = image.length - signed;
  if (headersEnd > image.length || end < hashed) throw malformed('has sections or signatures that extend past its end');
  return [...parts, image.subarray(hashed, end)];
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the image ${message}`);
}
