/**
 * Receives a request body in pieces, so that other connections are served in between, and frees the pieces as soon as
 * the body is complete. Left to the garbage collector, megabytes of pieces cause several full collections per second.
 */
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers';
import { ServerError } from '../http/errors.ts';

/**
 * Bytes received from one connection before the event loop serves the others; a socket would otherwise deliver up to 2
 * MiB.
 */
const bytesPerTurn = 64 * 1024;

export interface ReceiveOptions {
  /** Limit of the decoded body, and of the bytes that were sent. */
  readonly bytesMax: number;
  /** The value of the header; `undefined` if it is missing. */
  readonly contentLength: number | undefined;
  readonly tooLarge: () => ServerError;
}

/** A decoding stream also counts the bytes that were sent. */
type Payload = Readable & { readonly receivedEncodedLength?: number };

/** @throws {ServerError} ERR_BODY_TOO_LARGE, ERR_REQUEST_INVALID, and errors of the stream */
export async function receiveBody(payload: Payload, options: ReceiveOptions): Promise<Buffer> {
  const { bytesMax, contentLength, tooLarge } = options;
  if (contentLength !== undefined && contentLength > bytesMax) throw tooLarge();
  const pieces: Buffer[] = [];
  try {
    await collect(payload, pieces, options);
    const body = Buffer.concat(pieces);
    const received = payload.receivedEncodedLength ?? body.byteLength;
    if (contentLength !== undefined && received !== contentLength) {
      body.fill(0);
      throw new ServerError('ERR_REQUEST_INVALID', 'the body is not as long as its Content-Length says');
    }
    return body;
  } finally {
    for (const piece of pieces) free(piece);
  }
}

function collect(payload: Payload, pieces: Buffer[], { bytesMax, tooLarge }: ReceiveOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  let bytesOfTurn = 0;
  const onData = (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.byteLength;
    bytesOfTurn += piece.byteLength;
    if (bytes > bytesMax || (payload.receivedEncodedLength ?? 0) > bytesMax) reject(tooLarge());
    if (bytesOfTurn < bytesPerTurn) return;
    bytesOfTurn = 0;
    payload.pause();
    nextTurn(() => payload.resume());
  };
  payload.on('data', onData).once('end', resolve).once('error', reject);
  return promise.finally(() => payload.off('data', onData).off('end', resolve).off('error', reject));
}

/** Zeroes a piece and releases its memory. */
function free(piece: Buffer): void {
  piece.fill(0);
  const { buffer } = piece;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === piece.byteLength) buffer.transfer(0);
}
