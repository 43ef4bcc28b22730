/** TLS 1.3 only. Without a configured certificate, one is created whose key exists in memory only. */
import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { isIP, type Server as NetServer } from 'node:net';
import { hostname } from 'node:os';
import { createSecureContext, type SecureContext, type Server as TlsServer } from 'node:tls';
import { ServerError } from '../http/errors.ts';
import { type CertificateIssuer, type CertificateNames, certificateRequest, serverCertificate } from './certificate.ts';
import type { SharedName } from './shared-name.ts';

/** PEM texts. */
export interface TlsIdentity {
  readonly certificate: string;
  readonly key: string;
  /** For clients that connect by one of these names. Undefined: they get `certificate`, too. */
  readonly byName?: CertificateByName | undefined;
}

/**
 * A chain without IP addresses, for the same key. BoringSSL, and thus Claude Code, refuses a certificate with an address under an
 * authority that is restricted to addresses, even where they match.
 */
export interface CertificateByName {
  readonly names: readonly string[];
  /** PEM. */
  readonly certificate: string;
}

/** Timeout of the handshake, and then of the headers. */
const handshakeTimeoutMs = 10_000;
const headersTimeoutMs = 10_000;

const commonName = 'Cloister';
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

/** Uses this identity for new connections; open ones continue. @param opened a server with `tlsOptions` and `byServerName` */
export function useIdentity(opened: NetServer, identity: TlsIdentity): void {
  const server = opened as TlsServer;
  server.setSecureContext(tlsOptions(identity));
  const { byName, key } = identity;
  if (byName === undefined) contextsByName.delete(opened);
  else {
    const context = createSecureContext({ cert: byName.certificate, key, minVersion: 'TLSv1.3' });
    contextsByName.set(opened, { names: new Set(byName.names.map((name) => name.toLowerCase())), context });
  }
}

/**
 * For the options of a server, next to `tlsOptions`: which certificate a client gets that asks for a name (SNI). That of the shared
 * name comes first, then that of `useIdentity` for names; all others get the server's own.
 */
export function byServerName(server: () => NetServer, shared?: SharedName): Pick<ServerOptions, 'SNICallback'> {
  return {
    SNICallback(name, done) {
      const own = contextsByName.get(server());
      const named = own?.names.has(name.toLowerCase()) === true ? own.context : undefined;
      done(null, shared?.contextFor(name) ?? named);
    },
  };
}

const contextsByName = new WeakMap<
  NetServer,
  { readonly names: ReadonlySet<string>; readonly context: SecureContext }
>();

/** @throws {ServerError} ERR_START */
export function readIdentity({ certificatePath, keyPath }: { certificatePath: string; keyPath: string }): TlsIdentity {
  return { certificate: readPem(certificatePath), key: readPem(keyPath) };
}

/** A P-256 certificate for this machine's names and `host`, self-signed or signed by `issuer`. The key is never written to disk. */
export function makeIdentity({ now, ...options }: OwnTlsKeyOptions & { now: number }): TlsIdentity {
  return new OwnTlsKey(options).identity({ now });
}

export interface OwnTlsKeyOptions {
  readonly host: string;
  /** Further names and addresses of this machine. */
  readonly names?: readonly string[];
  /** The issuer of its certificates; undefined: self-signed. */
  readonly issuer?: CertificateIssuer | undefined;
}

/** A P-256 key created in this process, and its certificates. The key is never written to disk. */
export class OwnTlsKey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  readonly #names: CertificateNames;
  readonly #issuer: CertificateIssuer | undefined;

  constructor({ host, names = [], issuer }: OwnTlsKeyOptions) {
    this.#names = subjectNames(host, names);
    this.#issuer = issuer;
  }

  /** DER of the public key, which tenants pin and which quotes for the certificate are made over. */
  get spki(): Uint8Array {
    return new Uint8Array(this.#keys.publicKey.export({ type: 'spki', format: 'der' }));
  }

  /** @param quote of this machine over `ratlsReportData(spki)` */
  identity({ now, quote }: { now: number; quote?: Uint8Array | undefined }): TlsIdentity {
    const issue = (names: CertificateNames): string =>
      serverCertificate({
        ...{ ...this.#keys, ...names, commonName, quote, issuer: this.#issuer },
        notBefore: new Date(now - dayMs),
        notAfter: new Date(now + certificateDays * dayMs),
      }) + (this.#issuer?.certificate ?? '');
    const { dnsNames } = this.#names;
    // Only authorities of ours are restricted to names.
    const byName = this.#issuer && { names: dnsNames, certificate: issue({ dnsNames, ipAddresses: [] }) };
    return { certificate: issue(this.#names), key: this.#privatePem(), byName };
  }

  /** A certificate request for this key. @returns PEM of a PKCS#10 request */
  request(): string {
    return certificateRequest(this.#subject());
  }

  /** @param chain PEM, the certificate for this key first · @throws {ServerError} ERR_START if it is for another key */
  withChain(chain: string): TlsIdentity {
    if (!isFor(chain, this.#keys.privateKey)) {
      throw new ServerError(
        'ERR_START',
        'the certificate chain is not for the key of this run: issue it for the request printed at start',
      );
    }
    return { certificate: chain, key: this.#privatePem() };
  }

  #subject() {
    return { ...this.#keys, commonName, ...this.#names };
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

/** The names of this machine for its clients. @param host that it listens on · @param more further names and addresses */
export function subjectNames(host: string, more: readonly string[] = []): CertificateNames {
  const ips = new Set(['127.0.0.1', '::1']);
  const names = new Set(['localhost', hostname()]);
  // The unspecified addresses are not names of a machine.
  // Sorted, so that the order in which they are given does not replace the development authority.
  const sorted = more.toSorted();
  const given = host === '0.0.0.0' || host === '::' ? sorted : [host, ...sorted];
  for (const name of given) (isIP(name) ? ips : names).add(name);
  return { dnsNames: [...names], ipAddresses: [...ips] };
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ServerError('ERR_START', `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
