/** Decoding of callers' images to pixels, and what is refused. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImages } from '../../../../server/features/chat/decode-images.ts';

const path = 'messages[0].content[1]';
const red = { create: { width: 6, height: 4, channels: 3, background: { r: 255, g: 0, b: 0 } } } as const;

function decode(url: string, signal = new AbortController().signal) {
  return decodeImages([{ path, url }], signal);
}

function dataUrl(file: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${file.toString('base64')}`;
}

describe('an image', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('in %s gives its size and pixels in RGB', async (format) => {
    const [image] = await decode(dataUrl(await sharp(red).toFormat(format).toBuffer()));
    expect(image).toMatchObject({ width: 6, height: 4 });
    expect(image!.pixels).toHaveLength(6 * 4 * 3);
    expect(image!.pixels[0]).toBeGreaterThan(240);
    expect(Math.max(image!.pixels[1]!, image!.pixels[2]!)).toBeLessThan(15);
  });

  it('that is transparent or grey is put on white, in RGB', async () => {
    const clear = { create: { width: 1, height: 1, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } } as const;
    const [white] = await decode(dataUrl(await sharp(clear).png().toBuffer()));
    expect([...white!.pixels]).toEqual([255, 255, 255]);
    const [grey] = await decode(dataUrl(await sharp(red).greyscale().png().toBuffer()));
    expect(grey!.pixels).toHaveLength(6 * 4 * 3);
  });

  it('with longer sides than a model reads is made smaller, and turned as its metadata says', async () => {
    const wide = { create: { ...red.create, width: 4096, height: 16 } };
    const [image] = await decode(dataUrl(await sharp(wide).jpeg().withMetadata({ orientation: 6 }).toBuffer()));
    expect(image).toMatchObject({ width: 8, height: 2048 });
  });
});

describe('a refusal names the part and', () => {
  const intact = 'must be an intact JPEG, PNG, WebP or GIF image of at most 40 million pixels';

  it('says that links are not fetched', async () => {
    await expect(decode('https://example.com/a.png')).rejects.toThrow(
      `\`${path}\` must be a data URL: this server does not fetch links`,
    );
    await expect(decode('file:///etc/passwd')).rejects.toThrow('must be a data URL of an image, in base64');
  });

  it('says what files are read', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
    const png = await sharp(red).png().toBuffer();
    const tiff = await sharp(red).tiff().toBuffer();
    for (const file of [svg, tiff, png.subarray(0, 40), Buffer.from('no image')]) {
      await expect(decode(dataUrl(file))).rejects.toThrow(`\`${path}\` ${intact}`);
    }
    await expect(decode('data:image/png;base64,')).rejects.toThrow(intact);
  });

  it('stops at the number of pixels that the header states, before it decodes them', async () => {
    const file = await sharp(red).png().toBuffer();
    file.writeUInt32BE(30_000, 16);
    file.writeUInt32BE(30_000, 20);
    await expect(decode(dataUrl(file))).rejects.toThrow(intact);
  });

  it('limits the size of the file', async () => {
    const url = `data:image/png;base64,${'A'.repeat(23 * 1024 * 1024)}`;
    await expect(decode(url)).rejects.toThrow('must have at most 16 MiB');
  });
});

it('decodes nothing for a caller who has left', async () => {
  await expect(decode('data:image/png;base64,AAAA', AbortSignal.abort())).rejects.toThrow();
});
