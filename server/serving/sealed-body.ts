/**
 * Sealed bodies (EHBP), on all routes: a body that was sealed to this server's key is opened as it arrives, and its answer is sealed
 * frame by frame. A refusal before the body is open, for example for its API key, type or size, is sealed too, since clients accept
 * no other answer. A body that cannot be opened is answered in plain text, since its sender may not be able to open a sealed
 * answer. Each body is opened at most once.
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
  /** Whether plain bodies are refused. Requests without a body are accepted. */
  readonly sealedOnly: boolean;
  /** Limit of a body as it is sent. */
  readonly bodyBytesMax: number;
  /** Digest of this server's keyset; undefined until the start has been measured. */
  readonly keysetDigest?: (() => string | undefined) | undefined;
}

/** Names the keyset that a body was sealed for, so that another node of a fleet refuses it before it reads any of it. */
const keysetDigestHeader = 'x-aci-keyset-digest';

/** Call it after `filterAnswers`. */
export function openSealedBodies(app: FastifyInstance, options: SealedBodyOptions): void {
  const { key, sealedOnly, bodyBytesMax, keysetDigest } = options;
  const otherKey = () => keyProblem(options);
  app.decorate('takesSealedOnly', sealedOnly);
  app.decorateRequest('sealing', undefined);
  app.addHook('onRequest', async (request) => {
    const encapsulated = request.headers[encapsulatedKeyHeader];
    if (encapsulated === undefined || !hasBody(request)) return;
    request.sealing = new SealingFilter(() => receive(key, encapsulated));
    request.bodyFilters.push(request.sealing);
    const own = keysetDigest?.();
    const named = request.headers[keysetDigestHeader];
    if (own === undefined || named === undefined || named === own) return;
    // Before the key of the request is checked: an answer to that could not be opened by the sender either.
    request.sealing.leavePlain();
    throw otherKey();
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
    const onUnopened = () => sealing.leavePlain();
    const opening = new OpeningBody(exchange, { bodyBytesMax, account, onUnopened, otherKey });
    return feed(opening, payload as Readable);
  });
}

/**
 * Refuses an answer with a link: a request for the link has no body, so its answer cannot be sealed.
 * @param instead the field and the value that works · @throws {ServerError} ERR_SEALED_ONLY if the server accepts sealed bodies only
 */
export function refuseUnsealedLink({ server }: FastifyRequest, { instead }: { instead: string }): void {
  if (server.takesSealedOnly !== true) return;
  throw new ServerError(
    'ERR_SEALED_ONLY',
    `this server seals every answer, and the target of a link cannot be sealed: ${instead}`,
  );
}

/** Seals one answer, unless its request could not be opened. Wipes the secrets of the exchange after the answer. */
class SealingFilter implements BodyFilter {
  readonly isOutermost = true;
  readonly #receive: () => SealedExchange | undefined;
  #exchange: SealedExchange | undefined;
  #isPlain = false;

  /** @param receive computes a Diffie–Hellman, so it is called once, as late as possible */
  constructor(receive: () => SealedExchange | undefined) {
    this.#receive = receive;
  }

  /** @returns undefined if the encapsulated key is invalid */
  exchange(): SealedExchange | undefined {
    this.#exchange ??= this.#receive();
    if (this.#exchange === undefined) this.#isPlain = true;
    return this.#exchange;
  }

  /** Answers in plain text, because the body could not be opened and its sender may not be able to open an answer. */
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
  /** The account of the request; undefined if its API key was not checked, so that strangers cannot use up memory. */
  readonly account: string | undefined;
  /** Called if the body cannot be opened, before the stream fails. */
  readonly onUnopened: () => void;
  /** The refusal of a body for another key. */
  readonly otherKey: () => ServerError;
}

/** Decrypts a sealed body. It emits the text of a frame once the frame is complete and authentic. */
class OpeningBody extends Transform {
  /** Bytes of the sealed body so far. Fastify compares them with Content-Length and the limit. */
  receivedEncodedLength = 0;
  readonly #bodyBytesMax: number;
  readonly #exchange: SealedExchange;
  readonly #frames: FrameReader;
  readonly #account: string | undefined;
  readonly #onUnopened: () => void;
  readonly #otherKey: () => ServerError;
  #isFirst = true;

  constructor(exchange: SealedExchange, { bodyBytesMax, account, onUnopened, otherKey }: OpeningOptions) {
    super();
    this.#exchange = exchange;
    this.#account = account;
    this.#onUnopened = onUnopened;
    this.#otherKey = otherKey;
    this.#bodyBytesMax = bodyBytesMax;
    // Enough for frames of 1 KiB each. Smaller frames take more time to open than to send.
    const framesMax = 1024 + Math.ceil(bodyBytesMax / 1024);
    // The limit of the body bounds a frame. No memory is reserved for the length that a frame claims.
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
      // Without a frame, the sender has not shown that it can open an answer sealed for its encapsulated key.
      if (this.#isFirst) this.#onUnopened();
      done();
    } catch (error) {
      done(this.#refusal(error));
    }
  }

  #open(frame: Uint8Array): Buffer {
    const text = this.#exchange.open(frame);
    if (text === undefined) throw this.#isFirst ? this.#otherKey() : cannotOpen();
    if (this.#isFirst && this.#account !== undefined) {
      const admission = this.#exchange.admit(this.#account);
      if (admission === 'retired') throw this.#otherKey();
      requireAdmission(admission);
    }
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

/** Like `pipe`, but forwards the error of a broken connection and discards the rest of a refused request. */
function feed(opening: OpeningBody, payload: Readable): OpeningBody {
  payload.on('error', (error) => opening.destroy(error));
  payload.once('close', () => {
    if (!payload.readableEnded)
      opening.destroy(new ServerError('ERR_REQUEST_INVALID', 'the connection closed before the request was complete'));
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

/** @throws {ServerError} ERR_SEALED_REPLAY, ERR_SEALED_FULL */
function requireAdmission(admission: Exclude<SealedAdmission, 'retired'>): void {
  if (admission === 'fresh') return;
  if (admission === 'replayed') {
    throw new ServerError('ERR_SEALED_REPLAY', 'this sealed body was opened before: seal it again, as a new request');
  }
  throw new ServerError('ERR_SEALED_FULL', 'too many sealed requests of this account within minutes: retry later');
}

/** The same error for every fault of a sealed body, so that a sender cannot learn where opening failed. */
function cannotOpen(): ServerError {
  return new ServerError('ERR_SEALED_BODY', 'the sealed body is malformed or cannot be opened: seal it again');
}

/** Carries the key configuration of this server, which the sender verifies by the evidence as always. */
function keyProblem({ key, keysetDigest }: SealedBodyOptions): ServerError {
  const digest = keysetDigest?.();
  return new ServerError(
    'ERR_SEALED_KEY',
    'the body was sealed to another key, not the one at /.well-known/hpke-keys: verify the server again, then seal again',
    {
      details: {
        key_config: Buffer.from(key.keyConfig).toString('base64'),
        ...(digest === undefined ? {} : { keyset_digest: digest }),
      },
    },
  );
}

function plainBody(): ServerError {
  return new ServerError(
    'ERR_SEALED_ONLY',
    'this server accepts sealed bodies only (EHBP): its key is at /.well-known/hpke-keys',
  );
}
