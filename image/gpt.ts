/** Lays out a disk with a GUID partition table. Names and sizes determine every byte. Pure. @see UEFI 2.10, §5.3 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const sectorBytes = 512;
/** Sectors before the first partition that contain the partition table. */
export const tableSectors = 34;

export interface PartitionSize {
  /** At most 36 characters; the guest's init looks for it. */
  readonly name: string;
  readonly kind: 'efi-system' | 'data';
  readonly bytes: number;
}

export interface DiskLayout {
  readonly bytes: number;
  /** The first `tableSectors` sectors. */
  readonly head: Buffer;
  /** The copy of the table in the last sectors. */
  readonly tail: Buffer;
  /** Offset of each partition, in the order given. */
  readonly offsets: readonly number[];
}

const entryCount = 128;
const entryBytes = 128;
const headerBytes = 92;
const alignmentBytes = 1024 ** 2;
/** Google's cloud imports only disks of whole GiB. The file is sparse. */
const diskUnitBytes = 1024 ** 3;

/** In stored byte order. */
const kinds = {
  'efi-system': '28732ac11ff8d211ba4b00a0c93ec93b',
  data: 'af3dc60f838472478e793d69d8477de4',
} as const;

/** @param partitions in the order of their places on the disk */
export function layOutDisk(partitions: readonly PartitionSize[]): DiskLayout {
  let at = alignmentBytes;
  const offsets = partitions.map(({ bytes }) => {
    const offset = at;
    at = roundUp(offset + bytes, alignmentBytes);
    return offset;
  });
  const bytes = roundUp(at + tableSectors * sectorBytes, diskUnitBytes);
  const sectors = bytes / sectorBytes;
  const entries = Buffer.alloc(entryCount * entryBytes);
  for (const [index, partition] of partitions.entries()) {
    writeEntry(entries.subarray(index * entryBytes), partition, offsets[index]!);
  }
  const backupEntries = sectors - tableSectors + 1;
  const head = Buffer.concat([
    protectiveRecord(sectors),
    headerSector(entries, { own: 1, other: sectors - 1, entriesAt: 2, sectors }),
    entries,
  ]);
  const tail = Buffer.concat([
    entries,
    headerSector(entries, { own: sectors - 1, other: 1, entriesAt: backupEntries, sectors }),
  ]);
  return { bytes, head, tail, offsets };
}

function writeEntry(entry: Buffer, { name, kind, bytes }: PartitionSize, offset: number): void {
  entry.write(kinds[kind], 0, 'hex');
  guidOf(`partition ${name}`).copy(entry, 16);
  entry.writeBigUInt64LE(BigInt(offset / sectorBytes), 32);
  entry.writeBigUInt64LE(BigInt((offset + roundUp(bytes, sectorBytes)) / sectorBytes - 1), 40);
  entry.write(name, 56, 72, 'utf16le');
}

function headerSector(
  entries: Buffer,
  { own, other, entriesAt, sectors }: { own: number; other: number; entriesAt: number; sectors: number },
): Buffer {
  const header = Buffer.alloc(sectorBytes);
  header.write('EFI PART', 0, 'latin1');
  header.writeUInt32LE(0x0001_0000, 8);
  header.writeUInt32LE(headerBytes, 12);
  header.writeBigUInt64LE(BigInt(own), 24);
  header.writeBigUInt64LE(BigInt(other), 32);
  header.writeBigUInt64LE(BigInt(tableSectors), 40);
  header.writeBigUInt64LE(BigInt(sectors - tableSectors), 48);
  guidOf('disk').copy(header, 56);
  header.writeBigUInt64LE(BigInt(entriesAt), 72);
  header.writeUInt32LE(entryCount, 80);
  header.writeUInt32LE(entryBytes, 84);
  header.writeUInt32LE(crc32(entries), 88);
  header.writeUInt32LE(crc32(header.subarray(0, headerBytes)), 16);
  return header;
}

/** A master boot record that shows the disk as used to programs that do not know the table. */
function protectiveRecord(sectors: number): Buffer {
  const record = Buffer.alloc(sectorBytes);
  record.set([0x00, 0x00, 0x02, 0x00, 0xee, 0xff, 0xff, 0xff], 446);
  record.writeUInt32LE(1, 454);
  record.writeUInt32LE(Math.min(sectors - 1, 0xffff_ffff), 458);
  record.writeUInt16LE(0xaa55, 510);
  return record;
}

/** Identifiers need not be unique: a machine has one such disk, and they are measured. Version 8. */
function guidOf(name: string): Buffer {
  const guid = createHash('sha256').update(`cloister ${name}`).digest().subarray(0, 16);
  guid[7] = (guid[7]! & 0x0f) | 0x80;
  guid[8] = (guid[8]! & 0x3f) | 0x80;
  return guid;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
