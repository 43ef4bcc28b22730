/**
 * The cryptography that a client of sealed bodies needs. WebCrypto takes turns of the event loop, about thirty for a request and its response;
 * Node's own functions return at once.
 */
import type { HmacSteps } from './key-schedule.ts';

export interface Primitives {
  /**
   * Generates a key pair for one request.
   * @param publicKey of the server, X25519, 32 bytes · @returns the public half, and the Diffie–Hellman result, 32 bytes each
   * @throws if the server's key is not a usable one
   */
  readonly agree: (publicKey: Uint8Array) => Soon<{ encapsulatedKey: Uint8Array; dh: Uint8Array }>;
  readonly derive: <Result>(steps: HmacSteps<Result>) => Soon<Result>;
  /** AES-256-GCM. @param key zeroed · @returns encrypts a text; the tag is at the end of the result */
  readonly sealer: (key: Uint8Array) => Soon<Aead>;
  /** AES-256-GCM. @param key zeroed · @returns decrypts what a sealer encrypted, and throws if it is not authentic */
  readonly opener: (key: Uint8Array) => Soon<Aead>;
}

/** @param nonce 12 bytes, used once per key */
export type Aead = (bytes: Uint8Array, nonce: Uint8Array<ArrayBuffer>) => Soon<Uint8Array>;

type Soon<Result> = Result | Promise<Result>;
