/**
 * Receives a request body in pieces, so that other connections are served in between. The pieces are not joined here: copying
 * megabytes would delay every connection.
 */
import type { Readable } from 'node:stream';
import { ServerError } from '../http/errors.ts';
import type { ReceivingTurns } from './receiving-turns.ts';

/** Bytes received from one connection before it waits for its next turn; a socket would otherwise deliver up to 2 MiB. */
const bytesPerTurn = 64 * 1024;

/** The pieces of a body in order, each in an `ArrayBuffer` of its own. */
export type BodyPieces = readonly Uint8Array<ArrayBuffer>[];

export interface ReceiveOptions {
  /** Limit of the decoded body, and of the bytes that were sent. */
  readonly bytesMax: number;
  /** The value of the header; `undefined` if it is missing. */
  readonly contentLength: number | undefined;
  readonly tooLarge: () => ServerError;
  /** Shared by all bodies. */
  readonly turns: ReceivingTurns;
  /** The account that sends the body: turns are fair between accounts. */
  readonly account: string;
  /** Called with each piece as it arrives. */
  readonly onPiece?: (piece: Uint8Array) => void;
}

/** A decoding stream also counts the bytes that were sent. */
type Payload = Readable & { readonly receivedEncodedLength?: number };

/**
 * @returns the pieces; the caller frees them with `freePieces` or transfers them
 * @throws {ServerError} ERR_BODY_TOO_LARGE, ERR_REQUEST_INVALID, and errors of the stream
 */
export async function receiveBody(payload: Payload, options: ReceiveOptions): Promise<BodyPieces> {
  const { bytesMax, contentLength, tooLarge } = options;
  if (contentLength !== undefined && contentLength > bytesMax) throw tooLarge();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    await collect(payload, pieces, options);
    const received = payload.receivedEncodedLength ?? lengthOf(pieces);
    if (contentLength !== undefined && received !== contentLength) {
      throw new ServerError('ERR_REQUEST_INVALID', 'the length of the body differs from its Content-Length');
    }
    return pieces;
  } catch (error) {
    freePieces(pieces);
    throw error;
  }
}

export function lengthOf(pieces: BodyPieces): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Zeroes pieces and releases their memory. Left to the garbage collector, they cause several full collections per second. */
export function freePieces(pieces: BodyPieces): void {
  for (const piece of pieces) {
    if (piece.byteLength === 0) continue;
    piece.fill(0);
    piece.buffer.transfer(0);
  }
}

function collect(
  payload: Payload,
  pieces: Uint8Array<ArrayBuffer>[],
  { bytesMax, tooLarge, turns, account, onPiece }: ReceiveOptions,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  let bytesOfTurn = 0;
  let withdraw: (() => void) | undefined;
  const onData = (received: Buffer) => {
    const piece = ownMemory(received);
    pieces.push(piece);
    bytes += piece.byteLength;
    bytesOfTurn += piece.byteLength;
    onPiece?.(piece);
    if (bytes > bytesMax || (payload.receivedEncodedLength ?? 0) > bytesMax) reject(tooLarge());
    if (bytesOfTurn < bytesPerTurn) return;
    payload.pause();
    withdraw = turns.await(account, { bytes: bytesOfTurn, proceed: () => payload.resume() });
    bytesOfTurn = 0;
  };
  payload.on('data', onData).once('end', resolve).once('error', reject);
  return promise.finally(() => {
    withdraw?.();
    payload.off('data', onData).off('end', resolve).off('error', reject);
  });
}

/** @returns the piece, or a copy of it if it shares its `ArrayBuffer`; the original is then zeroed */
function ownMemory(piece: Buffer): Uint8Array<ArrayBuffer> {
  if (piece.buffer instanceof ArrayBuffer && piece.buffer.byteLength === piece.byteLength) {
    return piece as Buffer<ArrayBuffer>;
  }
  const copy = new Uint8Array(piece);
  piece.fill(0);
  return copy;
}
