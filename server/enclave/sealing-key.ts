/**
 * The server's half of sealed bodies: a key that is born in memory and never leaves it, and the exchange that each
 * sealed request opens. Synchronous: what is computed here takes microseconds.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { toHex } from '@cloister/attestation/base/bytes';
import { frameHeader } from '@cloister/attestation/sealed/frames';
import { encodeKeyConfig } from '@cloister/attestation/sealed/key-config';
import {
  answerKeys,
  type BodyKeys,
  type ExchangeSecrets,
  exchangeSecrets,
  frameNonce,
  runSteps,
  wipe,
} from '@cloister/attestation/sealed/key-schedule';
import { frameHeaderBytes, frameTextBytesMax, keyBytes, tagBytes } from '@cloister/attestation/sealed/protocol';
import { type Admission, ReplayGuard, type ReplayLimits } from './replay-guard.ts';

const cipherName = 'aes-256-gcm';
const pieceBytes = 128 * 1024;

export interface SealingKey {
  /** X25519, 32 bytes: what evidence has to vouch for. Another one from time to time. */
  readonly publicKey: Uint8Array;
  /** The same as clients fetch it. */
  readonly keyConfig: Uint8Array;
  /**
   * Begins to open a request.
   * @param encapsulatedKey 32 bytes · @returns undefined where they are no usable key
   */
  receive(encapsulatedKey: Uint8Array): SealedExchange | undefined;
}

export interface SealingKeyOptions extends ReplayLimits {
  /** How long a key lives at least: changing it makes every client verify anew. */
  readonly lifetimeMsMin: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
}

/** 32 MiB for what was opened. An account that sends 200 sealed requests a second never waits for the next key. */
const defaultOptions: SealingKeyOptions = {
  requestsMax: 2 ** 20,
  accountRequestsMax: 2 ** 17,
  lifetimeMsMin: 600_000,
  clock: () => performance.now(),
};

/** What becomes of a request whose first frame is authentic; `retired`: its key is not the key any more. */
export type SealedAdmission = Admission | 'retired';

/** A key of this process's own. Its private half stays inside OpenSSL: no variable of ours ever holds it. */
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
        // What a retired key opened is forgotten: it may not open anything more.
        if (own !== current) return 'retired';
        const admission = own.guard.admit(account, encapsulatedKey);
        if (admission !== 'full' || options.clock() - own.bornAt < options.lifetimeMsMin) return admission;
        current = new KeyGeneration(options);
        return 'retired';
      });
    },
  };
}

/** One key, and what it opened. */
class KeyGeneration {
  readonly publicKey: Uint8Array;
  readonly guard: ReplayGuard;
  readonly bornAt: number;
  readonly #privateKey: KeyObject;

  constructor(options: SealingKeyOptions) {
    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    this.publicKey = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
    this.#privateKey = privateKey;
    this.guard = new ReplayGuard(options);
    this.bornAt = options.clock();
  }

  secretsOf(encapsulatedKey: Uint8Array): ExchangeSecrets | undefined {
    const dh = sharedSecret(this.#privateKey, encapsulatedKey);
    if (dh === undefined) return undefined;
    return runSteps(exchangeSecrets({ dh, encapsulatedKey, publicKey: this.publicKey }), hmac);
  }
}

/** One request and its answer. `wipe` it when the answer has ended, in whatever way. */
export class SealedExchange {
  readonly #encapsulatedKey: Uint8Array;
  /** What the keys of the answer are derived from. */
  readonly #exported: Uint8Array;
  readonly #admit: (account: string) => SealedAdmission;
  #request: Direction | undefined;
  #answer: Direction | undefined;

  /** @param admit asks whether the request is the first with its encapsulated key, and takes note of it */
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

  /** @param frame ciphertext and tag · @returns undefined where it is not authentic at this place of the request */
  open(frame: Uint8Array): Buffer | undefined {
    return this.#request?.open(frame);
  }

  /** To be asked once, when the first frame was authentic: a request that was opened before is not taken again. */
  admit(account: string): SealedAdmission {
    return this.#admit(account);
  }

  /** The request is over: draws the keys of its answer and forgets those of the request. @returns the nonce header */
  beginAnswer(): string {
    const responseNonce = randomBytes(keyBytes);
    const encapsulatedKey = this.#encapsulatedKey;
    this.#forgetRequest();
    this.#answer = new Direction(
      runSteps(answerKeys({ exported: this.#exported, encapsulatedKey, responseNonce }), hmac),
    );
    return toHex(responseNonce);
  }

  /** @returns the frames that carry `text` on; nothing for nothing · @throws {TypeError} unless between `beginAnswer` and `wipe` */
  seal(text: Buffer): Buffer {
    if (this.#answer === undefined) throw new TypeError('seal needs an answer under way');
    if (text.length <= frameTextBytesMax) return text.length === 0 ? text : this.#answer.seal(text);
    const frames: Buffer[] = [];
    for (let at = 0; at < text.length; at += frameTextBytesMax) {
      frames.push(this.#answer.seal(text.subarray(at, at + frameTextBytesMax)));
    }
    return Buffer.concat(frames);
  }

  /** Zeroes every secret of the exchange, or hands it to the collector where OpenSSL holds it, which zeroes what it frees. */
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

/** The frames of one direction, in their order. */
class Direction {
  readonly #key: KeyObject;
  readonly #baseNonce: Uint8Array;
  #frames = 0;

  /** @param keys of which the key is zeroed: OpenSSL holds it from here on */
  constructor({ key, baseNonce }: BodyKeys) {
    // Several times faster than to pass the bytes for each frame.
    this.#key = createSecretKey(key);
    this.#baseNonce = baseNonce;
    wipe(key);
  }

  open(frame: Uint8Array): Buffer | undefined {
    const decipher = createDecipheriv(cipherName, this.#key, frameNonce(this.#baseNonce, this.#frames));
    decipher.setAuthTag(frame.subarray(frame.length - tagBytes));
    const text = decipher.update(frame.subarray(0, frame.length - tagBytes));
    try {
      decipher.final();
    } catch {
      wipe(text);
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
    // Piece by piece, so that the cipher's own buffers stay small enough to be used again.
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

function sharedSecret(privateKey: KeyObject, encapsulatedKey: Uint8Array): Uint8Array | undefined {
  const x = Buffer.from(encapsulatedKey).toString('base64url');
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
    return diffieHellman({ privateKey, publicKey });
  } catch {
    // Not 32 bytes, or a point of low order, whose result would be known to anybody.
    return undefined;
  }
}

function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  // Several times faster than to pass the bytes.
  return createHmac('sha256', createSecretKey(key)).update(data).digest();
}
