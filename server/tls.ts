/** TLS 1.3 and nothing older; without a configured certificate one is made whose key exists in memory only. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { selfSignedCertificate } from './certificate.ts';
import { ServerError } from './errors.ts';

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
  };
}

export interface IdentitySource {
  /** The operator's own PEM files, both or neither. */
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly host: string;
  readonly now: number;
}

/** The configured identity, or a new one. @throws {ServerError} ERR_START */
export function openIdentity({ tlsCert, tlsKey, host, now }: IdentitySource): TlsIdentity {
  if (tlsCert !== undefined && tlsKey !== undefined) return readIdentity({ certificatePath: tlsCert, keyPath: tlsKey });
  return makeIdentity({ host, now });
}

/** @throws {ServerError} ERR_START */
export function readIdentity({ certificatePath, keyPath }: { certificatePath: string; keyPath: string }): TlsIdentity {
  return { certificate: readPem(certificatePath), key: readPem(keyPath) };
}

/** A self-signed P-256 certificate for this machine's names and `host`. The key is never written anywhere. */
export function makeIdentity({ host, now }: { host: string; now: number }): TlsIdentity {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const certificate = selfSignedCertificate({
    ...keys,
    commonName: 'Cloister',
    ...subjectNames(host),
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + certificateDays * dayMs),
  });
  return { certificate, key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function subjectNames(host: string): { dnsNames: string[]; ipAddresses: string[] } {
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
