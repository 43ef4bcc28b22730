/**
 * Answers requests that Node's HTTP parser rejects before the framework sees them, and requests without exactly one
 * `Host`.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServerError } from './errors.ts';
import { randomId } from './random-id.ts';

/** A reply as the surface's `errorReply` builds it. */
interface BuiltReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * For Fastify's `clientErrorHandler` and Node's `clientError`: answers and closes the connection. A connection whose
 * response has started, or that is broken, is only closed.
 * @param replyTo puts the error into the surface's own envelope, given its connection
 */
export function answerClientErrors(replyTo: (refusal: ServerError, socket: Socket) => BuiltReply) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // Like Node's own handler, look at the response that is in progress on this connection.
    const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse };
    if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent === true) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = replyTo(refusalOf(error.code), socket);
    const text = JSON.stringify(body);
    const all = {
      ...headers,
      'content-type': headers['content-type'] ?? 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      'x-request-id': randomId(12),
      connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`, () =>
      socket.destroySoon(),
    );
  };
}

function refusalOf(code: string | undefined): ServerError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServerError(
        'ERR_HEADERS_TOO_LARGE',
        'the request line and headers are too large: at most 16 KiB are accepted',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServerError('ERR_BODY_TOO_LARGE', 'the chunk extensions of the request body are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServerError('ERR_REQUEST_TIMEOUT', 'the request did not arrive in time');
    default:
      return new ServerError('ERR_REQUEST_INVALID', 'the request is not valid HTTP/1.1');
  }
}

/**
 * Rejects a request with two `Host` headers, since intermediaries may trust different ones, and an HTTP/1.1 request
 * without any (RFC 9112, section 3.2). Node's own check, which answers without a body, is off in `tlsOptions`.
 */
export function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const { rawHeaders, httpVersion } = request.raw;
    const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
    const isFine = count === 1 || (count === 0 && httpVersion === '1.0');
    next(isFine ? undefined : new ServerError('ERR_REQUEST_INVALID', 'the request must have one `Host` header'));
  });
}
