/**
 * The only network client under `models/`: sends a request, follows redirects, and maps failures to error codes.
 * It does not handle files; `pull.ts` and `hub.ts` do.
 */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { requireSafeUrl, showUrl } from '../files/safe-url.ts';
import { ModelError } from '../interface/errors.ts';
import { type Clock, parseRetryAfter, systemClock } from './retry.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a bearer token to the origin of `url` only. */
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
  /** Whether to follow a redirect; default: always. A redirect that is not followed is returned as the answer. */
  readonly follow?: (next: URL, from: URL) => boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** Headers of this answer; headers of the redirects before it are in `redirectHeaders`. */
  readonly headers: IncomingHttpHeaders;
  readonly redirectHeaders: IncomingHttpHeaders;
  /** Final URL after redirects. */
  readonly url: string;
  /** Must be read to the end or destroyed. */
  readonly body: IncomingMessage;
}

export interface HttpClientOptions {
  /** Maximum time without data from the server before a request fails. */
  readonly silenceMs?: number;
  readonly clock?: Clock;
  /** `HTTPS_PROXY` and `NO_PROXY` are honoured. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** PEM certificates to trust instead of the system's; `NODE_EXTRA_CA_CERTS` adds to them. */
  readonly ca?: string;
}

const redirectsMax = 5;
const silenceMsDefault = 30_000;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

export class HttpClient {
  readonly clock: Clock;
  readonly #silenceMs: number;
  readonly #plain: http.Agent;
  readonly #secure: https.Agent;

  constructor({ silenceMs = silenceMsDefault, clock = systemClock, env = {}, ca }: HttpClientOptions = {}) {
    const { HTTPS_PROXY, https_proxy, NO_PROXY, no_proxy } = env;
    this.clock = clock;
    this.#silenceMs = silenceMs;
    this.#plain = new http.Agent({ keepAlive: true });
    const proxyEnv = { HTTPS_PROXY, https_proxy, NO_PROXY, no_proxy };
    this.#secure = new https.Agent({ keepAlive: true, proxyEnv, ca });
  }

