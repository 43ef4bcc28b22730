/**
 * A plain HTTP server on loopback that forwards every request to a verified server. Programs in any language use it as the base URL
 * of an API; the fetch that it is given verifies the server before the first byte, and seals bodies.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { AttestationError } from '../base/errors.ts';
import type { AttestedFetch } from '../client/attested-fetch.ts';

export interface LocalProxyOptions {
  /** The origin with which requests are given to `fetch`: `https://host[:port]` of the server. */
  readonly origin: string;
  readonly fetch: AttestedFetch;
  /** Sent in place of the programs' own keys. Default: their keys are passed on. */
  readonly apiKey?: string | undefined;
  /** A name by which programs may call the proxy, in addition to loopback; they may be on other machines. Default: none. */
  readonly name?: string | undefined;
  /** Called with each complete exchange. Bodies are collected only with it. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Called with each failure to forward. */
  readonly onFailure?: ((error: Error) => void) | undefined;
}

/** A request and its answer, as the program sent and received them. */
export interface Exchange {
  readonly url: string;
  /** The API key with which the request was sent to the server. */
  readonly authorization: Headers;
  readonly status: number;
  readonly headers: Headers;
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

const bodyBytesMax = 64 * 1024 * 1024;

/** Hop-by-hop headers, and headers that describe the transfer of a body. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'host', 'content-length', 'accept-encoding', 'expect'],
]);
const keyHeaders = ['authorization', 'x-service-key', 'x-api-key'];

/** A server that does not listen yet: without `name`, listen on a loopback address only. */
export function createLocalProxy(options: LocalProxyOptions): Server {
  return createServer((request, response) => {
    forward(request, response, options).catch((error: unknown) => {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (response.destroyed || failure.name === 'AbortError') return;
      options.onFailure?.(failure);
      refuse(response, failure);
    });
  });
}

async function forward(request: IncomingMessage, response: ServerResponse, options: LocalProxyOptions): Promise<void> {
  const { origin, fetch: send, onExchange } = options;
  requireKnownProgram(request, options.name);
  const url = new URL(request.url ?? '/', origin);
  if (url.origin !== origin) throw new ProxyRefusal(400, 'the request names a server other than the one of this proxy');
  const { method = 'GET' } = request;
  const left = new AbortController();
  response.once('close', () => left.abort());
  const body = await readBody(request);
  const headers = headersFor(request, options.apiKey);
  const answer = await send(url, {
    ...{ method, headers, signal: left.signal },
    ...(['GET', 'HEAD'].includes(method) ? {} : { body }),
  });
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !ownHeaders.has(name))));
  if (answer.body === null) {
    response.end();
    return;
  }
  const copy: Uint8Array[] | undefined = onExchange === undefined ? undefined : [];
  await writeAnswer(answer.body, response, { copy, signal: left.signal });
  if (copy === undefined) return;
  const authorization = new Headers([...headers].filter(([name]) => keyHeaders.includes(name)));
  const bytes = new Uint8Array(Buffer.concat(copy));
  onExchange?.({
    url: url.href,
    authorization,
    status: answer.status,
    headers: answer.headers,
    request: body,
    response: bytes,
  });
}

/**
 * Writes each piece when it arrives, and waits while the program does not read. Converting the body into a stream of Node adds about
 * 0.1 ms to a short answer.
 * @param copy receives the pieces · @throws {Error} AbortError if the program disconnects
 */
async function writeAnswer(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  { copy, signal }: { copy: Uint8Array[] | undefined; signal: AbortSignal },
): Promise<void> {
  for await (const piece of body) {
    copy?.push(piece);
    if (!response.write(piece)) await once(response, 'drain', { signal });
  }
  const finished = once(response, 'finish', { signal });
  response.end();
  await finished;
}

/** A request that this proxy does not forward. */
class ProxyRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Web pages reach loopback ports too, under a name of their own or from their own origin: they would use the key of this proxy. */
function requireKnownProgram({ headers: { host = '', origin } }: IncomingMessage, name: string | undefined): void {
  const isNamed = name !== undefined && host.replace(/:\d+$/, '').toLowerCase() === name.toLowerCase();
  if (!isNamed && !loopback.test(host)) {
    throw new ProxyRefusal(
      403,
      `call this proxy by ${name === undefined ? '' : `${name}, `}localhost or a loopback address`,
    );
  }
  const from = origin === undefined ? undefined : URL.parse(origin);
  if (from !== undefined && !loopback.test(from?.host ?? '')) {
    throw new ProxyRefusal(403, 'this proxy does not serve web pages of other sites');
  }
}

function headersFor({ headers }: IncomingMessage, apiKey: string | undefined): Headers {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ownHeaders.has(name) || name === 'origin' || name === 'cookie') continue;
    if (apiKey !== undefined && keyHeaders.includes(name)) continue;
    sent.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (apiKey !== undefined) sent.set('authorization', `Bearer ${apiKey}`);
  return sent;
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > bodyBytesMax) throw new ProxyRefusal(413, `a body may have at most ${bodyBytesMax} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** An answer of this proxy itself, which OpenAI's and Anthropic's clients can read. Nothing of the request is repeated. */
function refuse(response: ServerResponse, error: Error): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, type, message } = describe(error);
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', 'x-should-retry': 'false' });
  response.end(JSON.stringify({ type: 'error', error: { type, message, code: type, param: null } }));
}

function describe(error: Error): { status: number; type: string; message: string } {
  if (error instanceof ProxyRefusal)
    return { status: error.status, type: 'invalid_request_error', message: error.message };
  if (error instanceof AttestationError) {
    const type = error.code === 'ERR_NO_ANSWER' ? 'server_unreachable' : 'server_not_verified';
    return { status: 502, type, message: `cloister proxy: ${error.message}` };
  }
  return { status: 502, type: 'server_unreachable', message: 'cloister proxy: the server cannot be reached' };
}
