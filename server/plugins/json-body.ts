/** Reads a JSON body once, from its exact bytes, and nothing but JSON. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cancelled } from '../../runtime/errors.ts';
import { ServerError } from '../errors.ts';
import { BodyTurns } from './body-turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the JSON body as it came out of any encoding; 0 where there is none. */
    bodyBytes: number;
  }
}

/** Refuses invalid UTF-8 instead of putting U+FFFD in its place: a prompt is taken as sent or not at all. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bodies of other content types are answered 415. */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', 0);
  app.removeAllContentTypeParsers();
  const turns = new BodyTurns();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    await turns.turn({ account: request.caller?.accountId ?? '', bytes: body.byteLength });
    if (request.raw.socket.destroyed) throw cancelled();
    request.bodyBytes = body.byteLength;
    request.receipt?.received(body);
    try {
      return parseJson(body);
    } finally {
      // The framework's own copy, which nothing reads after this.
      body.fill(0);
    }
  });
}

/** @throws {ServerError} ERR_REQUEST_INVALID, without the engine's message, which would quote the body */
export function parseJson(body: Uint8Array): unknown {
  if (body.byteLength === 0) throw new ServerError('ERR_REQUEST_INVALID', 'the request body is empty');
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new ServerError('ERR_REQUEST_INVALID', 'the request body is not valid UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerError('ERR_REQUEST_INVALID', 'the request body is not valid JSON');
  }
}
