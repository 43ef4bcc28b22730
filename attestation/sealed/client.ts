/**
 * The client side of sealed bodies: seals a request to a server's key and opens the response. No network, for Node and
 * browsers: WebCrypto, unless the caller passes other primitives. The caller must take the key from verified evidence.
 */
import { concatBytes, fromHex, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { EventStreamEnd } from './event-stream-end.ts';
import { FrameReader, frameHeader } from './frames.ts';
import { answerKeys, type BodyKeys, exchangeSecrets, frameNonce, wipe } from './key-schedule.ts';
import type { Aead, Primitives } from './primitives.ts';
import {
  answerFrameBytesMax,
  encapsulatedKeyHeader,
  frameTextBytesMax,
  keyBytes,
  keyProblemStatus,
  keyProblemType,
  problemType,
  responseNonceHeader,
} from './protocol.ts';
import { webPrimitives } from './web-primitives.ts';

/** The state that opens the response to one sealed request. Contains a secret. */
export interface SealedExchange {
  readonly encapsulatedKey: Uint8Array;
  readonly exported: Uint8Array;
}

/**
 * Seals the body of a request and keeps everything else: headers, signal, credentials, redirects. Reads the whole body from a copy, so that
 * `request` can be sealed again. A request without a body is returned unchanged, and its response is not sealed.
 * @param serverKey X25519, 32 bytes
 * @throws {AttestationError} ERR_SEALED_MALFORMED if the key is invalid
 */
export async function sealRequest(
  request: Request,
  serverKey: Uint8Array,
): Promise<{ request: Request; exchange: SealedExchange | undefined }> {
  const body = new Uint8Array(await request.clone().arrayBuffer());
  if (body.length === 0) return { request, exchange: undefined };
  const { headers, sealed, exchange } = await sealBody({ headers: request.headers, body }, serverKey);
  return { request: new Request(request, { headers, body: sealed }), exchange };
}

/**
 * As `sealRequest`, for callers that have the headers and the body.
 * @param body not empty; zeroed · @returns the headers and the body to send instead
 */
export async function sealBody(
  { headers, body }: { readonly headers: Headers; readonly body: Uint8Array },
  serverKey: Uint8Array,
  primitives: Primitives = webPrimitives,
): Promise<{ headers: Headers; sealed: Uint8Array<ArrayBuffer>; exchange: SealedExchange }> {
  const { encapsulatedKey, request: keys, exported } = await encapsulate(serverKey, primitives);
  const sealed = await sealFrames(body, keys, primitives);
  const sealedHeaders = new Headers(headers);
  sealedHeaders.set(encapsulatedKeyHeader, toHex(encapsulatedKey));
  sealedHeaders.delete('content-length');
  return { headers: sealedHeaders, sealed, exchange: { encapsulatedKey, exported } };
}

/**
 * Seals bytes to a key. The receiver opens them like the body of a sealed request, and there is no response.
 * @param bytes zeroed · @param key X25519, 32 bytes · @returns the encapsulated key, and the frames
 * @throws {AttestationError} ERR_SEALED_MALFORMED if the key is invalid
 */
export async function sealBytes(
  bytes: Uint8Array,
  key: Uint8Array,
): Promise<{ encapsulatedKey: Uint8Array; sealed: Uint8Array }> {
  try {
    const { encapsulatedKey, request: keys, exported } = await encapsulate(key, webPrimitives);
    wipe(exported);
    return { encapsulatedKey, sealed: await sealFrames(bytes, keys, webPrimitives) };
  } finally {
    wipe(bytes);
  }
}

/**
 * Opens the response to a sealed request while it streams; each frame is authenticated before any of it is passed on. An unsealed response
 * with an error status is returned unchanged, because a proxy may have sent it: do not trust its contents. A sealed error whose first frame
 * cannot be opened leads to ERR_SEALED_KEY: a server that refuses before it opens the body does not notice that the body was sealed to its
 * previous key.
 * @param exchange from `sealRequest`; its secret is zeroed
 * @returns a response whose body throws ERR_SEALED_MALFORMED if a frame is forged or the response is truncated. An event stream is complete
 *   with its last event, regardless of its headers; any other response must not be empty or end inside a frame. JSON of several frames that
 *   is truncated between two frames fails to parse
 * @throws {AttestationError} ERR_SEALED_STRIPPED, ERR_SEALED_KEY, ERR_SEALED_MALFORMED
 */
export async function openResponse(
  response: Response,
  exchange: SealedExchange,
  primitives: Primitives = webPrimitives,
): Promise<Response> {
  try {
    const nonceText = response.headers.get(responseNonceHeader);
    if (nonceText === null) return await unsealed(response);
    const responseNonce = fromHex(nonceText);
    if (responseNonce?.length !== keyBytes) throw malformed(`${responseNonceHeader} must be ${keyBytes} bytes`);
    const keys = await primitives.derive(answerKeys({ ...exchange, responseNonce }));
    return await opened(response, keys, primitives);
  } finally {
    wipe(exchange.exported);
  }
}

async function encapsulate(serverKey: Uint8Array, { agree, derive }: Primitives) {
  const { encapsulatedKey, dh } = await agreed(serverKey, agree);
  const secrets = await derive(exchangeSecrets({ dh, encapsulatedKey, publicKey: serverKey }));
  return { encapsulatedKey, ...secrets };
}

async function agreed(serverKey: Uint8Array, agree: Primitives['agree']) {
  try {
    return await agree(serverKey);
  } catch (cause) {
    throw new AttestationError('ERR_SEALED_MALFORMED', 'the server’s key is not a usable X25519 key', { cause });
  }
}

/** The whole body in frames. Zeroes `body` and the keys. */
async function sealFrames(
  body: Uint8Array,
  { key, baseNonce }: BodyKeys,
  { sealer }: Primitives,
): Promise<Uint8Array<ArrayBuffer>> {
  const seal = await sealer(key);
  const parts: Uint8Array[] = [];
  for (let at = 0, sequence = 0; at < body.length; at += frameTextBytesMax, sequence++) {
    const sealed = await seal(body.subarray(at, at + frameTextBytesMax), frameNonce(baseNonce, sequence));
    parts.push(frameHeader(sealed.length), sealed);
  }
  wipe(body, baseNonce);
  return concatBytes(...parts);
}

async function unsealed(response: Response): Promise<Response> {
  if (response.ok) {
    throw new AttestationError(
      'ERR_SEALED_STRIPPED',
      `the response to a sealed request has status ${response.status} and no ${responseNonceHeader}`,
    );
  }
  if (await isKeyProblem(response)) {
    throw new AttestationError('ERR_SEALED_KEY', 'the server reports that the body was sealed to another key');
  }
  return response;
}

/** Reads a copy, because the caller may return the response. */
async function isKeyProblem(response: Response): Promise<boolean> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (response.status !== keyProblemStatus || type !== problemType) return false;
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return typeof problem === 'object' && problem !== null && 'type' in problem && problem.type === keyProblemType;
}

