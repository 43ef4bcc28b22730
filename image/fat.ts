/** Writes an EFI system partition: FAT32 with one file, without times, so that the same file gives the same bytes. Pure. */

const sectorBytes = 512;
const reservedSectors = 32;
const tables = 2;
/** FAT32 has at least this many clusters; a file system with fewer is read as FAT16. */
const clustersMin = 65_525;
const clustersSpare = 64;
const entryBytes = 32;
const endOfChain = 0x0fff_ffff;
const media = 0xf8;
const directory = 0x10;
const archive = 0x20;
/** 1 January 1980, the first date of the format. */
const firstDate = 0x21;
const bootSignature = 0xaa55;

const rootCluster = 2;
const efiCluster = 3;
const bootCluster = 4;
const fileCluster = 5;

export interface EfiPartition {
  readonly bytes: number;
  /** Everything before the file: boot sector, tables and directories. */
  readonly head: Buffer;
  /** Offset of the file, which is contiguous. */
  readonly fileAt: number;
}

/** Lays out a partition with `\EFI\BOOT\BOOTX64.EFI`, which firmware starts from a disk without boot options. */
export function layOutEfiPartition(fileBytes: number): EfiPartition {
  const fileClusters = Math.ceil(fileBytes / sectorBytes);
  const clusters = Math.max(clustersMin + clustersSpare, fileCluster + fileClusters + clustersSpare);
  const tableSectors = Math.ceil(((clusters + 2) * 4) / sectorBytes);
  const dataAt = (reservedSectors + tables * tableSectors) * sectorBytes;
  const clusterAt = (cluster: number) => dataAt + (cluster - rootCluster) * sectorBytes;
  const bytes = dataAt + clusters * sectorBytes;
  const head = Buffer.alloc(clusterAt(fileCluster));

  const boot = bootSector(bytes / sectorBytes, tableSectors);
  const info = informationSector(clusters - (fileCluster - rootCluster) - fileClusters, fileCluster + fileClusters);
  for (const copy of [0, 6]) {
    boot.copy(head, copy * sectorBytes);
    info.copy(head, (copy + 1) * sectorBytes);
  }
  for (let table = 0; table < tables; table++) {
    writeTable(head.subarray((reservedSectors + table * tableSectors) * sectorBytes), fileClusters);
  }
  const parent = (cluster: number, above: number) => [
    directoryEntry('.', directory, cluster, 0),
    directoryEntry('..', directory, above, 0),
  ];
  const directories: readonly [number, Buffer[]][] = [
    [rootCluster, [directoryEntry('EFI', directory, efiCluster, 0)]],
    // A parent that is the root directory is written as 0.
    [efiCluster, [...parent(efiCluster, 0), directoryEntry('BOOT', directory, bootCluster, 0)]],
    [bootCluster, [...parent(bootCluster, efiCluster), directoryEntry('BOOTX64 EFI', archive, fileCluster, fileBytes)]],
  ];
  for (const [cluster, entries] of directories) Buffer.concat(entries).copy(head, clusterAt(cluster));
  return { bytes, head, fileAt: clusterAt(fileCluster) };
}

/** @see Microsoft FAT specification, "Boot Sector and BPB" */
function bootSector(sectors: number, tableSectors: number): Buffer {
  const boot = Buffer.alloc(sectorBytes);
  boot.set([0xeb, 0x58, 0x90]);
  boot.write('CLOISTER', 3, 'latin1');
  boot.writeUInt16LE(sectorBytes, 11);
  boot.writeUInt8(1, 13);
  boot.writeUInt16LE(reservedSectors, 14);
  boot.writeUInt8(tables, 16);
  boot.writeUInt8(media, 21);
  boot.writeUInt16LE(63, 24);
  boot.writeUInt16LE(255, 26);
  boot.writeUInt32LE(sectors, 32);
  boot.writeUInt32LE(tableSectors, 36);
  boot.writeUInt32LE(rootCluster, 44);
  boot.writeUInt16LE(1, 48);
  boot.writeUInt16LE(6, 50);
  boot.writeUInt8(0x80, 64);
  boot.writeUInt8(0x29, 66);
  boot.write('CLOISTEREFI', 71, 'latin1');
  boot.write('FAT32   ', 82, 'latin1');
  boot.writeUInt16LE(bootSignature, 510);
  return boot;
}

function informationSector(freeClusters: number, nextCluster: number): Buffer {
  const info = Buffer.alloc(sectorBytes);
  info.write('RRaA', 0, 'latin1');
  info.write('rrAa', 484, 'latin1');
  info.writeUInt32LE(freeClusters, 488);
  info.writeUInt32LE(nextCluster, 492);
  info.writeUInt16LE(bootSignature, 510);
  return info;
}

function writeTable(table: Buffer, fileClusters: number): void {
  table.writeUInt32LE(0x0fff_ff00 + media, 0);
  for (const cluster of [1, rootCluster, efiCluster, bootCluster]) table.writeUInt32LE(endOfChain, cluster * 4);
  for (let index = 0; index < fileClusters; index++) {
    const cluster = fileCluster + index;
    table.writeUInt32LE(index === fileClusters - 1 ? endOfChain : cluster + 1, cluster * 4);
  }
}

function directoryEntry(name: string, attributes: number, cluster: number, bytes: number): Buffer {
  const entry = Buffer.alloc(entryBytes);
  entry.write(name.padEnd(11), 0, 'latin1');
  entry.writeUInt8(attributes, 11);
  for (const at of [16, 18, 24]) entry.writeUInt16LE(firstDate, at);
  entry.writeUInt16LE(cluster >>> 16, 20);
  entry.writeUInt16LE(cluster & 0xffff, 26);
  entry.writeUInt32LE(bytes, 28);
  return entry;
}
