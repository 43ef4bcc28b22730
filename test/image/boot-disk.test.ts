/** The disk from which UEFI firmware boots: partition table, EFI system partition and unified kernel image. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readPeSections } from '../../attestation/measure/pe-image.ts';
import { planBootDisk, writeBootDisk } from '../../image/boot-disk.ts';
import { layOutEfiPartition } from '../../image/fat.ts';
import { layOutDisk } from '../../image/gpt.ts';
import { buildUki } from '../../image/uki.ts';
import { writePe } from '../support/attestation/pe-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloister-boot-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));

const stub = writePe({ sections: ['.text', '.data'], isKernel: false });
const kernel = writePe();
const initrd = Buffer.alloc(1000, 'initrd');
const parts = { stub, kernel, cmdline: 'console=ttyS0', initrd };

describe('buildUki', () => {
  const uki = buildUki(parts);

  it('adds kernel, command line and initial RAM disk to the stub as sections', () => {
    const contents = readPeSections(uki)
      .slice(2)
      .map(({ name, fileOffset, memoryBytes }) => [name, uki.subarray(fileOffset, fileOffset + memoryBytes)]);
    expect(contents).toEqual([
      ['.linux', Buffer.from(kernel)],
      ['.cmdline', Buffer.from('console=ttyS0')],
      ['.initrd', initrd],
    ]);
  });

  it('aligns sections in the file and in memory, and states the size of the loaded image', () => {
    const view = new DataView(uki.buffer, uki.byteOffset);
    const table = view.getUint32(0x3c, true) + 24 + 240;
    const sections = [2, 3, 4]
      .map((index) => table + index * 40)
      .map((at) => [view.getUint32(at + 12, true), view.getUint32(at + 20, true)]);
    for (const [memory, file] of sections) expect([memory! % 4096, file! % 512]).toEqual([0, 0]);
    const [lastMemory] = sections[2]!;
    expect(view.getUint32(table - 240 + 56, true)).toBe(lastMemory! + 4096);
    expect(view.getUint32(table - 240 + 64, true)).toBe(0);
    expect(uki.length % 512).toBe(0);
  });

  it('gives the same bytes for the same parts', () => {
    expect(buildUki(parts).equals(uki)).toBe(true);
  });

  it.each([
    ['is not PE32+', new Uint8Array(0x1000)],
    ['ends inside its headers', Buffer.from('MZ')],
    ['has no room for sections', writePe({ sections: Array.from({ length: 17 }, () => 'x'), isKernel: false })],
  ])('rejects a stub that %s', (message, bytes) => {
    expect(() => buildUki({ ...parts, stub: bytes })).toThrow(message);
  });
});

describe('layOutEfiPartition', () => {
  const content = Buffer.alloc(1_000_001, 'kernel');
  const { bytes, head, fileAt } = layOutEfiPartition(content.length);
  const partition = Buffer.alloc(bytes);
  head.copy(partition);
  content.copy(partition, fileAt);
  const tableAt = partition.readUInt16LE(14) * 512;
  const tableBytes = partition.readUInt32LE(36) * 512;
  const dataAt = tableAt + partition.readUInt8(16) * tableBytes;

  /** Reads a chain of clusters of one sector. */
  function read(first: number): Buffer {
    const sectors: Buffer[] = [];
    for (let cluster = first; cluster < 0x0fff_fff8; cluster = partition.readUInt32LE(tableAt + cluster * 4)) {
      sectors.push(partition.subarray(dataAt + (cluster - 2) * 512, dataAt + (cluster - 1) * 512));
    }
    return Buffer.concat(sectors);
  }

  function find(directory: Buffer, name: string): { cluster: number; bytes: number } {
    for (let at = 0; directory[at] !== 0; at += 32) {
      const entry = directory.subarray(at, at + 32);
      if (entry.toString('latin1', 0, 11).trim() !== name) continue;
      return { cluster: entry.readUInt16LE(20) * 65_536 + entry.readUInt16LE(26), bytes: entry.readUInt32LE(28) };
    }
    throw new Error(`no ${name}`);
  }

  it('has the file as \\EFI\\BOOT\\BOOTX64.EFI', () => {
    const efi = read(find(read(partition.readUInt32LE(44)), 'EFI').cluster);
    const boot = read(find(efi, 'BOOT').cluster);
    const file = find(boot, 'BOOTX64 EFI');
    expect(read(file.cluster).subarray(0, file.bytes).equals(content)).toBe(true);
  });

  it('has enough clusters for FAT32, two equal tables and a copy of its boot sector', () => {
    expect((bytes - dataAt) / 512).toBeGreaterThanOrEqual(65_525);
    expect(tableBytes).toBeGreaterThanOrEqual(((bytes - dataAt) / 512 + 2) * 4);
    const tables = [0, 1].map((index) =>
      partition.subarray(tableAt + index * tableBytes, tableAt + (index + 1) * tableBytes),
    );
    expect(tables[0]!.equals(tables[1]!)).toBe(true);
    expect(partition.subarray(0, 1024).equals(partition.subarray(6 * 512, 8 * 512))).toBe(true);
    expect(partition.readUInt32LE(32) * 512).toBe(bytes);
  });
});

