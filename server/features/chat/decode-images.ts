/** Decodes the images of a chat to pixels. The model's own library never reads what a caller sends. */
import type { ChatImage } from '@cloister/models/interface/model';
import { refusePlace } from '../../http/body-reader.ts';
import type { ImagePart } from './image-parts.ts';

/** Of one image file. */
const fileBytesMax = 16 * 1024 * 1024;
/** Of one decoded image, before it is made smaller. */
const pixelsMax = 40_000_000;
/** Larger images are made smaller; no projector reads more. Equal to `imageSideMax` of the addon. */
const sideMax = 2048;
const decodeSeconds = 10;
/** Decoders of formats that clients send. The library has more, which are not needed and are blocked. */
const loaders = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'];

let sharpLoaded: ReturnType<typeof loadDecoder> | undefined;

/**
 * Loads the decoder, once.
 * @throws if the library cannot be loaded
 */
export async function loadDecoder(): Promise<typeof import('sharp')['default']> {
  const { default: sharp } = await import('sharp');
  // The library caches recent operations, and with them images.
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders });
  return sharp;
}

/**
 * Decodes images one after another, so that a request with many takes no more threads than one with a single image.
 * @param signal aborting ends the work before the next image
 * @throws {ServerError} ERR_REQUEST_INVALID naming the part
 */
export async function decodeImages(parts: readonly ImagePart[], signal: AbortSignal): Promise<readonly ChatImage[]> {
  const images: ChatImage[] = [];
  for (const part of parts) {
    signal.throwIfAborted();
    images.push(await decodeImage(part));
  }
  return images;
}

/** Zeroes the pixels of images that have been handed to a model. */
export function wipeImages(images: readonly ChatImage[]): void {
  for (const { pixels } of images) pixels.fill(0);
}

async function decodeImage({ path, url }: ImagePart): Promise<ChatImage> {
  const file = readDataUrl(path, url);
  sharpLoaded ??= loadDecoder();
  const sharp = await sharpLoaded;
  try {
    const { data, info } = await sharp(file, { limitInputPixels: pixelsMax, pages: 1 })
      .timeout({ seconds: decodeSeconds })
      .autoOrient()
      .resize(sideMax, sideMax, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) refusePlace(path, undecodable);
    return { pixels: data, width: info.width, height: info.height };
  } catch {
    return refusePlace(path, undecodable);
  } finally {
    file.fill(0);
  }
}

const undecodable = `must be an intact JPEG, PNG, WebP or GIF image of at most ${pixelsMax / 1_000_000} million pixels`;

function readDataUrl(path: string, url: string): Buffer {
  const [, data] = /^data:image\/[a-z0-9.+-]{1,64};base64,(.*)$/is.exec(url.slice(0, 128)) ?? [];
  if (data === undefined) {
    if (/^https?:/i.test(url)) refusePlace(path, 'must be a data URL: this server does not fetch links');
    refusePlace(path, 'must be a data URL of an image, in base64');
  }
  const text = url.slice(url.indexOf(',') + 1);
  if (text.length > Math.ceil(fileBytesMax / 3) * 4) {
    refusePlace(path, `must have at most ${fileBytesMax / 1024 / 1024} MiB`);
  }
  return Buffer.from(text, 'base64');
}
