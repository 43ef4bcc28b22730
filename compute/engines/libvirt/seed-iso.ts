/**
 * Writes the small ISO 9660 image from which cloud-init reads its first configuration (NoCloud: a volume named `cidata`).
 * Supports one folder with a few files. The same files give the same bytes.
 * @see ECMA-119 (ISO 9660), sections 6 to 9
 */

export interface SeedFile {
  /** Lower-case letters, digits and hyphens, such as `user-data`; at most 30. */
  readonly name: string;
  readonly content: string;
}

const sectorBytes = 2048;
const volumeDescriptorSector = 16;
const littlePathTableSector = 18;
const bigPathTableSector = 19;
const rootSector = 20;
const firstFileSector = 21;
const pathTableBytes = 10;

/** @returns the image, a whole number of sectors · @throws {RangeError} if the folder needs more than one sector */
export function buildSeedIso(files: readonly SeedFile[], label = 'cidata'): Buffer {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  let sector = firstFileSector;
  const placed = sorted.map(({ name, content }) => {
    if (!/^[a-z0-9-]{1,30}$/.test(name)) throw new RangeError(`a file of a seed cannot be named "${name}"`);
    const bytes = Buffer.from(content);
    const at = sector;
    sector += Math.max(1, Math.ceil(bytes.length / sectorBytes));
    return { name, bytes, at };
  });
  const image = Buffer.alloc(sector * sectorBytes);
  writeVolumeDescriptor(image.subarray(volumeDescriptorSector * sectorBytes), sector, label);
  // The terminator of the descriptors.
  image.write('\xffCD001\x01', (volumeDescriptorSector + 1) * sectorBytes, 'latin1');
  writePathTable(image.subarray(littlePathTableSector * sectorBytes), true);
  writePathTable(image.subarray(bigPathTableSector * sectorBytes), false);
  const records = [
    directoryRecord('\0', rootSector, sectorBytes, true),
    directoryRecord('\x01', rootSector, sectorBytes, true),
    ...placed.map(({ name, bytes, at }) => directoryRecord(`${name.toUpperCase()}.;1`, at, bytes.length, false)),
  ];
  const folder = Buffer.concat(records);
  if (folder.length > sectorBytes)
    throw new RangeError('a seed must have so few files that its folder fits one sector');
  folder.copy(image, rootSector * sectorBytes);
  for (const { bytes, at } of placed) bytes.copy(image, at * sectorBytes);
  return image;
}

/** §8.4 */
function writeVolumeDescriptor(block: Buffer, sectors: number, label: string): void {
  block.write('\x01CD001\x01', 0, 'latin1');
  block.fill(' ', 8, 72);
  block.write(label.padEnd(32), 40, 'ascii');
  both32(block, 80, sectors);
  both16(block, 120, 1);
  both16(block, 124, 1);
  both16(block, 128, sectorBytes);
  both32(block, 132, pathTableBytes);
  block.writeUInt32LE(littlePathTableSector, 140);
  block.writeUInt32BE(bigPathTableSector, 148);
  directoryRecord('\0', rootSector, sectorBytes, true).copy(block, 156);
  // Publisher and similar identifiers, then dates: all empty.
  block.fill(' ', 190, 813);
  for (const at of [813, 830, 847, 864]) block.write('0'.repeat(16), at, 'ascii');
  block.writeUInt8(1, 881);
}

/** §9.4: one entry, the root. */
function writePathTable(block: Buffer, little: boolean): void {
  block.writeUInt8(1, 0);
  if (little) block.writeUInt32LE(rootSector, 2);
  else block.writeUInt32BE(rootSector, 2);
  if (little) block.writeUInt16LE(1, 6);
  else block.writeUInt16BE(1, 6);
}

/** §9.1 */
function directoryRecord(name: string, sector: number, bytes: number, isFolder: boolean): Buffer {
  const length = 33 + name.length + (name.length % 2 === 0 ? 1 : 0);
  const record = Buffer.alloc(length);
  record.writeUInt8(length, 0);
  both32(record, 2, sector);
  both32(record, 10, bytes);
  // The first of January 1970, as years since 1900, month, day.
  record.set([70, 1, 1], 18);
  record.writeUInt8(isFolder ? 2 : 0, 25);
  both16(record, 28, 1);
  record.writeUInt8(name.length, 32);
  record.write(name, 33, 'latin1');
  return record;
}

function both16(block: Buffer, at: number, value: number): void {
  block.writeUInt16LE(value, at);
  block.writeUInt16BE(value, at + 2);
}

function both32(block: Buffer, at: number, value: number): void {
  block.writeUInt32LE(value, at);
  block.writeUInt32BE(value, at + 4);
}
