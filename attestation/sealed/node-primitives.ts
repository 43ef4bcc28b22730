/** The primitives of sealed bodies on Node's own cryptography, which returns at once. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { concatBytes } from '../base/bytes.ts';
import { type HmacSteps, runSteps, wipe } from './key-schedule.ts';
import type { Primitives } from './primitives.ts';
import { tagBytes } from './protocol.ts';

const cipherName = 'aes-256-gcm';

export const nodePrimitives: Primitives = {
  agree(publicKey) {
    const own = generateKeyPairSync('x25519');
    return { encapsulatedKey: bytesOf(own.publicKey), dh: sharedSecret(own.privateKey, publicKey) };
  },
  derive: deriveInNode,
  sealer(key) {
    const held = createSecretKey(key);
    wipe(key);
    return (bytes, nonce) => {
      const cipher = createCipheriv(cipherName, held, nonce);
      const sealed = cipher.update(bytes);
      cipher.final();
      return concatBytes(sealed, cipher.getAuthTag());
    };
  },
  opener(key) {
    const held = createSecretKey(key);
    wipe(key);
    return (bytes, nonce) => openFrame(held, bytes, nonce);
  },
};

/** AES-256-GCM. @param frame ciphertext and tag · @throws if it is not authentic */
export function openFrame(key: KeyObject, frame: Uint8Array, nonce: Uint8Array): Buffer {
  const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
  decipher.setAuthTag(frame.subarray(-tagBytes));
  const text = decipher.update(frame.subarray(0, -tagBytes));
  try {
    decipher.final();
  } catch (error) {
    wipe(text);
    throw error;
  }
  return text;
}

/** The 32 bytes of an X25519 public key. */
export function bytesOf(publicKey: KeyObject): Uint8Array {
  return Uint8Array.from(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
}

/**
 * X25519.
 * @param theirs 32 bytes · @returns 32 bytes
 * @throws if `theirs` has another length, or is a point of low order, whose shared secret would be public
 */
export function sharedSecret(privateKey: KeyObject, theirs: Uint8Array): Uint8Array {
  const x = Buffer.from(theirs).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  return diffieHellman({ privateKey, publicKey });
}

/** Runs a key schedule with Node's HMAC-SHA-256. */
export function deriveInNode<Result>(steps: HmacSteps<Result>): Result {
  return runSteps(steps, hmac);
}

function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  // Several times faster than passing the bytes.
  return createHmac('sha256', createSecretKey(key)).update(data).digest();
}
