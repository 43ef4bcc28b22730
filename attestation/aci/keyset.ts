/**
 * The keyset of a workload: the keys that it generated at its start. Its quote binds the keyset's digest. Receipts, sealed bodies and TLS each
 * have their own keys. Pure, with WebCrypto. See ACI, "Workload keyset".
 */
import { fromHex } from '../base/bytes.ts';
import { sha256Digest } from './digest.ts';
import { canonicalBytes } from './jcs.ts';
import {
  countOf,
  hexOf,
  type Json,
  type JsonObject,
  listOf,
  malformed,
  nullableTextOf,
  objectOf,
  textOf,
} from './strict-json.ts';

/** The algorithm of receipt signatures. */
export const receiptAlgorithm = 'ed25519';
/**
 * The algorithm of sealed bodies: EHBP, which is HPKE with X25519, HKDF-SHA256 and AES-256-GCM (RFC 9180). Public keys are 32 raw bytes.
 */
export const sealingAlgorithm = 'ehbp-x25519-hkdf-sha256-aes-256-gcm';
/** The name of this algorithm in a report's list of sealing methods. */
export const sealingVersion = 'ehbp/1';

export interface Keyset {
  /** A name whose meaning only a policy defines. */
  readonly subject: string | undefined;
  /** Unix seconds. The keyset is invalid from then on. */
  readonly notAfter: number;
  readonly receiptSigningKeys: readonly KeysetKey[];
  readonly e2eePublicKeys: readonly KeysetKey[];
  readonly tlsPublicKeys: readonly KeysetTlsKey[];
}

export interface KeysetKey {
  readonly keyId: string;
  /** Clients ignore keys with unknown algorithms. */
  readonly algorithm: string;
  /** Lowercase hexadecimal for the algorithms above; any text for others. */
  readonly publicKey: string;
}

export interface KeysetTlsKey {
  /** SHA-256 of the certificate's SubjectPublicKeyInfo, 64 lowercase hexadecimal digits. */
  readonly spkiSha256: string;
  /** If present, the key is valid for this host only. */
  readonly domain?: string | undefined;
}

const keysMax = 16;

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseKeyset(value: Json | undefined): Keyset {
  const json = objectOf(value, 'workload_keyset', {
    required: ['subject', 'not_after', 'receipt_signing_keys', 'e2ee_public_keys', 'tls_public_keys'],
  });
  const keyset = {
    subject: nullableTextOf(json.subject, 'subject'),
    notAfter: countOf(json.not_after, 'not_after'),
    receiptSigningKeys: keysOf(json.receipt_signing_keys, 'receipt_signing_keys'),
    e2eePublicKeys: keysOf(json.e2ee_public_keys, 'e2ee_public_keys'),
    tlsPublicKeys: listOf(json.tls_public_keys, 'tls_public_keys', keysMax).map(tlsKeyOf),
  };
  refuseSharedKeys(keyset);
  return keyset;
}

/** Formats a keyset for `parseKeyset`. */
export function keysetDocument(keyset: Keyset): JsonObject {
  return {
    subject: keyset.subject ?? null,
    not_after: keyset.notAfter,
    receipt_signing_keys: keyset.receiptSigningKeys.map(keyDocument),
    e2ee_public_keys: keyset.e2eePublicKeys.map(keyDocument),
    tls_public_keys: keyset.tlsPublicKeys.map(({ spkiSha256, domain }) => ({
      spki_sha256: spkiSha256,
      ...(domain === undefined ? {} : { domain }),
    })),
  };
}

/** @returns `sha256:` and 64 hexadecimal digits of the keyset's canonical form, the identity that a quote binds */
export async function keysetDigest(keyset: Keyset): Promise<string> {
  return sha256Digest(canonicalBytes(keysetDocument(keyset)));
}

/** @returns the raw public key, 32 bytes; undefined if the keyset has no such key of a known algorithm */
export function receiptKey(keyset: Keyset, keyId: string): Uint8Array | undefined {
  return rawKey(keyset.receiptSigningKeys.find((key) => key.keyId === keyId && key.algorithm === receiptAlgorithm));
}

/** @returns the first key to seal bodies to, 32 bytes; undefined if the keyset has none */
export function sealingKey(keyset: Keyset): Uint8Array | undefined {
  return rawKey(keyset.e2eePublicKeys.find(({ algorithm }) => algorithm === sealingAlgorithm));
}

function rawKey(key: KeysetKey | undefined): Uint8Array | undefined {
  const bytes = key === undefined ? undefined : fromHex(key.publicKey);
  return bytes?.length === 32 ? bytes : undefined;
}

function keysOf(value: Json | undefined, what: string): readonly KeysetKey[] {
  const keys = listOf(value, what, keysMax).map((item) => {
    const json = objectOf(item, `a key of ${what}`, { required: ['key_id', 'algo', 'public_key'] });
    const algorithm = textOf(json.algo, `algo of a key of ${what}`, 128);
    const isOurs = algorithm === receiptAlgorithm || algorithm === sealingAlgorithm;
    return {
      keyId: textOf(json.key_id, `key_id of a key of ${what}`, 256),
      algorithm,
      publicKey: isOurs
        ? hexOf(json.public_key, `public_key of a key of ${what}`, 32)
        : textOf(json.public_key, `public_key of a key of ${what}`, 8192),
    };
  });
  // Receipts identify their key by this id alone.
  if (new Set(keys.map(({ keyId }) => keyId)).size < keys.length) throw malformed(what, 'free of repeated key ids');
  return keys;
}

function tlsKeyOf(value: Json): KeysetTlsKey {
  const what = 'a key of tls_public_keys';
  const json = objectOf(value, what, { required: ['spki_sha256'], optional: ['domain'] });
  const spkiSha256 = hexOf(json.spki_sha256, `spki_sha256 of ${what}`, 32);
  return json.domain === undefined
    ? { spkiSha256 }
    : { spkiSha256, domain: textOf(json.domain, `domain of ${what}`, 253) };
}

/** Each key must have one role, so that a signature or ciphertext of one role is invalid in another. */
function refuseSharedKeys({ receiptSigningKeys, e2eePublicKeys }: Keyset): void {
  const signing = new Set(receiptSigningKeys.map(({ publicKey }) => publicKey));
  if (e2eePublicKeys.some(({ publicKey }) => signing.has(publicKey))) {
    throw malformed('workload_keyset', 'free of keys with two roles');
  }
}

function keyDocument({ keyId, algorithm, publicKey }: KeysetKey): JsonObject {
  return { key_id: keyId, algo: algorithm, public_key: publicKey };
}
