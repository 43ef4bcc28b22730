/** Whether the server at the other end of a TLS connection is the one whose keys were attested. Pure. */
import { refuse } from '../verify/checks.ts';

/** Who answered the handshake. */
export interface ObservedServer {
  /** As in the address, lower case. */
  readonly host: string;
  /** SHA-256 of the certificate's public key (SubjectPublicKeyInfo), 64 lowercase hexadecimal digits. */
  readonly spkiSha256: string;
}

/** A TLS key of a keyset: with a domain it is good for that host only. */
export interface PinnedTlsKey {
  readonly spkiSha256: string;
  readonly domain?: string | undefined;
}

/**
 * @returns what was found, as a sentence
 * @throws {AttestationError} ERR_NOT_VERIFIED where none of the keys is this server's, for this host
 */
export function requireAttestedKey({ host, spkiSha256 }: ObservedServer, keys: readonly PinnedTlsKey[]): string {
  const same = keys.filter((key) => key.spkiSha256 === spkiSha256);
  if (same.length === 0) {
    refuse(`${host} has the key ${spkiSha256}, which is none of the ${keys.length} attested TLS keys`);
  }
  if (!same.some(({ domain }) => domain === undefined || domain.toLowerCase() === host)) {
    refuse(`${host} has a key that was attested for ${same.map(({ domain }) => domain).join(', ')}`);
  }
  return `${host} has the key ${spkiSha256}`;
}
