/** RTMR1 and RTMR2 of a boot from a disk, and the partition table's event as real machines logged it. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../../attestation/base/bytes.ts';
import { parseEventLog } from '../../../attestation/eventlog/event-log.ts';
import { bootEventDigests } from '../../../attestation/measure/direct-boot.ts';
import { digestPeImage } from '../../../attestation/measure/pe-image.ts';
import { diskBootDigests, partitionTableEvent, ukiDigests } from '../../../attestation/measure/uefi-boot.ts';
import { layOutDisk } from '../../../image/gpt.ts';
import { buildUki } from '../../../image/uki.ts';
import { writePe } from '../../support/attestation/pe-writer.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../../support/vectors.ts';

const kernel = writePe();
const initrd = Buffer.from('initrd');
const stub = writePe({ sections: ['code', 'data'], isKernel: false });
const uki = buildUki({ stub, kernel, cmdline: 'console=ttyS0', initrd });
const { head: disk } = layOutDisk([{ name: 'cloister-efi', kind: 'efi-system', bytes: 4096 }]);
const sha384 = (bytes: string | Uint8Array) => createHash('sha384').update(bytes).digest('hex');

describe('diskBootDigests', () => {
  it('are the call, the separator, the partition table, the image, its kernel, and the end of boot services', async () => {
    const [calling, separator, ...exit] = (await bootEventDigests()).map(toHex);
    expect((await diskBootDigests({ uki, disk })).map(toHex)).toEqual([
      ...[calling, separator],
      sha384(partitionTableEvent(disk)),
      toHex(await digestPeImage(uki)),
      toHex(await digestPeImage(kernel)),
      ...exit,
    ]);
  });
});

describe('ukiDigests', () => {
  it('are names and contents of the sections in the stub’s order, then the command line and the initial RAM disk', async () => {
    const expected = [
      ...['.linux\0', kernel, '.cmdline\0', 'console=ttyS0', '.initrd\0', initrd],
      ...[Buffer.from('console=ttyS0\0', 'utf16le'), initrd],
    ];
    expect((await ukiDigests(uki)).map(toHex)).toEqual(expected.map(sha384));
  });

  it.each([
    ['.osrel', 'has a section .osrel'],
    ['.ucode', 'has a section .ucode'],
  ])('rejects an image with %s, of which the kernel receives more than the sections', async (name, message) => {
    const changed = Buffer.from(uki);
    changed.write(name.padEnd(8, '\0'), changed.indexOf('.initrd'), 'latin1');
    await expect(ukiDigests(changed)).rejects.toThrow(message);
  });

  it('rejects an image with a section twice', async () => {
    const changed = Buffer.from(uki);
    changed.write('.linux\0\0', changed.indexOf('.initrd'), 'latin1');
    await expect(ukiDigests(changed)).rejects.toThrow('has 2 sections .linux');
  });

  it('rejects a command line that the stub would trim', async () => {
    const spaced = buildUki({ stub, kernel, cmdline: 'console=ttyS0 ', initrd });
    await expect(ukiDigests(spaced)).rejects.toThrow(/begins or ends with a space/);
  });
});

describe('partitionTableEvent', () => {
  it('has the header, the number of entries in use and these entries', () => {
    const event = partitionTableEvent(disk);
    expect(event.length).toBe(92 + 8 + 128);
    expect(toHex(event.subarray(0, 92))).toBe(disk.subarray(512, 604).toString('hex'));
    expect(toHex(event.subarray(92, 100))).toBe('0100000000000000');
    expect(toHex(event.subarray(100))).toBe(disk.subarray(1024, 1152).toString('hex'));
  });

  it.each([
    ['no signature', (bytes: Buffer) => bytes.fill(0, 512, 520), /begins with "EFI PART"/],
    ['a million entries', (bytes: Buffer) => bytes.writeUInt32LE(1e6, 512 + 80), /up to 1024 entries/],
    ['entries elsewhere', (bytes: Buffer) => bytes.writeUInt32LE(3, 512 + 72), /after its header/],
    ['more entries than bytes', (bytes: Buffer) => bytes.writeUInt32LE(1000, 512 + 80), /inside entry/],
  ])('rejects a table with %s', (_what, change, message) => {
    const changed = Buffer.from(disk);
    change(changed);
    expect(() => partitionTableEvent(changed)).toThrow(message);
  });
});

const partitionTableType = 0x8000_0006;

describe.skipIf(!hasVectors)(`real TDX machines that boot from a disk${vectorsNote}`, () => {
  it.each([
    ['Google’s cloud', 'tdx-go-tdx-guest/ccel/ccel_data.dat'],
    ['QEMU', 'ccel-trustee/CCEL_data_grub'],
  ])('on %s measure the partition table into RTMR1 in this form', (_where, file) => {
    const { events } = parseEventLog(vectorBytes(file));
    const { mrIndex, digest, data } = events.find(({ type }) => type === partitionTableType)!;
    expect(mrIndex).toBe(2);
    // The disk as its table describes it.
    const count = Number(Buffer.from(data).readBigUInt64LE(92));
    const table = Buffer.alloc(34 * 512);
    table.set(data.subarray(0, 92), 512);
    table.set(data.subarray(100), 1024);
    expect(data.length).toBe(100 + count * 128);
    expect(toHex(partitionTableEvent(table))).toBe(toHex(data));
    expect(toHex(digest)).toBe(sha384(data));
  });

  it('on Google’s cloud measure the call, the separator, the partition table, then the image', () => {
    const { events } = parseEventLog(vectorBytes('tdx-go-tdx-guest/ccel/ccel_data.dat'));
    const types = events.filter(({ mrIndex }) => mrIndex === 2).map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual([0x8000_0007, 0x4, partitionTableType, 0x8000_0003]);
    expect(types.slice(-2)).toEqual([0x8000_0007, 0x8000_0007]);
  });
});
