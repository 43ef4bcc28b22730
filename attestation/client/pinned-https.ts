/**
 * HTTPS that authenticates the server by its key and ignores who signed its certificate. For Node. The agent uses a connection
 * only after `accept` has approved it, so no part of a request is sent before that. What `accept` returns identifies the server at
 * the other end: behind a load balancer, connections to one address may reach different servers.
 */
import type { IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { connect } from 'node:tls';
import { AttestationError } from '../base/errors.ts';
import { NewConnection } from './new-connection.ts';

export interface PinnedAgentOptions<Peer> {
  /**
   * Called after every handshake, before any request. The caller of `sendPinned` receives the error that it throws.
   * @returns the server at the other end
   */
  readonly accept: (connection: NewConnection) => Peer | Promise<Peer>;
  /** Time limit of the TCP and TLS handshakes together. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Time limit of `accept`. Default 60,000. */
  readonly acceptTimeoutMs?: number | undefined;
  /** Maximum number of connections to one server. Default 256. */
  readonly connectionsMax?: number;
}

type Connected = (error: Error | null, socket: Duplex) => void;

/** Pools accepted connections. TLS 1.3 only, without session resumption or early data. */
export class PinnedAgent<Peer = void> extends https.Agent {
  readonly #accept: PinnedAgentOptions<Peer>['accept'];
  readonly #connectTimeoutMs: number;
  readonly #acceptTimeoutMs: number;
  readonly #peers = new WeakMap<object, Peer>();
  readonly #retired = new WeakSet<object>();

  constructor(options: PinnedAgentOptions<Peer>) {
    const { accept, connectTimeoutMs = 10_000, acceptTimeoutMs = 60_000, connectionsMax = 256 } = options;
    super({ keepAlive: true, maxSockets: connectionsMax, maxCachedSessions: 0 });
    this.#accept = accept;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#acceptTimeoutMs = acceptTimeoutMs;
  }

  /** What `accept` returned for an accepted connection. */
  peerOf(socket: Duplex): Peer {
    return this.#peers.get(socket)!;
  }

  /** Closes the idle connections to a server now, and its busy ones when their response ends. */
  retire(peer: Peer & object): void {
    this.#retired.add(peer);
    for (const socket of Object.values(this.freeSockets).flat()) {
      if (socket !== undefined && this.peerOf(socket) === peer) socket.destroy();
    }
  }

  /** Node calls this when a response ends. */
  override keepSocketAlive(socket: Duplex): boolean {
    const peer = this.peerOf(socket);
    const isRetired = typeof peer === 'object' && peer !== null && this.#retired.has(peer);
    return !isRetired && (super.keepSocketAlive(socket) as unknown) !== false;
  }

  /** Node calls this for each new connection and waits for `done`. */
  override createConnection(options: RequestOptions, done?: Connected): undefined {
    const host = options.host ?? 'localhost';
    const socket = connect({
      host,
      port: Number(options.port ?? 443),
      // `accept` compares the key. The certificate's signer, names and dates do not matter.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const settle = (error: Error | null) => {
      clearTimeout(deadline);
      socket.off('error', settle).off('close', closed).off('secureConnect', judge);
      // Ignore errors of a connection that was refused.
      if (error !== null) socket.on('error', () => {}).destroy();
      done?.(error, socket);
      done = undefined;
    };
    const judge = () => {
      clearTimeout(deadline);
      deadline = setTimeout(() => settle(unverified(host, this.#acceptTimeoutMs)), this.#acceptTimeoutMs);
      const accepted = (async () => this.#accept(new NewConnection(socket, host.toLowerCase())))();
      accepted.then((peer) => {
        this.#peers.set(socket, peer);
        settle(null);
      }, settle);
    };
    const late = (ms: number) => settle(new Error(`${host} did not respond within ${ms} ms`));
    const closed = () => settle(new Error(`${host} closed the connection`));
    let deadline = setTimeout(late, this.#connectTimeoutMs, this.#connectTimeoutMs);
    socket.once('error', settle).once('close', closed).once('secureConnect', judge);
    return undefined;
  }
}

export interface HttpsContents {
  readonly headers: Headers;
  readonly body?: Uint8Array | undefined;
}

export interface HttpsRequest extends HttpsContents {
  readonly url: URL;
  readonly method: string;
  readonly signal?: AbortSignal | undefined;
}

/** A request whose contents depend on the server that its connection reaches. */
export interface AddressedRequest<Peer> extends Omit<HttpsRequest, 'headers' | 'body'> {
  /** Called when the connection is known; the request fails with the error that it throws, and nothing is sent. */
  readonly contentsFor: (peer: Peer) => Promise<HttpsContents>;
}

const unsent = new WeakSet<object>();

/** Whether a request failed with this error before any byte of it was sent. */
export function wasNothingSent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && unsent.has(error);
}

/** Marks an error for `wasNothingSent`. */
export function asUnsent<E extends Error>(error: E): E {
  unsent.add(error);
  return error;
}

/**
 * Sends one request over the agent's connections. Refuses redirects, whose target may have another key.
 * @returns as soon as the headers have arrived; the body streams, and errors if it is cut short or aborted
 * @throws the error of `accept` or `contentsFor`; the signal's reason; TypeError "fetch failed" with a cause on network errors
 */
export function sendPinned<Peer>(
  agent: PinnedAgent<Peer>,
  request: HttpsRequest | AddressedRequest<Peer>,
): Promise<Response> {
  const { url, method, signal } = request;
  return new Promise((resolve, reject) => {
    if (url.protocol !== 'https:') return reject(new TypeError(`the URL must use https, got ${url.protocol}`));
    if (signal?.aborted === true) return reject(signal.reason);
    const outgoing = https.request(url, { agent, method });
    let isSent = false;
    let incoming: IncomingMessage | undefined;
    const abort = () => (incoming ?? outgoing).destroy(asError(signal?.reason));
    const fail = (error: Error) => {
      const failure = error instanceof AttestationError ? error : new TypeError('fetch failed', { cause: error });
      if (!isSent) asUnsent(failure);
      reject(signal?.aborted === true ? signal.reason : failure);
    };
    const send = ({ headers, body }: HttpsContents) => {
      if (outgoing.destroyed) return;
      for (const [name, value] of headers) outgoing.setHeader(name, value);
      outgoing.setHeader('accept-encoding', 'identity');
      isSent = true;
      outgoing.end(body);
    };
    signal?.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => signal?.removeEventListener('abort', abort));
    outgoing.on('error', fail);
    outgoing.once('response', (answer) => {
      incoming = answer;
      try {
        resolve(responseOf(answer, request));
      } catch (error) {
        answer.destroy();
        reject(error);
      }
    });
    if (!('contentsFor' in request)) return send(request);
    outgoing.once('socket', (socket) => {
      request.contentsFor(agent.peerOf(socket)).then(send, (error: Error) => outgoing.destroy(error));
    });
  });
}

function responseOf(incoming: IncomingMessage, { url, method }: Pick<HttpsRequest, 'url' | 'method'>): Response {
  const status = incoming.statusCode ?? 0;
  if (status >= 300 && status < 400 && status !== 304) {
    throw new AttestationError(
      'ERR_NOT_VERIFIED',
      `the server redirects (${status}); redirects are refused because their target may have another key`,
    );
  }
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status);
  if (!hasBody) incoming.resume();
  const stream = hasBody ? (Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>) : null;
  const statusText = incoming.statusMessage ?? '';
  const response = new Response(stream, { status, statusText, headers: pairsOf(incoming.rawHeaders) });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

function unverified(host: string, ms: number): AttestationError {
  return new AttestationError('ERR_EVIDENCE_UNAVAILABLE', `${host} could not be verified within ${ms} ms`);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);
}
