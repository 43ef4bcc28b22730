/**
 * Requires an API key on every request, as `X-Service-Key` or `Authorization: Bearer` (I-056…I-058), or the session of a page of
 * this server.
 */
import { keyDigest, sameDigest } from '@cloister/accounts/keys/keys';
import type { Accounts, Caller, Session } from '@cloister/accounts/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServerError } from './errors.ts';
import { isOwnOrigin, readSessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that uses `requireKey`. */
    caller: Caller | undefined;
    /** Set if the caller signed in and sent no key. */
    session: Session | undefined;
  }
}

export interface Authentication {
  readonly accounts: Pick<Accounts, 'findCaller' | 'useSession'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Rejects a request without a live key or session before its body is read. */
export function requireKey(app: FastifyInstance, { accounts, now }: Authentication): void {
  app.decorateRequest('caller', undefined);
  app.decorateRequest('session', undefined);
  app.addHook('onRequest', async (request) => {
    const cookie = hasKey(request) ? undefined : readSessionCookie(request);
    if (cookie !== undefined) {
      request.session = await sessionOf(request, { accounts, now, cookie });
      request.caller = callerOfSession(request.session);
      return;
    }
    request.caller = await accounts.findCaller(readKey(request));
    if (request.caller === undefined) {
      throw new ServerError(
        'ERR_KEY_INVALID',
        'the API key is unknown or revoked: create one with `cloister keys create`',
      );
    }
  });
}

/** Usage and receipts of a session that a link opened belong to the session's own id. */
function callerOfSession({ id, keyId = id, accountId, scopes }: Session): Caller {
  return { keyId, accountId, scopes };
}

/** @throws {ServerError} ERR_ORIGIN_REFUSED, ERR_SESSION_REQUIRED */
async function sessionOf(
  request: FastifyRequest,
  { accounts, now, cookie }: Authentication & { cookie: string },
): Promise<Session> {
  if (!isReading(request) && !isOwnOrigin(request)) {
    throw new ServerError(
      'ERR_ORIGIN_REFUSED',
      'a request with a session must come from a page of this server: programs send an API key',
    );
  }
  const session = await accounts.useSession({ secret: cookie, now: now() });
  if (session === undefined) throw new ServerError('ERR_SESSION_REQUIRED', 'the session has ended: sign in again');
  return session;
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hasKey({ headers }: FastifyRequest): boolean {
  return ['x-service-key', 'authorization', 'x-api-key'].some((name) => headers[name] !== undefined);
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