describe('layOutDisk', () => {
  const layout = layOutDisk([
    { name: 'cloister-efi', kind: 'efi-system', bytes: 40 * 1024 ** 2 + 512 },
    { name: 'cloister-root', kind: 'data', bytes: 4096 },
  ]);

  it('places partitions at multiples of 1 MiB on a disk of whole GiB', () => {
    expect(layout.offsets).toEqual([1024 ** 2, 42 * 1024 ** 2]);
    expect(layout.bytes).toBe(1024 ** 3);
    expect([layout.head.length, layout.tail.length]).toEqual([34 * 512, 33 * 512]);
  });

  it('has a table with valid checksums at both ends', () => {
    const entries = layout.head.subarray(1024);
    expect(layout.tail.subarray(0, -512).equals(entries)).toBe(true);
    for (const [header, own] of [
      [layout.head.subarray(512, 1024), 1],
      [layout.tail.subarray(-512), 1024 ** 3 / 512 - 1],
    ] as const) {
      const blank = Buffer.from(header.subarray(0, 92));
      blank.writeUInt32LE(0, 16);
      expect(header.readUInt32LE(16)).toBe(crc32(blank));
      expect(header.readUInt32LE(88)).toBe(crc32(entries));
      expect(header.readBigUInt64LE(24)).toBe(BigInt(own));
    }
  });

  it('names each partition and states its first and last sector', () => {
    const entry = layout.head.subarray(1024 + 128, 1024 + 256);
    expect(entry.toString('utf16le', 56, 56 + 26)).toBe('cloister-root');
    expect([entry.readBigUInt64LE(32), entry.readBigUInt64LE(40)]).toEqual([86_016n, 86_023n]);
  });
});

function readBeginning(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r');
  const beginning = Buffer.alloc(bytes);
  readSync(file, beginning);
  closeSync(file);
  return beginning;
}

describe('writeBootDisk', () => {
  const names = { 'stub.efi': stub, vmlinuz: kernel, 'initrd.img': initrd, 'rootfs.img': Buffer.alloc(8192, 'root') };
  for (const [name, content] of Object.entries(names)) writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, 'cmdline'), 'console=ttyS0');
  const config = join(folder, 'config.img');
  writeFileSync(config, Buffer.alloc(1024, 'config'));

  it('writes image and disks as sparse partitions, the same bytes each time', async () => {
    const plan = planBootDisk(folder, { config });
    expect(plan.cmdline).toMatch(/^console=ttyS0 cloister\.config=[0-9a-f]{64} cloister\.disks=partitions$/);
    const paths = ['a.img', 'b.img'].map((name) => join(folder, name));
    for (const path of paths) await writeBootDisk(path, plan);
    // The rest of the GiB is empty.
    const [a, b] = paths.map((path) => readBeginning(path, 64 * 1024 ** 2));
    expect(a!.equals(b!)).toBe(true);
    const [, rootAt, configAt] = plan.layout.offsets;
    expect(a!.toString('latin1', rootAt, rootAt! + 8)).toBe('rootroot');
    expect(a!.toString('latin1', configAt, configAt! + 6)).toBe('config');
    expect(a!.includes(plan.uki)).toBe(true);
    expect(statSync(paths[0]!).size).toBe(1024 ** 3);
    expect(statSync(paths[0]!).blocks * 512).toBeLessThan(10 * 1024 ** 2);
  });

  it('rejects a configuration disk that does not fill its partition', () => {
    writeFileSync(config, Buffer.alloc(1000));
    expect(() => planBootDisk(folder, { config })).toThrow(/config.img has 1000 bytes, expected a multiple of 512/);
  });
});
