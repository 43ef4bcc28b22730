/** Unguessable ids. They identify things but grant no access: secrets draw their own random bytes. */
import { randomFillSync } from 'node:crypto';

/** Filled as a whole: one call for 4,096 bytes costs little more than one for 12. */
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
