import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeImage, imageFormats } from '../../../../server/features/images/encoding.ts';

const red = {
  width: 16,
  height: 8,
  pixels: Uint8Array.from({ length: 16 * 8 * 3 }, (_, at) => (at % 3 === 0 ? 255 : 0)),
};

it('leaves no image data in a cache', async () => {
  await encodeImage(red, { format: 'png', size: { width: 64, height: 32 } });
  expect(sharp.cache()).toMatchObject({ memory: { current: 0, max: 0 }, items: { current: 0, max: 0 } });
});

it('is a smaller file with less quality', async () => {
  const pixels = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7919) % 251);
  for (const format of ['jpeg', 'webp'] as const) {
    const form = { format, size: { width: 64, height: 64 } };
    const [low, high] = await Promise.all(
      [10, 90].map((quality) => encodeImage({ width: 64, height: 64, pixels }, { ...form, quality })),
    );
    expect(low!.length).toBeLessThan(high!.length);
  }
});

describe.each(imageFormats)('an image encoded as %s', (format) => {
  it('has the requested size and colours, and no EXIF, profile or text', async () => {
    const file = await encodeImage(red, { format, size: { width: 64, height: 32 } });
    const metadata = await sharp(file).metadata();
    expect(metadata).toMatchObject({ format, width: 64, height: 32, channels: 3 });
    const { exif, icc, iptc, xmp, comments } = metadata;
    expect({ exif, icc, iptc, xmp, comments }).toEqual({});
    for (const word of ['Exif', 'http', 'tEXt', 'iTXt', 'zTXt', 'XMP', 'Creator']) {
      expect(file.includes(word), word).toBe(false);
    }
    const [r, g, b] = await sharp(file).raw().toBuffer();
    expect(r).toBeGreaterThan(240);
    expect(Math.max(g!, b!)).toBeLessThan(15);
  });
});
