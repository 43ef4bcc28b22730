/** Format, digest and preview of API keys. Pure except for the random bytes of a new key. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A fixed prefix, so that secret scanners can find a leaked key. */
export const keyPrefix = 'clst_';

/** Most live keys of an account. */
export const keysPerAccountMax = 10;

const secretBytes = 32;
const keyPattern = /^clst_[A-Za-z0-9_-]{43}$/;

/** Generates a secret: the prefix and 256 random bits in base64url. */
export function newKey(): string {
  return keyPrefix + randomBytes(secretBytes).toString('base64url');
}

/** Whether `text` has the format of a key. Does not check whether the key exists. */
export function hasKeyForm(text: string): boolean {
  return keyPattern.test(text);
}

/** SHA-256 of a key, 32 bytes: the only form in which a key is stored. */
export function keyDigest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Compares in constant time. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** Shortens a key to `clst_ab…yz`, so that its owner can recognize it. */
export function keyPreview(key: string): string {
  return `${key.slice(0, keyPrefix.length + 2)}…${key.slice(-2)}`;
}
