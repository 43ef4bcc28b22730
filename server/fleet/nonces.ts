/**
 * Nonces that this process chose: valid for a minute, once. They are authenticated with a secret, so that a request for one stores
 * nothing; only those that were used are remembered until they expire.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const lifetimeMs = 60_000;
const timeBytes = 8;
const saltBytes = 8;
const tagBytes = 16;
/** Used nonces that are remembered; more are refused until the oldest expire. */
const usedMax = 1024;

export class Nonces {
  readonly #secret = randomBytes(32);
  readonly #now: () => number;
  /** Used nonces by their expiry, the oldest first. */
  readonly #used = new Map<string, number>();

  /** @param now monotonic milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns 64 lowercase hexadecimal digits */
  make(): string {
    const head = Buffer.alloc(timeBytes + saltBytes);
    head.writeDoubleBE(this.#now() + lifetimeMs);
    randomBytes(saltBytes).copy(head, timeBytes);
    return Buffer.concat([head, this.#tagOf(head)]).toString('hex');
  }

  /** Uses a nonce up. @returns whether this process made it within the last minute and it was not used before */
  take(nonce: string): boolean {
    if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
    const bytes = Buffer.from(nonce, 'hex');
    const head = bytes.subarray(0, timeBytes + saltBytes);
    if (!timingSafeEqual(bytes.subarray(head.length), this.#tagOf(head))) return false;
    const expiresAt = head.readDoubleBE();
    const now = this.#now();
    for (const [used, endsAt] of this.#used) {
      if (endsAt > now) break;
      this.#used.delete(used);
    }
    if (expiresAt <= now || this.#used.has(nonce) || this.#used.size >= usedMax) return false;
    // After the expiry of every nonce that was made earlier, so that the order of the map is that of their expiry.
    this.#used.set(nonce, now + lifetimeMs);
    return true;
  }

  #tagOf(head: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(head).digest().subarray(0, tagBytes);
  }
}
