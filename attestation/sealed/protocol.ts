/**
 * Names and sizes of the Encrypted HTTP Body Protocol (EHBP): HPKE in base mode over whole bodies, in frames, both ways.
 * @see https://github.com/tinfoilsh/encrypted-http-body-protocol SPEC.md · RFC 9180 (HPKE) · RFC 9458 (key derivation)
 */

/** The path of a server's key configuration. */
export const sealingKeysPath = '/.well-known/hpke-keys';
export const sealingKeysType = 'application/ohttp-keys';

/** Header of a sealed request: the encapsulated key, 32 bytes in hexadecimal. Without it, the body is not sealed. */
export const encapsulatedKeyHeader = 'ehbp-encapsulated-key';
/** Header of a sealed response: 32 random bytes in hexadecimal, generated for this response. */
export const responseNonceHeader = 'ehbp-response-nonce';

/** Status and problem `type` of the response to a body that was sealed to another key (RFC 9457). */
export const keyProblemStatus = 422;
export const keyProblemType = 'urn:ietf:params:ehbp:error:key-config';
export const problemType = 'application/problem+json';

/** The only suite: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
export const suite = { kem: 0x0020, kdf: 0x0001, aead: 0x0002 } as const;

/** Size of X25519 keys, AES-256 keys, encapsulated keys and response nonces. */
export const keyBytes = 32;
export const nonceBytes = 12;
export const tagBytes = 16;
/** Big-endian length of the following ciphertext, including its tag. */
export const frameHeaderBytes = 4;

/**
 * Maximum plaintext per frame that a writer uses. A response of at most this size has one frame, so it cannot be truncated between frames.
 */
export const frameTextBytesMax = 16 * 1024 * 1024;

/** Maximum ciphertext per frame that a client accepts. */
export const answerFrameBytesMax = 64 * 1024 * 1024;
