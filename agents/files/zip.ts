/** Unpacks the archives of office documents within limits. */
import { XMLValidator } from 'fast-xml-parser';
import { type UnzipFileInfo, type Unzipped, unzipSync, zipSync } from 'fflate';
import { FileProblem } from './file-text.ts';
import { decodeText } from './plain.ts';

/** Bytes of all unpacked entries. */
const unpackedBytesMax = 64 * 1024 * 1024;
const entriesMax = 5_000;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/**
 * Copies the XML of an office document to an archive without compression, so that a library without limits can unpack it: an
 * entry that contains more than it declares is cut at the declared size. XML that is not well-formed is refused, because
 * parsers recover from it in quadratic time. Images and fonts are omitted.
 * @param check further checks of an entry; throws
 * @throws {FileProblem} if the archive is damaged or contains too much
 */
export function unpackedXml(
  bytes: Uint8Array,
  check: (name: string, xml: string) => void = () => undefined,
): Uint8Array<ArrayBuffer> {
  let total = 0;
  let entries = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo) => {
    entries += 1;
    if (entries > entriesMax) throw new FileProblem(`has more than ${entriesMax} parts`);
    if (!/\.(?:xml|rels)$/.test(name)) return false;
    total += originalSize;
    if (total > unpackedBytesMax) throw new FileProblem(`unpacks to more than ${unpackedBytesMax} bytes`);
    return true;
  };
  const unpacked = unzip(bytes, filter);
  for (const [name, entry] of Object.entries(unpacked)) {
    const xml = decodeText(entry);
    if (XMLValidator.validate(xml) !== true) throw new FileProblem('is damaged: its XML is not well-formed');
    check(name, xml);
  }
  return zipSync(unpacked, { level: 0 }) as Uint8Array<ArrayBuffer>;
}

function unzip(bytes: Uint8Array, filter: (info: UnzipFileInfo) => boolean): Unzipped {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw new FileProblem('is damaged: its archive cannot be unpacked');
  }
}
