/** Opens a TLS connection and lets the caller approve the server at its other end, before any request. For Node. */
import type { TLSSocket } from 'node:tls';
import { AttestationError } from '../base/errors.ts';
import { NewConnection } from './new-connection.ts';
import { type ServerAddress, startHandshake } from './server-address.ts';

/** Where a new connection leads, and when it is given up. */
export interface OpeningConnection {
  /** `https://host[:port]` */
  readonly origin: string;
  readonly signal: AbortSignal;
}

export interface ConnectionOptions<Peer> {
  /**
   * Called after every handshake, before any request. The caller that waits for the connection receives the error that it throws.
   * @returns the server at the other end
   */
  readonly accept: (connection: NewConnection, opening: OpeningConnection) => Peer | Promise<Peer>;
  /** Time limit of the TCP and TLS handshakes together. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Time limit of `accept`. Default 60,000. */
  readonly acceptTimeoutMs?: number | undefined;
}

export interface AcceptedSocket<Peer> {
  readonly socket: TLSSocket;
  /** What `accept` returned. */
  readonly peer: Peer;
}

/** Linux probes a connection without traffic after this time, then every second, and closes it after ten probes without an answer. */
const keepAliveMs = 1_000;

/**
 * TLS 1.3 only, without session resumption or early data.
 * @throws the error of `accept` · the signal's reason, and the connection is destroyed · network errors
 */
export function openConnection<Peer>(
  address: ServerAddress,
  { accept, connectTimeoutMs = 10_000, acceptTimeoutMs = 60_000 }: ConnectionOptions<Peer>,
  signal: AbortSignal,
): Promise<AcceptedSocket<Peer>> {
  const { host, origin } = address;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = startHandshake(address).setKeepAlive(true, keepAliveMs);
    const abandoned = new AbortController();
    const settle = () => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', abort);
      socket.off('error', fail).off('close', closed).off('secureConnect', judge);
      // Later errors are followed by `close`.
      socket.on('error', () => {});
    };
    const fail = (error: unknown) => {
      settle();
      socket.destroy();
      abandoned.abort(error);
      reject(error);
    };
    const judge = () => {
      clearTimeout(deadline);
      deadline = setTimeout(() => fail(unverified(host, acceptTimeoutMs)), acceptTimeoutMs);
      const opening = { origin, signal: abandoned.signal };
      const accepted = (async () => accept(new NewConnection(socket, host.toLowerCase()), opening))();
      accepted.then((peer) => {
        settle();
        resolve({ socket, peer });
      }, fail);
    };
    const abort = () => fail(signal.reason);
    const late = (ms: number) => fail(new Error(`${host} did not respond within ${ms} ms`));
    const closed = () => fail(new Error(`${host} closed the connection`));
    let deadline = setTimeout(late, connectTimeoutMs, connectTimeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', fail).once('close', closed).once('secureConnect', judge);
  });
}

function unverified(host: string, ms: number): AttestationError {
  return new AttestationError('ERR_EVIDENCE_UNAVAILABLE', `${host} could not be verified within ${ms} ms`);
}
