/** Forwards a request to the compute service and returns its answer. Retains neither. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { ServerError } from '../../http/errors.ts';

export interface ComputeTarget {
  /** URL of the compute service: `https://…`, without a path. */
  readonly url: string;
  /** PEM file of the certificate or authority that must verify; undefined: the authorities that Node trusts. */
  readonly caPath: string | undefined;
}

export interface ForwardedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const connectTimeoutMs = 10_000;
const answerBytesMax = 256 * 1024;
/** Response headers that are forwarded; the rest is dropped. */
const headersKept = [
  'content-type',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const;

/**
 * @param signal closes the connection, which cancels a deploy that has no Idempotency-Key
 * @throws {ServerError} ERR_COMPUTE_UNREACHABLE: nothing was sent · ERR_COMPUTE_LOST: the request may have been sent, but no answer came
 */
export async function forwardToCompute(
  { url, caPath }: ComputeTarget,
  { path, headers, body }: ForwardedRequest,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<ForwardedAnswer> {
  let isConnected = false;
  try {
    // Read for each request, since a service without a configured certificate creates a new one at every start.
    const ca = caPath === undefined ? {} : { ca: await readFile(caPath) };
    const answered = Promise.withResolvers<IncomingMessage>();
    const request = https.request(new URL(path, url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...ca,
      minVersion: 'TLSv1.3',
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), connectTimeoutMs);
    request.once('socket', (socket) =>
      socket.once('secureConnect', () => {
        isConnected = true;
        clearTimeout(connecting);
      }),
    );
    request.once('close', () => clearTimeout(connecting));
    request.on('error', answered.reject).once('response', answered.resolve);
    request.end(body);
    return await readAnswer(await answered.promise);
  } catch (cause) {
    throw isConnected ? lost(cause) : unreachable(cause);
  }
}

async function readAnswer(response: IncomingMessage): Promise<ForwardedAnswer> {
  const { statusCode = 0, headers } = response;
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
    response.destroy();
    throw new Error('the answer is not JSON');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  const kept = headersKept.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return { status: statusCode, headers: Object.fromEntries(kept), body: Buffer.concat(chunks) };
}

function unreachable(cause: unknown): ServerError {
  return new ServerError(
    'ERR_COMPUTE_UNREACHABLE',
    'the compute service cannot be reached and no request was sent: try again',
    { cause },
  );
}

function lost(cause: unknown): ServerError {
  return new ServerError(
    'ERR_COMPUTE_LOST',
    'the compute service did not answer, so a machine may have been rented: list the pods there, and repeat the request only ' +
      'with the same Idempotency-Key',
    { cause },
  );
}
