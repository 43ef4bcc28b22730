/** Pictures that wait to be fetched once: in memory only, for a short time, bounded in bytes, zeroed when they go. */
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

/** Room for the pictures of one answer. Free it when the answer is over: pictures that are kept stay. */
export interface ImageRoom {
  /** @returns a token of 256 random bits that fetches it · @throws {ServerError} ERR_IMAGES_FULL, the picture zeroed */
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
   * Sets room aside before anything is drawn, so that no work is done, and charged, whose pictures would then find none.
   * @param bytes the most that they can take; of more than there is in all, all of it
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

  /** The picture, which from now on is the caller's to zero; undefined if it was fetched before or never was. */
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
        'too many pictures wait to be fetched: fetch them, or ask for b64_json',
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
