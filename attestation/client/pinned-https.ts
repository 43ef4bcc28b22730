/**
 * HTTPS that authenticates the server by its key and ignores who signed its certificate. For Node. A request is sent over a connection
 * of a `PinnedAgent`, which `accept` has approved.
 */
import { type IncomingMessage, request as startRequest } from 'node:http';
import { Readable } from 'node:stream';
import { AttestationError } from '../base/errors.ts';
import type { PinnedAgent, PinnedConnection } from './pinned-agent.ts';
import { isGone } from './server-address.ts';

export { PinnedAgent } from './pinned-agent.ts';

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

/** The error as `fetch` reports it. */
function failureOf(error: unknown): Error {
  return error instanceof AttestationError ? error : new TypeError('fetch failed', { cause: error });
}

/** Settles like the promise; marks its errors for `wasNothingSent`, except the reason of the signal. */
export async function nothingSentBy<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    signal?.throwIfAborted();
    throw asUnsent(failureOf(error));
  }
}

/**
 * Sends one request over the agent's connections. Refuses redirects, whose target may have another key.
 * @returns as soon as the headers have arrived; the body streams, and errors if it is cut short or aborted
 * @throws the error of `accept` or `contentsFor` · the signal's reason, at once · AttestationError ERR_NO_ANSWER if the server was
 *   checked while it owed an answer, and is gone · TypeError "fetch failed" with a cause on network errors
 */
export async function sendPinned<Peer>(
  agent: PinnedAgent<Peer>,
  request: HttpsRequest | AddressedRequest<Peer>,
): Promise<Response> {
  const { url, signal } = request;
  if (url.protocol !== 'https:') throw new TypeError(`the URL must use https, got ${url.protocol}`);
  return sendOver(agent, await nothingSentBy(agent.acquire(url, signal), signal), request);
}

/** Sends one request over a connection that was acquired for its URL, and releases it. Otherwise like `sendPinned`. */
export async function sendOver<Peer>(
  agent: PinnedAgent<Peer>,
  connection: PinnedConnection<Peer>,
  request: HttpsRequest | AddressedRequest<Peer>,
): Promise<Response> {
  const { signal } = request;
  const contentsFor = async () => {
    signal?.throwIfAborted();
    const contents = 'contentsFor' in request ? await request.contentsFor(connection.peer) : request;
    signal?.throwIfAborted();
    if (connection.socket.destroyed) throw new Error('the server closed the connection');
    return contents;
  };
  let contents: HttpsContents;
  try {
    contents = await nothingSentBy(contentsFor(), signal);
  } catch (error) {
    connection.release();
    throw error;
  }
  return exchange(agent, connection, { ...request, ...contents });
}

function exchange<Peer>(
  agent: PinnedAgent<Peer>,
  connection: PinnedConnection<Peer>,
  request: HttpsRequest,
): Promise<Response> {
  const { url, method, signal, headers, body } = request;
  const { socket, address } = connection;
  return new Promise((resolve, reject) => {
    const path = url.pathname + url.search;
    const own = { host: url.host, connection: 'keep-alive' };
    const outgoing = startRequest({ createConnection: () => socket, method, path, headers: own });
    for (const [name, value] of headers) outgoing.setHeader(name, value);
    outgoing.setHeader('accept-encoding', 'identity');
    let incoming: IncomingMessage | undefined;
    const abort = () => {
      (incoming ?? outgoing).destroy(asError(signal?.reason));
      reject(signal?.reason);
      if (incoming === undefined) void agent.isSilent(address);
    };
    const endWatch = agent.watch(address, () => outgoing.destroy(noAnswer(url.host)));
    signal?.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => {
      endWatch();
      signal?.removeEventListener('abort', abort);
    });
    outgoing.on('error', (error) => reject(failureOf(isGone(error) ? noAnswer(url.host, error) : error)));
    outgoing.once('response', (answer) => {
      incoming = answer;
      endWatch();
      // Node emits this when the answer has ended and the connection can be used again.
      socket.once('free', () => connection.release(idleMsOf(answer)));
      try {
        resolve(responseOf(answer, request));
      } catch (error) {
        answer.destroy();
        reject(error);
      }
    });
    outgoing.end(body);
  });
}

/** How long the server keeps an idle connection, less a second in which a request could cross its end. */
function idleMsOf({ headers }: IncomingMessage): number | undefined {
  const seconds = /^timeout=(\d{1,6})/.exec(String(headers['keep-alive'] ?? ''))?.[1];
  return seconds === undefined ? undefined : Math.max(1000 * Number(seconds) - 1000, 1);
}

function noAnswer(host: string, cause?: Error): AttestationError {
  const message = `${host} stopped answering after the request was sent: the request may have been executed`;
  return new AttestationError('ERR_NO_ANSWER', message, { cause });
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

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!]);
}
