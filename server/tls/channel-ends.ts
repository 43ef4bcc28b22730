/** Values that identify a TLS connection and are known to both ends only. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { channelExporter } from '@cloister/attestation/base/channel-data';
import { ServerError } from '../http/errors.ts';

export interface ChannelEnds {
  /** Lowercase hexadecimal. */
  readonly exporter: string;
  /** SHA-256 of the DER of the connection's certificate, lowercase hexadecimal. */
  readonly certificate: string;
}

/**
 * Requires TLS 1.3 and a full handshake: a resumed connection has no certificate.
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function channelEnds(socket: Socket): ChannelEnds {
  const isOpen = socket instanceof TLSSocket && !socket.destroyed;
  const isFull = isOpen && socket.getProtocol() === 'TLSv1.3' && !socket.isSessionReused();
  const certificate = isFull ? socket.getX509Certificate() : undefined;
  if (!isFull || certificate === undefined) {
    throw new ServerError(
      'ERR_REQUEST_INVALID',
      'this route needs a TLS 1.3 connection that ends at this process, with a full handshake',
    );
  }
  const exporter = socket.exportKeyingMaterial(channelExporter.bytes, channelExporter.label, Buffer.alloc(0));
  return {
    exporter: exporter.toString('hex'),
    certificate: createHash('sha256').update(certificate.raw).digest('hex'),
  };
}