async function opened(response: Response, { key, baseNonce }: BodyKeys, { opener }: Primitives): Promise<Response> {
  const headers = new Headers(response.headers);
  // These headers describe the sealed bytes.
  for (const name of [responseNonceHeader, 'content-length', 'transfer-encoding']) headers.delete(name);
  if (response.body === null) throw malformed('the sealed response is empty');
  const frames = new FrameReader({ frameBytesMax: answerFrameBytesMax });
  const isNamedEvents = (headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream');
  const end = new EventStreamEnd();
  const open = await opener(key);
  let sequence = 0;
  const opening = new TransformStream<Uint8Array, Uint8Array>({
    async transform(piece, controller) {
      for (const frame of frames.push(piece)) {
        const text = await openFrame(frame, open, frameNonce(baseNonce, sequence));
        sequence += 1;
        end.push(text);
        if (text.length > 0) controller.enqueue(text);
      }
    },
    flush() {
      wipe(baseNonce);
      frames.end();
      if (sequence === 0) throw malformed('the sealed response is empty');
      if ((isNamedEvents || end.isEventStream) && !end.isComplete) {
        throw malformed('the sealed stream is truncated: its last event is missing');
      }
    },
  });
  const { status, statusText } = response;
  const body = response.body.pipeThrough(opening);
  return new Response(response.ok ? body : await afterFirstText(body), { status, statusText, headers });
}

/** Returns the stream after its first frame was opened. @throws {AttestationError} ERR_SEALED_KEY if it cannot be opened */
async function afterFirstText(body: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const first = await reader.read().catch((cause: unknown) => {
    throw new AttestationError('ERR_SEALED_KEY', 'the error response is sealed for another exchange', { cause });
  });
  return new ReadableStream({
    start(controller) {
      if (first.done) controller.close();
      else controller.enqueue(first.value);
    },
    async pull(controller) {
      const next = await reader.read();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function openFrame(frame: Uint8Array, open: Aead, nonce: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    return await open(frame, nonce);
  } catch (cause) {
    throw new AttestationError('ERR_SEALED_MALFORMED', 'a frame of the sealed response is not authentic', { cause });
  }
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_SEALED_MALFORMED', message);
}
