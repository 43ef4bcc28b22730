/** TLS 1.3 and nothing older; without a configured certificate one is made whose key exists in memory only. */
import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { ServerError } from '../http/errors.ts';
import { type CertificateIssuer, type CertificateNames, certificateRequest, serverCertificate } from './certificate.ts';

/** PEM texts. */
export interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** Time for the handshake and then for the headers; slow drippers are closed after it. */
const handshakeTimeoutMs = 10_000;
const headersTimeoutMs = 10_000;

const certificateDays = 397;
const dayMs = 24 * 60 * 60 * 1000;

export function tlsOptions({ certificate, key }: TlsIdentity): ServerOptions {
  return {
    cert: certificate,
    key,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: handshakeTimeoutMs,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
    // `requireOneHost` answers with a body.
    requireHostHeader: false,
  };
}

/** @throws {ServerError} ERR_START */
export function readIdentity({ certificatePath, keyPath }: { certificatePath: string; keyPath: string }): TlsIdentity {
  return { certificate: readPem(certificatePath), key: readPem(keyPath) };
}

/** A P-256 certificate for this machine's names and `host`, signed by itself or by `issuer`. The key is never written anywhere. */
export function makeIdentity({ host, issuer, now }: OwnTlsKeyOptions & { now: number }): TlsIdentity {
  return new OwnTlsKey({ host, issuer }).identity({ now });
}

export interface OwnTlsKeyOptions {
  readonly host: string;
  /** Who signs its certificates; undefined: itself. */
  readonly issuer?: CertificateIssuer | undefined;
}

/** A P-256 key that was born in this process, and the certificates it can have. It is never written anywhere. */
export class OwnTlsKey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  readonly #host: string;
  readonly #issuer: CertificateIssuer | undefined;

  constructor({ host, issuer }: OwnTlsKeyOptions) {
    this.#host = host;
    this.#issuer = issuer;
  }

  /** DER of the public key: what tenants pin, and what a quote for the certificate is made over. */
  get spki(): Uint8Array {
    return new Uint8Array(this.#keys.publicKey.export({ type: 'spki', format: 'der' }));
  }

  /** @param quote of this machine over `ratlsReportData(spki)` */
  identity({ now, quote }: { now: number; quote?: Uint8Array | undefined }): TlsIdentity {
    const certificate = serverCertificate({
      ...this.#subject(),
      notBefore: new Date(now - dayMs),
      notAfter: new Date(now + certificateDays * dayMs),
      quote,
      issuer: this.#issuer,
    });
    return { certificate: certificate + (this.#issuer?.certificate ?? ''), key: this.#privatePem() };
  }

  /** What an authority needs to issue a certificate for this key. @returns PEM of a PKCS#10 request */
  request(): string {
    return certificateRequest(this.#subject());
  }

  /** @param chain PEM, the certificate for this key first · @throws {ServerError} ERR_START where it is for another key */
  withChain(chain: string): TlsIdentity {
    if (!isFor(chain, this.#keys.privateKey)) {
      throw new ServerError(
        'ERR_START',
        'the chain is not for the key of this run: issue it for the request printed at start',
      );
    }
    return { certificate: chain, key: this.#privatePem() };
  }

  #subject() {
    return { ...this.#keys, commonName: 'Cloister', ...subjectNames(this.#host) };
  }

  #privatePem(): string {
    return this.#keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  }
}

function isFor(chain: string, key: KeyObject): boolean {
  try {
    return new X509Certificate(chain).checkPrivateKey(key);
  } catch {
    return false;
  }
}

/** What this machine is called by those who reach it. @param host that it listens on */
export function subjectNames(host: string): CertificateNames {
  const ips = new Set(['127.0.0.1', '::1']);
  const names = new Set(['localhost', hostname()]);
  // The unspecified addresses name no machine.
  if (host !== '0.0.0.0' && host !== '::') (isIP(host) ? ips : names).add(host);
  return { dnsNames: [...names], ipAddresses: [...ips] };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ServerError('ERR_START', `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
