/**
 * Sealed bodies (EHBP): a body that was sealed to this server's key is opened on its way in, and its answer is sealed
 * frame by frame on its way out, whatever route it is of. The refusal of a request before its body is open, for its API
 * key, type or size for example, is sealed too, since clients take no other answer. A body that cannot be opened is answered
 * in plain text: who sent it may not be able to open anything. No body is opened twice.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { fromHex } from '@cloister/attestation/base/bytes';
import { AttestationError } from '@cloister/attestation/base/errors';
import { FrameReader } from '@cloister/attestation/sealed/frames';
import { encapsulatedKeyHeader, keyBytes, responseNonceHeader } from '@cloister/attestation/sealed/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SealedAdmission, SealedExchange, SealingKey } from '../enclave/sealing-key.ts';
import type { BodyFilter } from '../http/answer-body.ts';
import { bodyTooLarge } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by `openSealedBodies`. */
    takesSealedOnly?: boolean;
  }
  interface FastifyRequest {
    /** Set by `openSealedBodies` on requests with a sealed body. */
    sealing: SealingFilter | undefined;
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
  app.decorateRequest('sealing', undefined);
  app.addHook('onRequest', async (request) => {
    const encapsulated = request.headers[encapsulatedKeyHeader];
    if (encapsulated === undefined || !hasBody(request)) return;
    request.sealing = new SealingFilter(() => receive(key, encapsulated));
    request.bodyFilters.push(request.sealing);
  });
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!hasBody(request)) return payload;
    const { sealing } = request;
    if (sealing === undefined) {
      if (sealedOnly) throw plainBody();
      return payload;
    }
    const exchange = sealing.exchange();
    if (exchange === undefined) throw cannotOpen();
    const account = request.caller?.accountId;
    const opening = new OpeningBody(exchange, { bodyBytesMax, account, onUnopened: () => sealing.leavePlain() });
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

/** Seals one answer, unless its request could not be opened. The secrets of the exchange end with the answer. */
class SealingFilter implements BodyFilter {
  readonly isOutermost = true;
  readonly #receive: () => SealedExchange | undefined;
  #exchange: SealedExchange | undefined;
  #isPlain = false;

  /** @param receive costs a Diffie–Hellman, so it is called once and late */
  constructor(receive: () => SealedExchange | undefined) {
    this.#receive = receive;
  }

  /** @returns undefined where the encapsulated key is none */
  exchange(): SealedExchange | undefined {
    this.#exchange ??= this.#receive();
    if (this.#exchange === undefined) this.#isPlain = true;
    return this.#exchange;
  }

  /** The body could not be opened: nothing shows that its sender could open an answer. */
  leavePlain(): void {
    this.#isPlain = true;
  }

  open(headers: OutgoingHttpHeaders): void {
    if (!this.#isPlain) this.exchange();
    if (this.#isPlain) return;
    headers[responseNonceHeader] = this.#exchange!.beginAnswer();
    headers['transfer-encoding'] = 'chunked';
    delete headers['content-length'];
  }

  push(chunk: Buffer): Buffer {
    return this.#isPlain ? chunk : this.#exchange!.seal(chunk);
  }

  end(): Buffer {
    this.#exchange?.wipe();
    return Buffer.alloc(0);
  }

  abort(): void {
    this.#exchange?.wipe();
  }
}

interface OpeningOptions {
  readonly bodyBytesMax: number;
  /** Whose request it is; undefined where no route took its API key, so that strangers use no memory up. */
  readonly account: string | undefined;
  /** Called where the body cannot be opened, before the stream fails. */
  readonly onUnopened: () => void;
}

/** Passes the text of a sealed body on, of each frame when it is whole and authentic. */
class OpeningBody extends Transform {
  /** Bytes of the sealed body so far: what the framework compares with Content-Length and the limit. */
  receivedEncodedLength = 0;
  readonly #bodyBytesMax: number;
  readonly #exchange: SealedExchange;
  readonly #frames: FrameReader;
  readonly #account: string | undefined;
  readonly #onUnopened: () => void;
  #isFirst = true;

  constructor(exchange: SealedExchange, { bodyBytesMax, account, onUnopened }: OpeningOptions) {
    super();
    this.#exchange = exchange;
    this.#account = account;
    this.#onUnopened = onUnopened;
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
      done(this.#refusal(error));
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#frames.end();
      // Without a frame nothing has shown that who sent the encapsulated key can open what is sealed for it.
      if (this.#isFirst) this.#onUnopened();
      done();
    } catch (error) {
      done(this.#refusal(error));
    }
  }

  #open(frame: Uint8Array): Buffer {
    const text = this.#exchange.open(frame);
    if (text === undefined) throw this.#isFirst ? otherKey() : cannotOpen();
    if (this.#isFirst && this.#account !== undefined) requireAdmission(this.#exchange.admit(this.#account));
    this.#isFirst = false;
    return text;
  }

  #refusal(error: unknown): Error {
    const refusal = error instanceof AttestationError ? cannotOpen() : (error as Error);
    const code = refusal instanceof ServerError ? refusal.code : undefined;
    if (code === 'ERR_SEALED_BODY' || code === 'ERR_SEALED_KEY') this.#onUnopened();
    return refusal;
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

function receive(key: SealingKey, encapsulated: string | string[]): SealedExchange | undefined {
  const bytes = typeof encapsulated === 'string' ? fromHex(encapsulated) : undefined;
  return bytes?.length === keyBytes ? key.receive(bytes) : undefined;
}

/** @throws {ServerError} ERR_SEALED_REPLAY, ERR_SEALED_FULL, ERR_SEALED_KEY */
function requireAdmission(admission: SealedAdmission): void {
  if (admission === 'fresh') return;
  if (admission === 'retired') throw otherKey();
  if (admission === 'replayed') {
    throw new ServerError('ERR_SEALED_REPLAY', 'this sealed body was opened before: seal it again, as a new request');
  }
  throw new ServerError('ERR_SEALED_FULL', 'too many sealed requests of this account within minutes: retry later');
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
