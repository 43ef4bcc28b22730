/** Accepts only JSON bodies: small ones are parsed at once, large ones on a separate thread. */
import { cancelled } from '@cloister/runtime/pool/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/authentication.ts';
import { whenCallerLeaves } from '../http/caller-signal.ts';
import { bodyTooLarge } from '../http/error-replies.ts';
import { type CallReader, readBody } from './call-reader.ts';
import { LargeBodies, type LargeBodiesOptions } from './large-bodies.ts';
import { parseJson } from './parse-json.ts';
import { receiveBody } from './receive.ts';

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

/** Bodies up to this size are parsed on the serving thread, in less than a millisecond. */
const smallBytesMax = 64 * 1024;

/** Bodies of other content types get 415. Routes that accept large bodies read them with `callOf`. */
export function readJsonBodies(app: FastifyInstance, options: LargeBodiesOptions): void {
  const largeBodies = new LargeBodies(options);
  app.decorate('largeBodies', largeBodies);
  app.addHook('onClose', () => largeBodies.close());
  app.decorateRequest('bodyBytes', 0);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const body = await receive(request, payload);
    request.bodyBytes = body.byteLength;
    request.receipt?.received(body);
    if (body.byteLength > smallBytesMax) return body;
    try {
      return parseJson(body);
    } finally {
      body.fill(0);
    }
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
    body instanceof Uint8Array
      ? await server.largeBodies.read(
          reader,
          { body: body as Uint8Array<ArrayBuffer>, terms: { ...terms, ...largeTerms?.() }, readsConstraints },
          { account: callerOf(request).accountId, signal: whenCallerLeaves(reply) },
        )
      : readBody(reader, body, { terms, readsConstraints });
  if (constraints !== undefined) server.requireKept?.(constraints);
  return call;
}

async function receive(request: FastifyRequest, payload: FastifyRequest['raw']): Promise<Buffer> {
  const bytesMax = request.routeOptions.bodyLimit ?? request.server.initialConfig.bodyLimit!;
  const { 'content-length': length } = request.headers;
  const contentLength = length === undefined ? undefined : Number(length);
  try {
    return await receiveBody(payload, { bytesMax, contentLength, tooLarge: () => bodyTooLarge(bytesMax) });
  } catch (error) {
    throw request.raw.socket.destroyed ? cancelled() : error;
  }
}
