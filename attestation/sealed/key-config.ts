/** The key configuration at `sealingKeysPath`: one `key_config` of RFC 9458 §3.1, without a length prefix. */
import { ByteReader, concatBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { keyBytes, suite } from './protocol.ts';

/** @param publicKey X25519, 32 bytes · @returns key id 0, KEM, key, and one pair of KDF and AEAD: 41 bytes */
export function encodeKeyConfig(publicKey: Uint8Array): Uint8Array<ArrayBuffer> {
  if (publicKey.length !== keyBytes) throw new TypeError(`publicKey must be ${keyBytes} bytes`);
  const suites = [suite.kdf, suite.aead].flatMap(twoBytes);
  return concatBytes(
    Uint8Array.from([0, ...twoBytes(suite.kem)]),
    publicKey,
    Uint8Array.from([...twoBytes(suites.length), ...suites]),
  );
}

/**
 * Parses the first configuration and ignores any others. The configuration does not authenticate the key: take the key from verified
 * evidence, or compare it.
 * @returns the X25519 public key, 32 bytes · @throws {AttestationError} ERR_SEALED_MALFORMED, also for other suites
 */
export function parseKeyConfig(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes, 'the key configuration', 'ERR_SEALED_MALFORMED');
  reader.bytes(1, 'the key id');
  const kem = bigEndian(reader.bytes(2, 'the KEM'));
  if (kem !== suite.kem) throw unsupported(`KEM ${kem}`);
  const publicKey = Uint8Array.from(reader.bytes(keyBytes, 'the public key'));
  const suites = reader.bytes(bigEndian(reader.bytes(2, 'the length of the suites')), 'the suites');
  if (suites.length % 4 !== 0) throw unsupported(`a list of suites of ${suites.length} bytes`);
  for (let at = 0; at < suites.length; at += 4) {
    const kdf = bigEndian(suites.subarray(at, at + 2));
    const aead = bigEndian(suites.subarray(at + 2, at + 4));
    if (kdf === suite.kdf && aead === suite.aead) return publicKey;
  }
  throw unsupported('only other suites');
}

function unsupported(what: string): AttestationError {
  return new AttestationError(
    'ERR_SEALED_MALFORMED',
    `the key configuration must be for X25519, HKDF-SHA256 and AES-256-GCM, got ${what}`,
  );
}

function twoBytes(value: number): [number, number] {
  return [value >> 8, value & 0xff];
}

function bigEndian(bytes: Uint8Array): number {
  return (bytes[0]! << 8) | bytes[1]!;
}
