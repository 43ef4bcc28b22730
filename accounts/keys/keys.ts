/** What an API key looks like and what is kept of it. Pure but for the random bytes of a new key. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Fixed, so that secret scanners can find a leaked key. */
export const keyPrefix = 'clst_';

/** Live keys one account can have at a time. */
export const keysPerAccountMax = 10;

const secretBytes = 32;
const keyPattern = /^clst_[A-Za-z0-9_-]{43}$/;

/** A new secret: the prefix and 256 random bits in base64url. */
export function newKey(): string {
  return keyPrefix + randomBytes(secretBytes).toString('base64url');
}

/** Whether `text` has the form of a key; says nothing about whether it exists. */
export function hasKeyForm(text: string): boolean {
  return keyPattern.test(text);
}

/** SHA-256, 32 bytes: all that is ever stored of a key. */
export function keyDigest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** In constant time. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** `clst_ab…yz`: enough to recognise a key, not to use it. */
export function keyPreview(key: string): string {
  return `${key.slice(0, keyPrefix.length + 2)}…${key.slice(-2)}`;
}
