/**
 * Derives the keys of both directions from a Diffie–Hellman result. The schedule is a generator that yields one HMAC-SHA-256 at a time, so that
 * Node's synchronous HMAC and WebCrypto's asynchronous one run the same code. Secrets that are not returned are zeroed.
 * @see RFC 9180 §4.1 and §5.1 (mode_base) · RFC 9458 §4.4 with EHBP's labels
 */
import { concatBytes } from '../base/bytes.ts';
import { keyBytes, nonceBytes, suite } from './protocol.ts';

export interface HmacStep {
  /** Never empty. */
  readonly key: Uint8Array;
  readonly data: Uint8Array;
}

/** Yields the HMAC to compute and resumes with its 32 bytes, which the generator then owns. */
export type HmacSteps<Result> = Generator<HmacStep, Result, Uint8Array>;

/** Key and base nonce of one direction. Zero both with `wipe` at the end of the body. */
export interface BodyKeys {
  /** AES-256-GCM */
  readonly key: Uint8Array;
  /** XORed with the sequence number of a frame; see `frameNonce`. */
  readonly baseNonce: Uint8Array;
}

export interface ExchangeSecrets {
  readonly request: BodyKeys;
  /** The secret from which the response keys are derived. */
  readonly exported: Uint8Array;
}

/** Part of every derivation, so that a body of another protocol with the same key cannot be opened here. */
const requestInfo = ascii('ehbp request');
const responseLabel = ascii('ehbp response');

const version = ascii('HPKE-v1');
const kemSuite = concatBytes(ascii('KEM'), twoBytes(suite.kem));
const hpkeSuite = concatBytes(ascii('HPKE'), twoBytes(suite.kem), twoBytes(suite.kdf), twoBytes(suite.aead));

/** The empty salt of HKDF-Extract. */
const noSalt = new Uint8Array(32);
const nothing = new Uint8Array();

/** The same for all requests: `contextOf` without a pre-shared key. Not a secret. */
let requestContext: Uint8Array | undefined;

/**
 * The keys of a request, the same for sealing and opening.
 * @param dh X25519 of one side's private and the other's public key; zeroed
 * @param encapsulatedKey the sender's public key for this request · @param publicKey of the server
 */
export function* exchangeSecrets({
  dh,
  encapsulatedKey,
  publicKey,
}: {
  dh: Uint8Array;
  encapsulatedKey: Uint8Array;
  publicKey: Uint8Array;
}): HmacSteps<ExchangeSecrets> {
  const kem = labels(kemSuite);
  const extracted = yield* kem.extract(noSalt, 'eae_prk', dh);
  const kemContext = concatBytes(encapsulatedKey, publicKey);
  const shared = yield* kem.expand(extracted, { label: 'shared_secret', info: kemContext, length: keyBytes });

  const hpke = labels(hpkeSuite);
  requestContext ??= yield* contextOf(hpke);
  const info = requestContext;
  const secret = yield* hpke.extract(shared, 'secret', nothing);
  const key = yield* hpke.expand(secret, { label: 'key', info, length: keyBytes });
  const baseNonce = yield* hpke.expand(secret, { label: 'base_nonce', info, length: nonceBytes });
  const exporter = yield* hpke.expand(secret, { label: 'exp', info, length: keyBytes });
  const exported = yield* hpke.expand(exporter, { label: 'sec', info: responseLabel, length: keyBytes });
  wipe(dh, extracted, shared, secret, exporter);
  return { request: { key, baseNonce }, exported };
}

/** The key schedule context of RFC 9180 §5.1. */
function* contextOf(hpke: ReturnType<typeof labels>): HmacSteps<Uint8Array> {
  const pskIdHash = yield* hpke.extract(noSalt, 'psk_id_hash', nothing);
  const infoHash = yield* hpke.extract(noSalt, 'info_hash', requestInfo);
  return concatBytes(Uint8Array.of(0), pskIdHash, infoHash);
}

/**
 * The keys of a response.
 * @param exported from `exchangeSecrets`; zeroed, because an exchange has one response
 * @param responseNonce 32 random bytes that the server generated for this response
 */
export function* answerKeys({
  exported,
  encapsulatedKey,
  responseNonce,
}: {
  exported: Uint8Array;
  encapsulatedKey: Uint8Array;
  responseNonce: Uint8Array;
}): HmacSteps<BodyKeys> {
  const extracted = yield { key: concatBytes(encapsulatedKey, responseNonce), data: exported };
  const key = yield* expand(extracted, ascii('key'), keyBytes);
  const baseNonce = yield* expand(extracted, ascii('nonce'), nonceBytes);
  wipe(exported, extracted);
  return { key, baseNonce };
}

/** The nonce of a frame. Frames are numbered from 0 to 2³² − 1 per direction. @throws {RangeError} */
export function frameNonce(baseNonce: Uint8Array, sequence: number): Uint8Array<ArrayBuffer> {
  if (!(Number.isInteger(sequence) && sequence >= 0 && sequence < 2 ** 32)) {
    throw new RangeError(`a sequence number must be from 0 to 2³² − 1, got ${sequence}`);
  }
  const nonce = Uint8Array.from(baseNonce);
  const end = new DataView(nonce.buffer, nonceBytes - 4);
  end.setUint32(0, (end.getUint32(0) ^ sequence) >>> 0);
  return nonce;
}

/** Zeroes secrets that are no longer needed. */
export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}

/** Runs a schedule with a synchronous HMAC-SHA-256. */
export function runSteps<Result>(
  steps: HmacSteps<Result>,
  hmac: (key: Uint8Array, data: Uint8Array) => Uint8Array,
): Result {
  let step = steps.next();
  while (!step.done) step = steps.next(hmac(step.value.key, step.value.data));
  return step.value;
}

/** Runs a schedule with an asynchronous HMAC-SHA-256. */
export async function awaitSteps<Result>(
  steps: HmacSteps<Result>,
  hmac: (key: Uint8Array, data: Uint8Array) => Promise<Uint8Array>,
): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await hmac(step.value.key, step.value.data));
  return step.value;
}

interface Expansion {
  readonly label: string;
  readonly info: Uint8Array;
  readonly length: number;
}

/** LabeledExtract and LabeledExpand of RFC 9180 §4 for one suite. */
function labels(suite: Uint8Array) {
  return {
    *extract(salt: Uint8Array, label: string, input: Uint8Array): HmacSteps<Uint8Array> {
      const data = concatBytes(version, suite, ascii(label), input);
      const extracted = yield { key: salt, data };
      wipe(data);
      return extracted;
    },
    *expand(secret: Uint8Array, { label, info, length }: Expansion): HmacSteps<Uint8Array> {
      return yield* expand(secret, concatBytes(twoBytes(length), version, suite, ascii(label), info), length);
    },
  };
}

/** HKDF-Expand of RFC 5869, for output of one block. */
function* expand(secret: Uint8Array, info: Uint8Array, length: number): HmacSteps<Uint8Array> {
  const block = yield { key: secret, data: concatBytes(info, Uint8Array.of(1)) };
  // Not `slice`, which returns a view for a Buffer.
  const expanded = Uint8Array.from(block.subarray(0, length));
  wipe(block);
  return expanded;
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function twoBytes(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}
