/**
 * Sealed bodies (EHBP): a body that was sealed to this server's key is opened on its way in, and its answer is sealed
 * frame by frame on its way out, whatever route it is of. A request that is refused before its body is open, for its
 * key, type or size for example, is answered in plain text without any content of it. The protocol does not tell a
 * repeated request from a new one: who repeats it, pays for it again and cannot read the answer.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fromHex } from '../../attestation/bytes.ts';
import { AttestationError } from '../../attestation/errors.ts';
import { FrameReader } from '../../attestation/sealed/frames.ts';
import { ENCAPSULATED_KEY_HEADER, KEY_BYTES, RESPONSE_NONCE_HEADER } from '../../attestation/sealed/protocol.ts';
import type { BodyFilter } from '../answer-body.ts';
import type { SealedExchange, SealingKey } from '../enclave/sealing-key.ts';
import { ServerError } from '../errors.ts';
import { bodyTooLarge } from './error-replies.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by `openSealedBodies`. */
    takesSealedOnly?: boolean;
  }
}

export interface SealedBodyOptions {
  readonly key: SealingKey;
  /** Whether bodies that are not sealed are refused. Requests without a body are not. */
  readonly sealedOnly: boolean;
  /** Of a body as it is sent. */
  readonly bodyBytesMax: number;
}

/** Needs `filterAnswers` before it. */
export function openSealedBodies(app: FastifyInstance, { key, sealedOnly, bodyBytesMax }: SealedBodyOptions): void {
  app.decorate('takesSealedOnly', sealedOnly);
  app.addHook('preParsing', async (request, _reply, payload) => {
    const encapsulated = request.headers[ENCAPSULATED_KEY_HEADER];
    if (!hasBody(request)) return payload;
    if (encapsulated === undefined) {
      if (sealedOnly) throw plainBody();
      return payload;
    }
    const exchange = receive(key, encapsulated);
    const sealing = new SealingFilter(exchange);
    request.bodyFilters.push(sealing);
    const opening = new OpeningBody(exchange, { bodyBytesMax, onOpened: () => sealing.begin() });
    return feed(opening, payload as Readable);
  });
}

/**
 * For an answer that would be fetched from a link, which a request without a body does and nothing can seal.
 * @param instead the field, and what of it works · @throws {ServerError} ERR_SEALED_ONLY where bodies are sealed only
 */
export function refuseUnsealedLink({ server }: FastifyRequest, { instead }: { instead: string }): void {
  if (server.takesSealedOnly !== true) return;
  throw new ServerError(
    'ERR_SEALED_ONLY',
    `this server seals what it answers, and what a link leads to is not: ${instead}`,
  );
}

/** Seals one answer, if its request was opened. Whoever it is for, the secrets of the exchange end with it. */
class SealingFilter implements BodyFilter {
  readonly isOutermost = true;
  readonly #exchange: SealedExchange;
  #isOpened = false;
  #isSealing = false;

  constructor(exchange: SealedExchange) {
    this.#exchange = exchange;
  }

  /** The request is open: what is answered from now on is for its sender's eyes. */
  begin(): void {
    this.#isOpened = true;
  }

  open(headers: OutgoingHttpHeaders): void {
    this.#isSealing = this.#isOpened;
    if (!this.#isSealing) return;
    headers[RESPONSE_NONCE_HEADER] = this.#exchange.beginAnswer();
    headers['transfer-encoding'] = 'chunked';
    delete headers['content-length'];
  }

  push(chunk: Buffer): Buffer {
    return this.#isSealing ? this.#exchange.seal(chunk) : chunk;
  }

  end(): Buffer {
    this.#exchange.wipe();
    return Buffer.alloc(0);
  }

  abort(): void {
    this.#exchange.wipe();
  }
}

/** Passes the text of a sealed body on, of each frame when it is whole and authentic. */
class OpeningBody extends Transform {
  /** Bytes of the sealed body so far: what the framework compares with Content-Length and the limit. */
  receivedEncodedLength = 0;
  readonly #bodyBytesMax: number;
  readonly #exchange: SealedExchange;
  readonly #frames: FrameReader;
  readonly #onOpened: () => void;
  #isFirst = true;

  constructor(exchange: SealedExchange, { bodyBytesMax, onOpened }: { bodyBytesMax: number; onOpened: () => void }) {
    super();
    this.#exchange = exchange;
    this.#onOpened = onOpened;
    this.#bodyBytesMax = bodyBytesMax;
    // Enough for frames of a kilobyte each. Smaller ones cost more time to open than to send.
    const framesMax = 1024 + Math.ceil(bodyBytesMax / 1024);
    // The body's own limit bounds a frame: nothing is set aside for a length that is only claimed.
    this.#frames = new FrameReader({ frameBytesMax: Infinity, framesMax });
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    this.receivedEncodedLength += piece.length;
    try {
      if (this.receivedEncodedLength > this.#bodyBytesMax) throw bodyTooLarge(this.#bodyBytesMax);
      for (const frame of this.#frames.push(piece)) this.push(this.#open(frame));
      done();
    } catch (error) {
      done(refusal(error));
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#frames.end();
      // Without a frame nothing has shown that who sent the encapsulated key can open what is sealed for it.
      if (!this.#isFirst) this.#onOpened();
      done();
    } catch (error) {
      done(refusal(error));
    }
  }

  #open(frame: Uint8Array): Buffer {
    const text = this.#exchange.open(frame);
    if (text !== undefined) {
      this.#isFirst = false;
      return text;
    }
    if (this.#isFirst) throw otherKey();
    throw cannotOpen();
  }
}

/** Like `pipe`, with the end of a broken connection passed on and what a refused request still sends thrown away. */
function feed(opening: OpeningBody, payload: Readable): OpeningBody {
  payload.on('error', (error) => opening.destroy(error));
  payload.once('close', () => {
    if (!payload.readableEnded) opening.destroy(new ServerError('ERR_REQUEST_INVALID', 'the connection broke'));
  });
  opening.on('error', () => payload.resume());
  return payload.pipe(opening);
}

function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function receive(key: SealingKey, encapsulated: string | string[]): SealedExchange {
  const bytes = typeof encapsulated === 'string' ? fromHex(encapsulated) : undefined;
  const exchange = bytes?.length === KEY_BYTES ? key.receive(bytes) : undefined;
  if (exchange === undefined) throw cannotOpen();
  return exchange;
}

/** One answer for whatever is wrong with a sealed body, so that nobody learns where it failed to open. */
function cannotOpen(): ServerError {
  return new ServerError('ERR_SEALED_BODY', 'the sealed body is malformed or cannot be opened: seal it again');
}

function otherKey(): ServerError {
  return new ServerError(
    'ERR_SEALED_KEY',
    'the body was sealed to another key than the one at /.well-known/hpke-keys: verify the server anew, and seal again',
  );
}

function plainBody(): ServerError {
  return new ServerError(
    'ERR_SEALED_ONLY',
    'this server takes sealed bodies only (EHBP): its key is at /.well-known/hpke-keys',
  );
}

function refusal(error: unknown): Error {
  return error instanceof AttestationError ? cannotOpen() : (error as Error);
}