  /**
   * @returns the first answer that is not a followed redirect, with any status
   * @throws {ModelError} ERR_URL_REFUSED; ERR_DOWNLOAD_FAILED if the network fails; ERR_REMOTE_REFUSED after too many redirects
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const first = requireSafeUrl(request.url);
    let url = first;
    let redirectHeaders: IncomingHttpHeaders = {};
    for (let redirects = 0; redirects <= redirectsMax; redirects++) {
      const token = url.origin === first.origin ? request.token : undefined;
      const body = await this.#exchange(request, url, token);
      const answer = { status: body.statusCode!, headers: body.headers, redirectHeaders, url: url.href, body };
      const next = redirectTarget(answer, url);
      if (next === undefined || request.follow?.(next, url) === false) return answer;
      body.destroy();
      redirectHeaders = { ...redirectHeaders, ...body.headers };
      url = next;
    }
    throw new ModelError('ERR_REMOTE_REFUSED', `${showUrl(first)} redirects more than ${redirectsMax} times`);
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  #exchange({ method, headers, signal }: HttpRequest, url: URL, token: string | undefined): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const fail = (cause: Error): void => reject(networkFailure(url, cause));
    const secure = url.protocol === 'https:';
    try {
      const outgoing = (secure ? https : http).request(url, {
        method,
        signal,
        agent: secure ? this.#secure : this.#plain,
        headers: {
          // The stored bytes are counted and hashed, so compression must be off.
          'accept-encoding': 'identity',
          'user-agent': 'cloister',
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      });
      outgoing.setTimeout(this.#silenceMs, () => outgoing.destroy(new Error(`no data for ${this.#silenceMs} ms`)));
      outgoing.once('response', resolve);
      outgoing.on('error', fail);
      outgoing.end();
    } catch (cause) {
      // For example a token with characters that a header cannot contain.
      reject(
        new ModelError('ERR_REMOTE_REFUSED', `the request to ${showUrl(url)} is invalid: ${(cause as Error).message}`),
      );
    }
    return promise;
  }
}

/**
 * @param expected statuses that are not failures
 * @throws {ModelError} ERR_DOWNLOAD_FAILED if a retry may succeed, else ERR_REMOTE_REFUSED or ERR_REMOTE_CHANGED
 */
export function requireStatus(answer: HttpAnswer, expected: readonly number[], clock: Clock): void {
  const { status, headers, url } = answer;
  if (expected.includes(status)) {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding === 'identity') return;
    answer.body.destroy();
    throw new ModelError('ERR_DOWNLOAD_FAILED', `${showUrl(url)} sent a body encoded as ${printable(encoding)}`);
  }
  answer.body.destroy();
  const reason = printable(String(headers['x-error-message'] ?? headers['x-error-code'] ?? ''));
  const what = `${showUrl(url)} answered ${status}${reason === '' ? '' : ` (${reason})`}`;
  if (transientStatuses.has(status)) {
    const retryAfterMs = parseRetryAfter(headers['retry-after'], clock.now());
    const delay = retryAfterMs === undefined ? '' : `, asking to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    const details = retryAfterMs === undefined ? {} : { retryAfterMs };
    throw new ModelError('ERR_DOWNLOAD_FAILED', `${what}${delay}; try again later, it resumes`, { details });
  }
  if (status === 416) throw new ModelError('ERR_REMOTE_CHANGED', `${what}: the file has fewer bytes than pinned`);
  throw new ModelError('ERR_REMOTE_REFUSED', `${what}; ${remedyFor(status)}`);
}

/** Reads a small body as text. @throws {ModelError} ERR_DOWNLOAD_FAILED */
export async function readText(answer: HttpAnswer, bytesMax: number): Promise<string> {
  return (await readBytes(answer, bytesMax)).toString('utf8');
}

/** Reads a small body as bytes. @throws {ModelError} ERR_REMOTE_REFUSED, ERR_DOWNLOAD_FAILED */
export async function readBytes(answer: HttpAnswer, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await eachChunk(answer, (chunk) => {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new ModelError('ERR_REMOTE_REFUSED', `${showUrl(answer.url)} sent more than ${bytesMax} bytes`);
    }
    chunks.push(chunk);
    return undefined;
  });
  return Buffer.concat(chunks);
}

/**
 * Passes the body to `take` chunk by chunk, and awaits each call, until the body ends or `take` returns 'enough'.
 * @throws {ModelError} ERR_DOWNLOAD_FAILED if the connection is lost
 */
export async function eachChunk(
  answer: HttpAnswer,
  take: (chunk: Buffer) => Promise<void> | 'enough' | undefined,
): Promise<void> {
  const chunks = answer.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const { value, done } = await chunks.next().catch((cause: Error) => {
        throw networkFailure(new URL(answer.url), cause);
      });
      if (done === true) return;
      if ((await take(value)) === 'enough') return;
    }
  } finally {
    answer.body.destroy();
  }
}

function redirectTarget({ status, headers }: Omit<HttpAnswer, 'body'>, from: URL): URL | undefined {
  if (!redirectStatuses.has(status) || headers.location === undefined) return undefined;
  const next = URL.parse(headers.location, from.href);
  if (next === null) throw new ModelError('ERR_REMOTE_REFUSED', `${showUrl(from)} redirects to an invalid address`);
  if (from.protocol === 'https:' && next.protocol !== 'https:') {
    throw new ModelError('ERR_URL_REFUSED', `${showUrl(from)} redirects from https to ${showUrl(next)}: refused`);
  }
  return requireSafeUrl(next.href);
}

function networkFailure(url: URL, cause: Error): ModelError {
  const { code } = cause as NodeJS.ErrnoException;
  const broken = code === 'ECONNRESET' ? 'the connection was lost' : undefined;
  const reason = broken ?? (cause.message || code || 'no reason given');
  if (/CERT|SELF_SIGNED|ERR_TLS/.test(code ?? '')) {
    return new ModelError('ERR_REMOTE_REFUSED', `${showUrl(url)}: ${reason}; see NODE_EXTRA_CA_CERTS`, { cause });
  }
  return new ModelError('ERR_DOWNLOAD_FAILED', `${showUrl(url)}: ${reason}; try again, the download resumes`, {
    cause,
  });
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return 'check the name, accept the licence on the hub, and set HF_TOKEN';
  if (status === 404 || status === 410) return 'check repository, revision and file name (private ones need HF_TOKEN)';
  return 'a retry will not help';
}

/** Makes untrusted text safe for a terminal. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
