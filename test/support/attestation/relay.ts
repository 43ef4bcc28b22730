/** A relay with the server's TLS key: it terminates the client's TLS connection and forwards the server's evidence. */
import { X509Certificate } from 'node:crypto';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { fromHex } from '../../../attestation/base/bytes.ts';
import { reportPath } from '../../../attestation/client/report-request.ts';
import { type TlsIdentity, tlsOptions } from '../../../server/tls/tls.ts';

export interface RelayOptions {
  readonly identity: TlsIdentity;
  readonly target: { readonly port: number };
  /** Determines the answer to a request for a connection's proof. @param path with the client's nonce */
  readonly proof: (path: string, socket: TLSSocket) => Promise<string>;
  /** Bytes sent directly after the handshake, before any request. */
  readonly unasked?: () => string | undefined;
}

export interface Relay {
  readonly origin: string;
  /** Requests other than those for evidence: a client must send none. */
  readonly stolen: string[];
  /** Handshakes that resumed a session issued by this relay. */
  readonly resumed: () => number;
  /** Takes effect at the next handshake. */
  speakOnly(version: SecureVersion): void;
  close(): Promise<void>;
}

/** Reports are forwarded unchanged, so that the client verifies the server. */
export async function startRelay({ identity, target, proof, unasked }: RelayOptions): Promise<Relay> {
  const stolen: string[] = [];
  let resumed = 0;
  const options = tlsOptions(identity);
  const server = https.createServer(options, async (request, response) => {
    const { url = '', socket } = request;
    try {
      if (url.startsWith(reportPath)) response.end((await askServer(target.port, url)).body);
      else if (url.startsWith('/v1/aci/channel')) response.end(await proof(url, socket as TLSSocket));
      else {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        stolen.push(`${url} ${Buffer.concat(parts)}`);
        response.end('{}');
      }
    } catch {
      response.destroy();
    }
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.isSessionReused()) resumed += 1;
    const early = unasked?.();
    if (early !== undefined) socket.write(early);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    stolen,
    resumed: () => resumed,
    speakOnly: (version) => server.setSecureContext({ ...options, minVersion: version, maxVersion: version }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Asked {
  readonly status: number;
  readonly body: string;
  readonly isResumed: boolean;
  /** TLS session that `askServer` resumes. */
  readonly session: Buffer | undefined;
}

/**
 * Requests a proof from the server on the relay's own connection. The bytes are sent as early as possible: with the end of the
 * handshake.
 * @param session to resume, from an earlier answer
 */
export function askServer(port: number, path: string, session?: Buffer): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...(session && { session }) });
    let ticket: Buffer | undefined;
    let isResumed = false;
    socket.once('secureConnect', () => {
      isResumed = socket.isSessionReused();
    });
    const parts: Buffer[] = [];
    socket.on('session', (one) => {
      ticket = one;
    });
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.once('error', reject).once('close', () => {
      const [head = '', body = ''] = Buffer.concat(parts).toString('latin1').split('\r\n\r\n', 2);
      const status = Number(head.slice(9, 12));
      resolve({ status, body, isResumed, session: ticket });
    });
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  });
}

/** The digest of a certificate in a proof's statement. */
export async function certificateDigest({ certificate }: TlsIdentity): Promise<string> {
  const { raw } = new X509Certificate(certificate);
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(raw));
  return Buffer.from(digest).toString('hex');
}

/** The nonce of a request for a proof. */
export function nonceOf(path: string): string {
  const nonce = new URL(path, 'https://localhost').searchParams.get('nonce') ?? '';
  if (fromHex(nonce)?.length !== 32) throw new TypeError(`no nonce in ${path}`);
  return nonce;
}
