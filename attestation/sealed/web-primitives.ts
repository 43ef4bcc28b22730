/** The primitives of sealed bodies on WebCrypto, for browsers and Node. Keys cannot be exported from it. */
import { awaitSteps, wipe } from './key-schedule.ts';
import type { Aead, Primitives } from './primitives.ts';

export const webPrimitives: Primitives = {
  async agree(publicKey) {
    const own = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as {
      publicKey: KeyHandle;
      privateKey: KeyHandle;
    };
    const encapsulatedKey = new Uint8Array(await crypto.subtle.exportKey('raw', own.publicKey));
    const theirs = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), 'X25519', false, []);
    const bits = await crypto.subtle.deriveBits({ name: 'X25519', public: theirs }, own.privateKey, 256);
    return { encapsulatedKey, dh: new Uint8Array(bits) };
  },
  derive: (steps) => awaitSteps(steps, hmac),
  sealer: (key) => aesGcm(key, 'encrypt'),
  opener: (key) => aesGcm(key, 'decrypt'),
};

/** The type that browsers call CryptoKey. */
type KeyHandle = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function aesGcm(key: Uint8Array, use: 'encrypt' | 'decrypt'): Promise<Aead> {
  const imported = await crypto.subtle.importKey('raw', key as Uint8Array<ArrayBuffer>, 'AES-GCM', false, [use]);
  wipe(key);
  return async (bytes, iv) =>
    new Uint8Array(await crypto.subtle[use]({ name: 'AES-GCM', iv }, imported, bytes as Uint8Array<ArrayBuffer>));
}

async function hmac(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key as Uint8Array<ArrayBuffer>, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data as Uint8Array<ArrayBuffer>));
}
