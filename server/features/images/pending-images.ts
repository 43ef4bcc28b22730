/** Images to be fetched once by link: in memory only, for a short time, bounded in bytes, zeroed when they are removed. */
import { randomBytes } from 'node:crypto';
import { ServerError } from '../../http/errors.ts';

export interface PendingImage {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface PendingImagesOptions {
  readonly bytesMax: number;
  readonly lifetimeMs: number;
}

/** Memory reserved for the images of one answer. Free it after the answer; stored images stay. */
export interface ImageRoom {
  /** @returns a token of 256 random bits for the link · @throws {ServerError} ERR_IMAGES_FULL after zeroing the image */
  keep(image: PendingImage): string;
  free(): void;
}

export class PendingImages {
  readonly #options: PendingImagesOptions;
  readonly #images = new Map<string, PendingImage & { readonly timer: NodeJS.Timeout }>();
  #bytes = 0;

  constructor(options: PendingImagesOptions) {
    this.#options = options;
  }

  /**
   * Reserves memory before the images are generated, so that no charged work is lost for lack of memory.
   * @param bytes maximum size of the images; more than the total limit reserves all of it
   * @throws {ServerError} ERR_IMAGES_FULL
   */
  reserve(bytes: number): ImageRoom {
    let left = Math.min(bytes, this.#options.bytesMax);
    this.#occupy(left);
    return {
      keep: (image) => {
        const own = Math.min(left, image.bytes.length);
        try {
          this.#occupy(image.bytes.length - own);
        } catch (error) {
          image.bytes.fill(0);
          throw error;
        }
        left -= own;
        return this.#keep(image);
      },
      free: () => {
        this.#bytes -= left;
        left = 0;
      },
    };
  }

  /** Removes and returns the image, which the caller must zero; undefined if the token is unknown or used. */
  take(token: string): PendingImage | undefined {
    const image = this.#images.get(token);
    if (image === undefined) return undefined;
    clearTimeout(image.timer);
    this.#images.delete(token);
    this.#bytes -= image.bytes.length;
    return image;
  }

  close(): void {
    for (const token of [...this.#images.keys()]) this.take(token)?.bytes.fill(0);
  }

  #occupy(bytes: number): void {
    const { bytesMax, lifetimeMs } = this.#options;
    if (this.#bytes + bytes > bytesMax) {
      throw new ServerError(
        'ERR_IMAGES_FULL',
        'too many images are waiting to be fetched: fetch them, or request b64_json',
        { details: { retryAfterSeconds: Math.ceil(lifetimeMs / 1000) } },
      );
    }
    this.#bytes += bytes;
  }

  #keep(image: PendingImage): string {
    const token = randomBytes(32).toString('base64url');
    const timer = setTimeout(() => this.take(token)?.bytes.fill(0), this.#options.lifetimeMs).unref();
    this.#images.set(token, { ...image, timer });
    return token;
  }
}
