/** What both ends of a TLS connection know about it and no other connection has. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { channelExporter } from '@cloister/attestation/base/channel-data';
import { ServerError } from '../http/errors.ts';

export interface ChannelEnds {
  /** Lowercase hexadecimal. */
  readonly exporter: string;
  /** SHA-256 of the certificate that was shown on this connection, DER; lowercase hexadecimal. */
  readonly certificate: string;
}

/**
 * Only of a TLS 1.3 connection with a full handshake: on a resumed one no certificate was shown.
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function channelEnds(socket: Socket): ChannelEnds {
  const isOpen = socket instanceof TLSSocket && !socket.destroyed;
  const isFull = isOpen && socket.getProtocol() === 'TLSv1.3' && !socket.isSessionReused();
  const certificate = isFull ? socket.getX509Certificate() : undefined;
  if (!isFull || certificate === undefined) {
    throw new ServerError(
      'ERR_REQUEST_INVALID',
      'this is answered on TLS 1.3 connections to this process alone, after a full handshake',
    );
  }
  const exporter = socket.exportKeyingMaterial(channelExporter.bytes, channelExporter.label, Buffer.alloc(0));
  return {
    exporter: exporter.toString('hex'),
    certificate: createHash('sha256').update(certificate.raw).digest('hex'),
  };
}
