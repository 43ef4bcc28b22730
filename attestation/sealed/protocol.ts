/**
 * Names and sizes of the Encrypted HTTP Body Protocol (EHBP): HPKE in base mode over whole bodies, in frames, both ways.
 * @see https://github.com/tinfoilsh/encrypted-http-body-protocol SPEC.md · RFC 9180 (HPKE) · RFC 9458 (key derivation)
 */

/** Where a server shows its key. */
export const sealingKeysPath = '/.well-known/hpke-keys';
export const sealingKeysType = 'application/ohttp-keys';

/** Header of a sealed request: the encapsulated key, 32 bytes as hexadecimal digits. Its absence means a plain body. */
export const encapsulatedKeyHeader = 'ehbp-encapsulated-key';
/** Header of a sealed answer: 32 random bytes as hexadecimal digits, drawn for this answer. */
export const responseNonceHeader = 'ehbp-response-nonce';

/** Status and `type` of the answer to a body that was sealed to another key (RFC 9457). */
export const keyProblemStatus = 422;
export const keyProblemType = 'urn:ietf:params:ehbp:error:key-config';
export const problemType = 'application/problem+json';

/** DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM: the one suite in use. */
export const suite = { kem: 0x0020, kdf: 0x0001, aead: 0x0002 } as const;

/** Of an X25519 key, of an AES-256 key, of an encapsulated key and of a response nonce alike. */
export const keyBytes = 32;
export const nonceBytes = 12;
export const tagBytes = 16;
/** Big-endian length of the ciphertext that follows, tag included. */
export const frameHeaderBytes = 4;

/**
 * Plaintext that a writer here puts into one frame: an answer that is no longer cannot lose its end and still be a
 * whole number of frames.
 */
export const frameTextBytesMax = 16 * 1024 * 1024;

/** Ciphertext that a client accepts in one frame. */
export const answerFrameBytesMax = 64 * 1024 * 1024;
