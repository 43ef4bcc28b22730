/** Ids that nobody can guess. They name things and open nothing: what must stay secret draws its own random bytes. */
import { randomFillSync } from 'node:crypto';

/** Filled at once: a draw costs the same for 12 bytes as for all, more than ten ids. */
const drawn = Buffer.alloc(4096);
let used = drawn.length;

/** @param bytes of randomness, at most 4,096 · @returns them as base64url */
export function randomId(bytes: number): string {
  if (used + bytes > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += bytes;
  return drawn.toString('base64url', used - bytes, used);
}
