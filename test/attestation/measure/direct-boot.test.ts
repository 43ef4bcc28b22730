/** RTMR1 and RTMR2 of a direct boot, and the Authenticode digest from which RTMR1 is computed. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { concatBytes, toHex } from '../../../attestation/base/bytes.ts';
import { parseEventLog } from '../../../attestation/eventlog/event-log.ts';
import { replayEventLog } from '../../../attestation/eventlog/replay.ts';
import {
  bootEventDigests,
  type DirectBoot,
  measureCommandLine,
  measureKernel,
} from '../../../attestation/measure/direct-boot.ts';
import { extendAll } from '../../../attestation/measure/extend.ts';
import { digestPeImage } from '../../../attestation/measure/pe-image.ts';
import { peOffsets, writePe } from '../../support/attestation/pe-writer.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../../support/vectors.ts';

const initrd = new TextEncoder().encode('initrd');
const boot: DirectBoot = { kernel: writePe(), initrd, cmdline: 'console=ttyS0' };
const sha384 = (...parts: Uint8Array[]) =>
  createHash('sha384')
    .update(concatBytes(...parts))
    .digest('hex');

describe('digestPeImage', () => {
  it('is SHA-384 of the file without its checksum and its certificate table entry', async () => {
    const image = writePe();
    const { checksum, certificates } = peOffsets;
    const parts = [
      image.subarray(0, checksum),
      image.subarray(checksum + 4, certificates),
      image.subarray(certificates + 8),
    ];
    expect(toHex(await digestPeImage(image))).toBe(sha384(...parts));
  });

  it('does not change with the checksum or a signature, and does with anything else', async () => {
    const plain = await digestPeImage(writePe());
    expect(await digestPeImage(writePe({ checksum: 7, signature: 'signed' }))).toEqual(plain);
    expect(await digestPeImage(writePe({ sections: ['code', 'date'] }))).not.toEqual(plain);
    expect(await digestPeImage(writePe({ trailer: 'more' }))).not.toEqual(plain);
  });

  it.each([
    ['is not a PE file', (image: Uint8Array) => image.fill(0, 0x400, 0x404)],
    ['is neither PE32 nor PE32', (image: Uint8Array) => image.fill(0, 0x418, 0x41a)],
    ['ends inside its headers', (image: Uint8Array) => image.fill(0xff, 0x3c, 0x40)],
    ['ends inside a section', (image: Uint8Array) => image.fill(0x7f, 0x400 + 24 + 240 + 16, 0x400 + 24 + 240 + 20)],
  ])('rejects an image that %s', async (message, change) => {
    const image = writePe();
    change(image);
    await expect(digestPeImage(image)).rejects.toMatchObject({
      code: 'ERR_EVIDENCE_MALFORMED',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('measureKernel', () => {
  it('extends the image, the call, the separator and the end of boot services', async () => {
    const digests = [await digestPeImage(boot.kernel), ...(await bootEventDigests())];
    expect(await measureKernel(boot)).toEqual(await extendAll(digests));
  });

  it('changes with the memory and the initial RAM disk only where QEMU writes into the kernel', async () => {
    const patched = (memoryBytes: number, more: Partial<DirectBoot> = {}) =>
      measureKernel({ ...boot, ...more, handover: { kind: 'qemu-patched', memoryBytes } });
    const small = await patched(2 ** 30);
    expect(small).not.toEqual(await measureKernel(boot));
    expect(small).not.toEqual(await patched(2 ** 31));
    expect(small).not.toEqual(await patched(2 ** 30, { initrd: new Uint8Array(8192) }));
    // Memory above the limit of the range below 4 GiB does not change the result.
    expect(await patched(4 * 2 ** 30)).toEqual(await patched(64 * 2 ** 30));
    expect(await measureKernel({ ...boot, initrd: new Uint8Array(8192) })).toEqual(await measureKernel(boot));
  });

  it('rejects a kernel without the boot protocol, where QEMU would write into it', async () => {
    const kernel = writePe({ isKernel: false });
    await expect(
      measureKernel({ ...boot, kernel, handover: { kind: 'qemu-patched', memoryBytes: 2 ** 30 } }),
    ).rejects.toThrow(/boot protocol/);
  });
});

describe('measureCommandLine', () => {
  it('equals the options that the EFI stub receives, then the initial RAM disk', async () => {
    const options = Buffer.from('console=ttyS0 initrd=initrd\0', 'utf16le');
    const digest = (bytes: Uint8Array) => createHash('sha384').update(bytes).digest();
    expect(await measureCommandLine(boot)).toEqual(await extendAll([digest(options), digest(initrd)]));
  });

  it.each(['a\nb', 'ü', 'x'.repeat(2048)])(
    'rejects a command line that Linux would receive in a different form',
    async (cmdline) => {
      await expect(measureCommandLine({ ...boot, cmdline })).rejects.toThrow(/printable ASCII/);
    },
  );
});

describe.skipIf(!hasVectors)(`a real TDX machine's direct boot${vectorsNote}`, () => {
  it('logs the kernel, then the predicted events; only its older firmware lacks the separator', async () => {
    const { events } = parseEventLog(vectorBytes('ccel-trustee/CCEL_data_ovmf'));
    const [kernel, ...rest] = events.filter(({ mrIndex }) => mrIndex === 2).map(({ digest }) => digest);
    const [calling, , ...exit] = await bootEventDigests();
    expect(rest.map(toHex)).toEqual([calling!, ...exit].map(toHex));
    expect(await extendAll([kernel!, ...rest])).toEqual((await replayEventLog(events))[1]);
  });

  it('logs the separator between the call and the started image with newer firmware', () => {
    const { events } = parseEventLog(vectorBytes('tdx-go-tdx-guest/ccel/ccel_data.dat'));
    const names = events.filter(({ mrIndex }) => mrIndex === 2).map(({ data }) => new TextDecoder().decode(data));
    expect(names.slice(0, 2)).toEqual(['Calling EFI Application from Boot Option', '\0\0\0\0']);
  });
});
