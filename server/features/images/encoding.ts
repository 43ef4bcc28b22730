/** Encodes raw images as files of the requested size, without metadata. */
import type { PixelSize, RawImage } from '@cloister/models/interface/image-model';

export const imageFormats = ['png', 'jpeg', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

const defaultQuality = 92;

/**
 * Loads the encoder. It needs 13 MB of memory, so a server without an image model does not load it.
 * @throws if the library cannot be loaded
 */
export async function loadEncoder(): Promise<typeof import('sharp')['default']> {
  const { default: sharp } = await import('sharp');
  // The library caches recent operations, but no image is encoded twice.
  sharp.cache(false);
  return sharp;
}

/** Maximum bytes of the file of one image: a PNG of noise, with one extra byte per line. */
export function fileBytesMax({ width, height }: PixelSize): number {
  const rawBytes = 3 * width * height + height;
  return rawBytes + Math.ceil(rawBytes / 1000) + 4096;
}

/** Zeroes the pixels of encoded images. */
export function wipePixels(images: readonly RawImage[]): void {
  for (const { pixels } of images) pixels.fill(0);
}

/**
 * @param form.quality of a JPEG or WebP file, 1 to 100
 * @returns the encoded file, without EXIF, profile or text
 */
export async function encodeImage(
  { pixels, width, height }: RawImage,
  { format, size, quality = defaultQuality }: { format: ImageFormat; size: PixelSize; quality?: number | undefined },
): Promise<Buffer> {
  const sharp = await loadEncoder();
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  if (size.width !== width || size.height !== height) {
    picture.resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' });
  }
  switch (format) {
    case 'png':
      return await picture.png({ compressionLevel: 6 }).toBuffer();
    case 'jpeg':
      return await picture.jpeg({ quality }).toBuffer();
    case 'webp':
      return await picture.webp({ quality }).toBuffer();
  }
}
