/** Pictures that wait to be fetched once: in memory only, for a short time, bounded in bytes, zeroed when they go. */
import { randomBytes } from 'node:crypto';
import { ServerError } from '../errors.ts';

export interface PendingImage {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface PendingImagesOptions {
  readonly bytesMax: number;
  readonly lifetimeMs: number;
}

export class PendingImages {
  readonly #options: PendingImagesOptions;
  readonly #images = new Map<string, PendingImage & { readonly timer: NodeJS.Timeout }>();
  #bytes = 0;

  constructor(options: PendingImagesOptions) {
    this.#options = options;
  }

  /** @returns a token of 256 random bits that fetches it · @throws {ServerError} ERR_IMAGES_FULL */
  keep(image: PendingImage): string {
    const { bytesMax, lifetimeMs } = this.#options;
    if (this.#bytes + image.bytes.length > bytesMax) {
      image.bytes.fill(0);
      throw new ServerError(
        'ERR_IMAGES_FULL',
        'too many pictures wait to be fetched: fetch them, or ask for b64_json',
        {
          details: { retryAfterSeconds: Math.ceil(lifetimeMs / 1000) },
        },
      );
    }
    const token = randomBytes(32).toString('base64url');
    const timer = setTimeout(() => this.#take(token)?.bytes.fill(0), lifetimeMs).unref();
    this.#images.set(token, { ...image, timer });
    this.#bytes += image.bytes.length;
    return token;
  }

  /** The picture, which from now on is the caller's to zero; undefined if it was fetched before or never was. */
  take(token: string): PendingImage | undefined {
    return this.#take(token);
  }

  close(): void {
    for (const token of [...this.#images.keys()]) this.#take(token)?.bytes.fill(0);
  }

  #take(token: string): PendingImage | undefined {
    const image = this.#images.get(token);
    if (image === undefined) return undefined;
    clearTimeout(image.timer);
    this.#images.delete(token);
    this.#bytes -= image.bytes.length;
    return image;
  }
}
