/** Accepts only JSON bodies: small ones are parsed at once, large ones on a separate thread. */
import { createHash } from 'node:crypto';
import { cancelled } from '@cloister/runtime/pool/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/authentication.ts';
import { whenCallerLeaves } from '../http/caller-signal.ts';
import { bodyTooLarge } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import { type CallReader, readBody } from './call-reader.ts';
import { LargeBodies, type LargeBodiesOptions } from './large-bodies.ts';
import { parsePieces } from './parse-json.ts';
import { type BodyPieces, lengthOf, type ReceiveOptions, receiveBody } from './receive.ts';
import { ReceivingTurns } from './receiving-turns.ts';

declare module 'fastify' {
  interface FastifyInstance {
    largeBodies: LargeBodies;
  }
  interface FastifyRequest {
    /** Bytes of the decoded JSON body; 0 if there is none. */
    bodyBytes: number;
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A body that only `callOf` can read. */
class LargeBody {
  readonly pieces: BodyPieces;

  constructor(pieces: BodyPieces) {
    this.pieces = pieces;
  }
}

/** Bodies up to this size are parsed on the serving thread, in less than a millisecond. */
const smallBytesMax = 64 * 1024;

/** Bodies of other content types get 415. Routes that accept large bodies read them with `callOf`. */
export function readJsonBodies(app: FastifyInstance, options: LargeBodiesOptions): void {
  const largeBodies = new LargeBodies(options);
  app.decorate('largeBodies', largeBodies);
  app.addHook('onClose', () => largeBodies.close());
  app.decorateRequest('bodyBytes', 0);
  const turns = new ReceivingTurns();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    requirePlain(request);
    // Hash each piece as it arrives: hashing megabytes at once would delay every connection.
    const hash = request.receipt === undefined ? undefined : createHash('sha256');
    const onPiece = (piece: Uint8Array) => hash?.update(piece);
    const pieces = await receive(request, payload, { turns, onPiece });
    request.bodyBytes = lengthOf(pieces);
    if (hash !== undefined) request.receipt?.received(hash.digest('hex'));
    return request.bodyBytes > smallBytesMax ? new LargeBody(pieces) : parsePieces(pieces);
  });
}

/**
 * The call in the body of a request.
 * @param largeTerms additional terms for a large body
 * @throws as `readBody`, for a large body as `LargeBodies`, and if a serving constraint cannot be met
 */
export async function callOf<Call, Terms>(
  reader: CallReader<Call, Terms>,
  { request, reply }: Exchange,
  terms: Terms,
  largeTerms?: () => Partial<Terms>,
): Promise<Call> {
  const { body, server } = request;
  const readsConstraints = server.requireKept !== undefined;
  const { call, constraints } =
    body instanceof LargeBody
      ? await server.largeBodies.read(
          reader,
          { pieces: body.pieces, terms: { ...terms, ...largeTerms?.() }, readsConstraints },
          { account: callerOf(request).accountId, signal: whenCallerLeaves(reply) },
        )
      : readBody(reader, body, { terms, readsConstraints });
  if (constraints !== undefined) server.requireKept?.(constraints);
  return call;
}

/** A compressed body is refused, since its size says nothing about the memory that it needs. @throws {ServerError} ERR_BODY_TYPE */
function requirePlain({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  throw new ServerError('ERR_BODY_TYPE', 'send the body uncompressed, without the header Content-Encoding');
}

async function receive(
  request: FastifyRequest,
  payload: FastifyRequest['raw'],
  shared: Pick<ReceiveOptions, 'turns' | 'onPiece'>,
): Promise<BodyPieces> {
  const bytesMax = request.routeOptions.bodyLimit ?? request.server.initialConfig.bodyLimit!;
  const { 'content-length': length } = request.headers;
  const contentLength = length === undefined ? undefined : Number(length);
  try {
    const account = request.caller?.accountId ?? request.ip;
    return await receiveBody(payload, {
      ...shared,
      ...{ bytesMax, contentLength, account },
      tooLarge: () => bodyTooLarge(bytesMax),
    });
  } catch (error) {
    throw request.raw.socket.destroyed ? cancelled() : error;
  }
}
