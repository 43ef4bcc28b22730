/** A TLS connection between its handshake and its first request, with the values that identify the server. For Node. */
import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { concatBytes } from '../base/bytes.ts';
import { channelExporter } from '../base/channel-data.ts';
import { AttestationError } from '../base/errors.ts';
import type { ObservedServer } from './channel.ts';

export interface ConnectionAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Values that both ends of this connection know and that differ for every other connection. */
export interface ObservedChannel {
  /** See `channelExporter`; 64 lowercase hexadecimal digits. */
  readonly exporter: string;
  /** SHA-256 of the server's certificate (DER), 64 lowercase hexadecimal digits. */
  readonly certificate: string;
}

export class NewConnection {
  /** The server that completed the handshake. */
  readonly server: ObservedServer;
  readonly channel: ObservedChannel;
  readonly #socket: TLSSocket;

  /** @throws {AttestationError} ERR_NOT_VERIFIED unless this is a new TLS 1.3 connection with a server certificate */
  constructor(socket: TLSSocket, host: string) {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) throw refused('the server sent no certificate');
    // The client offers TLS 1.3 only and resumes no session; check both, because the proof depends on them.
    if (socket.getProtocol() !== 'TLSv1.3') throw refused('the connection does not use TLS 1.3');
    if (socket.isSessionReused()) throw refused('the connection resumes an earlier TLS session');
    const exporter = socket.exportKeyingMaterial(channelExporter.bytes, channelExporter.label, Buffer.alloc(0));
    this.server = { host, spkiSha256: sha256(certificate.publicKey.export({ type: 'spki', format: 'der' })) };
    this.channel = { exporter: exporter.toString('hex'), certificate: sha256(certificate.raw) };
    this.#socket = socket;
  }

  /**
   * Sends a GET request with nothing but the path and the host over this connection, and keeps it open.
   * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE if the body exceeds `bytesMax` · network errors
   */
  async get(path: string, { bytesMax }: { bytesMax: number }): Promise<ConnectionAnswer> {
    const answer = await this.#send(path);
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of answer as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > bytesMax) {
        throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', `the response to ${path} exceeds ${bytesMax} bytes`);
      }
      parts.push(part);
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: concatBytes(...parts) };
  }

  /** @returns the response headers; once the caller has read the body, the connection is free for other requests */
  #send(path: string): Promise<IncomingMessage> {
    const socket = this.#socket;
    const { host } = this.server;
    return new Promise((resolve, reject) => {
      const authority = `${host.includes(':') ? `[${host}]` : host}:${socket.remotePort}`;
      const headers = { host: authority, connection: 'keep-alive', 'accept-encoding': 'identity' };
      request({ createConnection: () => socket, path, headers }, resolve)
        .on('error', reject)
        .end();
    });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function refused(message: string): AttestationError {
  return new AttestationError('ERR_NOT_VERIFIED', message);
}
