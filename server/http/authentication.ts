/** Requires an API key on every request, as `X-Service-Key` or `Authorization: Bearer` (I-056…I-058). */
import { keyDigest, sameDigest } from '@cloister/accounts/keys/keys';
import type { Caller } from '@cloister/accounts/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServerError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that uses `requireKey`. */
    caller: Caller | undefined;
  }
}

/** Rejects a request without a live key before its body is read. */
export function requireKey(
  app: FastifyInstance,
  { findCaller }: { findCaller: (secret: string) => Caller | undefined | Promise<Caller | undefined> },
): void {
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request) => {
    request.caller = await findCaller(readKey(request));
    if (request.caller === undefined) {
      throw new ServerError(
        'ERR_KEY_INVALID',
        'the API key is unknown or revoked: make one with `cloister keys create`',
      );
    }
  });
}

/** The caller of a route that uses `requireKey`. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === undefined) throw new TypeError('callerOf needs a route that uses requireKey');
  return request.caller;
}

/** The key that a request presents, the `X-Api-Key` of Anthropic's clients included. @throws {ServerError} ERR_KEY_MISSING, ERR_KEY_AMBIGUOUS */
export function readKey({ headers }: FastifyRequest): string {
  const own = headers['x-service-key'];
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (typeof own === 'string' && bearer !== undefined && !sameDigest(keyDigest(own), keyDigest(bearer))) {
    throw new ServerError('ERR_KEY_AMBIGUOUS', 'X-Service-Key and Authorization hold different keys: send one of them');
  }
  // The header of Anthropic's clients. Gateways add keys of their own in it, so it counts only if there is no other.
  const { 'x-api-key': foreign } = headers;
  const key = [own, bearer, foreign].find((one) => typeof one === 'string');
  if (key === undefined) {
    throw new ServerError('ERR_KEY_MISSING', 'send an API key as `Authorization: Bearer …` or `X-Service-Key: …`');
  }
  return key;
}
