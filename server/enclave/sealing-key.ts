/**
 * The server's side of sealed bodies: a key that exists only in memory, and the exchange of each sealed request. All functions are
 * synchronous and take microseconds.
 */
import { createCipheriv, createSecretKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { toHex } from '@cloister/attestation/base/bytes';
import { frameHeader } from '@cloister/attestation/sealed/frames';
import { encodeKeyConfig } from '@cloister/attestation/sealed/key-config';
import {
  answerKeys,
  type BodyKeys,
  type ExchangeSecrets,
  exchangeSecrets,
  frameNonce,
  wipe,
} from '@cloister/attestation/sealed/key-schedule';
import { bytesOf, deriveInNode, openFrame, sharedSecret } from '@cloister/attestation/sealed/node-primitives';
import { frameHeaderBytes, frameTextBytesMax, keyBytes, tagBytes } from '@cloister/attestation/sealed/protocol';
import { type Admission, ReplayGuard, type ReplayLimits } from './replay-guard.ts';

const cipherName = 'aes-256-gcm';
const pieceBytes = 128 * 1024;

export interface SealingKey {
  /** The current X25519 key, 32 bytes, which evidence vouches for. It is rotated. */
  readonly publicKey: Uint8Array;
  /** The key configuration that clients fetch. */
  readonly keyConfig: Uint8Array;
  /**
   * Starts the exchange of a request.
   * @param encapsulatedKey 32 bytes · @returns undefined if the key is invalid
   */
  receive(encapsulatedKey: Uint8Array): SealedExchange | undefined;
}

export interface SealingKeyOptions extends ReplayLimits {
  /** Minimum lifetime of a key. After a rotation every client verifies the evidence again. */
  readonly lifetimeMsMin: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** The table of opened requests takes 32 MiB. An account with 200 sealed requests per second never has to wait for the next key. */
const defaultOptions: SealingKeyOptions = {
  requestsMax: 2 ** 20,
  accountRequestsMax: 2 ** 17,
  lifetimeMsMin: 600_000,
  clock: () => performance.now(),
};

/** The admission of a request whose first frame is authentic; `retired`: its key was replaced. */
export type SealedAdmission = Admission | 'retired';

/** Creates the sealing key. Its private half stays inside OpenSSL and is never exported. */
export function createSealingKey(given: Partial<SealingKeyOptions> = {}): SealingKey {
  const options = { ...defaultOptions, ...given };
  let current = new KeyGeneration(options);
  return {
    get publicKey() {
      return current.publicKey;
    },
    get keyConfig() {
      return encodeKeyConfig(current.publicKey);
    },
    receive(encapsulatedKey) {
      const own = current;
      const secrets = own.secretsOf(encapsulatedKey);
      if (secrets === undefined) return undefined;
      return new SealedExchange(encapsulatedKey, secrets, (account) => {
        // The table of a retired key is dropped, since the key opens no more requests.
        if (own !== current) return 'retired';
        const admission = own.guard.admit(account, encapsulatedKey);
        if (admission !== 'full' || options.clock() - own.bornAt < options.lifetimeMsMin) return admission;
        current = new KeyGeneration(options);
        return 'retired';
      });
    },
  };
}

/** One key, and the requests that it opened. */
class KeyGeneration {
  readonly publicKey: Uint8Array;
  readonly guard: ReplayGuard;
  readonly bornAt: number;
  readonly #privateKey: KeyObject;

  constructor(options: SealingKeyOptions) {
    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    this.publicKey = bytesOf(publicKey);
    this.#privateKey = privateKey;
    this.guard = new ReplayGuard(options);
    this.bornAt = options.clock();
  }

  secretsOf(encapsulatedKey: Uint8Array): ExchangeSecrets | undefined {
    let dh: Uint8Array;
    try {
      dh = sharedSecret(this.#privateKey, encapsulatedKey);
    } catch {
      return undefined;
    }
    return deriveInNode(exchangeSecrets({ dh, encapsulatedKey, publicKey: this.publicKey }));
  }
}

/** The exchange of one request and its answer. Call `wipe` when the answer ends or is aborted. */
export class SealedExchange {
  readonly #encapsulatedKey: Uint8Array;
  /** The secret that the keys of the answer are derived from. */
  readonly #exported: Uint8Array;
  readonly #admit: (account: string) => SealedAdmission;
  #request: Direction | undefined;
  #answer: Direction | undefined;

  /** @param admit records the request and checks that it is the first with its encapsulated key */
  constructor(
    encapsulatedKey: Uint8Array,
    { request, exported }: ExchangeSecrets,
    admit: (account: string) => SealedAdmission,
  ) {
    this.#admit = admit;
    this.#encapsulatedKey = encapsulatedKey;
    this.#exported = exported;
    this.#request = new Direction(request);
  }

  /** @param frame ciphertext and tag · @returns undefined if it is not authentic at this position of the request */
  open(frame: Uint8Array): Buffer | undefined {
    return this.#request?.open(frame);
  }

  /** Call it once, after the first frame was authentic. It refuses a request that was opened before. */
  admit(account: string): SealedAdmission {
    return this.#admit(account);
  }

  /** Ends the request: derives the keys of the answer and drops those of the request. @returns the nonce header */
  beginAnswer(): string {
    const responseNonce = randomBytes(keyBytes);
    const encapsulatedKey = this.#encapsulatedKey;
    this.#forgetRequest();
    this.#answer = new Direction(
      deriveInNode(answerKeys({ exported: this.#exported, encapsulatedKey, responseNonce })),
    );
    return toHex(responseNonce);
  }

  /** @returns the sealed frames of `text`; empty for an empty text · @throws {TypeError} unless between `beginAnswer` and `wipe` */
  seal(text: Buffer): Buffer {
    if (this.#answer === undefined) throw new TypeError('seal needs an answer in progress');
    if (text.length <= frameTextBytesMax) return text.length === 0 ? text : this.#answer.seal(text);
    const frames: Buffer[] = [];
    for (let at = 0; at < text.length; at += frameTextBytesMax) {
      frames.push(this.#answer.seal(text.subarray(at, at + frameTextBytesMax)));
    }
    return Buffer.concat(frames);
  }

  /** Zeroes every secret of the exchange, or releases it to OpenSSL, which zeroes the memory that it frees. */
  wipe(): void {
    wipe(this.#exported);
    this.#forgetRequest();
    this.#answer?.wipe();
    this.#answer = undefined;
  }

  #forgetRequest(): void {
    this.#request?.wipe();
    this.#request = undefined;
  }
}

/** Seals or opens the frames of one direction, in order. */
class Direction {
  readonly #key: KeyObject;
  readonly #baseNonce: Uint8Array;
  #frames = 0;

  /** @param keys whose key is zeroed after it is copied to OpenSSL */
  constructor({ key, baseNonce }: BodyKeys) {
    // Several times faster than passing the bytes for each frame.
    this.#key = createSecretKey(key);
    this.#baseNonce = baseNonce;
    wipe(key);
  }

  open(frame: Uint8Array): Buffer | undefined {
    const nonce = frameNonce(this.#baseNonce, this.#frames);
    let text: Buffer;
    try {
      text = openFrame(this.#key, frame, nonce);
    } catch {
      return undefined;
    }
    this.#frames += 1;
    return text;
  }

  seal(text: Buffer): Buffer {
    const cipher = createCipheriv(cipherName, this.#key, frameNonce(this.#baseNonce, this.#frames));
    this.#frames += 1;
    const frame = Buffer.allocUnsafe(frameHeaderBytes + text.length + tagBytes);
    frame.set(frameHeader(text.length + tagBytes));
    // In pieces, so that the cipher's buffers stay small and can be reused.
    for (let at = 0; at < text.length; at += pieceBytes) {
      frame.set(cipher.update(text.subarray(at, at + pieceBytes)), frameHeaderBytes + at);
    }
    cipher.final();
    frame.set(cipher.getAuthTag(), frameHeaderBytes + text.length);
    return frame;
  }

  wipe(): void {
    wipe(this.#baseNonce);
  }
}
