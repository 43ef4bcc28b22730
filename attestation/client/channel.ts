/** Compares the key of a TLS connection with the attested keys. Pure. */
import { refuse } from '../verify/checks.ts';

/** The server that completed the TLS handshake. */
export interface ObservedServer {
  /** The host of the URL, in lower case. */
  readonly host: string;
  /** SHA-256 of the certificate's public key (SubjectPublicKeyInfo), 64 lowercase hexadecimal digits. */
  readonly spkiSha256: string;
}

/** A TLS key of a keyset. With a domain, it is valid for that host only. */
export interface PinnedTlsKey {
  readonly spkiSha256: string;
  readonly domain?: string | undefined;
}

/**
 * Requires that the server's TLS key is attested, for this host.
 * @returns the finding for the check table
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function requireAttestedKey({ host, spkiSha256 }: ObservedServer, keys: readonly PinnedTlsKey[]): string {
  const same = keys.filter((key) => key.spkiSha256 === spkiSha256);
  if (same.length === 0) {
    refuse(`${host} has the key ${spkiSha256}, which is not among the ${keys.length} attested TLS keys`);
  }
  if (!same.some(({ domain }) => domain === undefined || domain.toLowerCase() === host)) {
    refuse(`${host} has a key that is attested for ${same.map(({ domain }) => domain).join(', ')}`);
  }
  return `${host} has the key ${spkiSha256}`;
}
