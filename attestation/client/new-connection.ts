/** A TLS connection after its handshake and before its first request: what identifies its server. For Node. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { concatBytes } from '../base/bytes.ts';
import { channelExporter } from '../base/channel-data.ts';
import { AttestationError } from '../base/errors.ts';
import type { ObservedServer } from './channel.ts';

/** Throws, or rejects, to refuse. */
export type AcceptConnection = (connection: NewConnection) => void | Promise<void>;

/** What both ends know about this connection and no other connection has. */
export interface ObservedChannel {
  /** See `channelExporter`; 64 lowercase hexadecimal digits. */
  readonly exporter: string;
  /** SHA-256 of the certificate that the server showed, DER, 64 lowercase hexadecimal digits. */
  readonly certificate: string;
}

export class NewConnection {
  /** Who answered the handshake. */
  readonly server: ObservedServer;
  readonly channel: ObservedChannel;
  readonly #socket: TLSSocket;

  /** @throws {AttestationError} ERR_NOT_VERIFIED where the server showed no certificate on this very connection */
  constructor(socket: TLSSocket, host: string) {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined) throw refused('the server showed no certificate');
    // The client requests neither; check anyway, since the proof depends on both.
    if (socket.getProtocol() !== 'TLSv1.3') throw refused('the connection is not one of TLS 1.3');
    if (socket.isSessionReused()) throw refused('the connection resumes an older one');
    const exporter = socket.exportKeyingMaterial(channelExporter.bytes, channelExporter.label, Buffer.alloc(0));
    this.server = { host, spkiSha256: sha256(certificate.publicKey.export({ type: 'spki', format: 'der' })) };
    this.channel = { exporter: exporter.toString('hex'), certificate: sha256(certificate.raw) };
    this.#socket = socket;
  }

  /**
   * Asks for a path over this connection, which stays open. Nothing but the path and the host is sent.
   * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE where the answer is longer · the network's errors
   */
  async get(path: string, { bytesMax }: { bytesMax: number }): Promise<{ status: number; body: Uint8Array }> {
    const answer = await this.#send(path);
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of answer as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > bytesMax) {
        throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', `${path} answered over ${bytesMax} bytes`);
      }
      parts.push(part);
    }
    return { status: answer.statusCode ?? 0, body: concatBytes(...parts) };
  }

  /** @returns the answer's head; its body is read from it, and afterwards the connection is free for others */
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
