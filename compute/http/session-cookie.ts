/** The cookie of people who signed in, and whose pages may use it (C-091). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ComputeError } from '../base/errors.ts';
import type { ComputeOptions } from '../service/service.ts';

/** The prefix keeps browsers from taking it from another host, another path or without TLS. */
const cookieName = '__Host-cloister_session';

export function readSessionCookie({ cookies }: FastifyRequest): string | undefined {
  return cookies?.[cookieName];
}

export function setSessionCookie(
  reply: FastifyReply,
  { secret, expiresAt }: { secret: string; expiresAt: number },
): void {
  reply.setCookie(cookieName, secret, {
    httpOnly: true,
    secure: true,
    sameSite: 'strict',
    path: '/',
    expires: new Date(expiresAt),
  });
}

export function dropSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(cookieName, { httpOnly: true, secure: true, sameSite: 'strict', path: '/' });
}

/** @throws {ComputeError} ORIGIN_REFUSED where the browser says that another site asks, or says nothing */
export function requireOwnOrigin(
  { headers }: FastifyRequest,
  { webOrigins }: Pick<ComputeOptions, 'webOrigins'>,
): void {
  const { origin, host } = headers;
  if (origin !== undefined && (origin === `https://${host}` || webOrigins.includes(origin))) return;
  throw new ComputeError('ORIGIN_REFUSED', 'changes are taken from the pages of this service only');
}
