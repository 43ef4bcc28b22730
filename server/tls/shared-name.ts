/**
 * The certificate of the name that all nodes of a fleet share. Clients that ask for one of its names (SNI) get it; all others, and
 * those that ask for the node's own name, get the certificate of the node, whose key is in its evidence.
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ServerError } from '../http/errors.ts';

export interface SharedIdentity {
  /** PEM, the certificate first, then its chain. */
  readonly certificate: Buffer;
  /** PEM. */
  readonly key: Buffer;
}

export class SharedName {
  readonly #certificate: X509Certificate;
  readonly #context: SecureContext;
  readonly #ownName: string;

  /**
   * @param ownName the host of the node's own address, which other nodes verify
   * @throws {ServerError} ERR_START if the certificate cannot be read or is not for the key; the message contains neither
   */
  constructor({ certificate, key }: SharedIdentity, { ownName }: { ownName: string }) {
    try {
      this.#certificate = new X509Certificate(certificate);
      this.#context = createSecureContext({ cert: certificate, key, minVersion: 'TLSv1.3' });
    } catch (cause) {
      const reason = (cause as NodeJS.ErrnoException).code ?? 'malformed';
      throw new ServerError(
        'ERR_START',
        `the certificate and key of the fleet's shared name cannot be used: ${reason}`,
      );
    }
    this.#ownName = ownName.toLowerCase();
  }

  /** Whether a client that asks for this name gets the shared certificate. */
  has(servername: string): boolean {
    const name = servername.toLowerCase();
    return name !== this.#ownName && this.#certificate.checkHost(name) !== undefined;
  }

  /** Milliseconds since 1970. */
  get expiresAtMs(): number {
    return Date.parse(this.#certificate.validTo);
  }

  /** The context for a client that asks for this name, if it gets the shared certificate. */
  contextFor(servername: string): SecureContext | undefined {
    return this.has(servername) ? this.#context : undefined;
  }
}
