/** The session cookie of the dashboard, and the check of the request's origin (C-091). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ComputeError } from '../base/errors.ts';
import type { ComputeOptions } from '../service/service.ts';

/** With the prefix `__Host-`, browsers reject the cookie from other hosts, for other paths and without TLS. */
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

/** @throws {ComputeError} ORIGIN_REFUSED if `Origin` is missing or belongs to another site */
export function requireOwnOrigin(
  { headers }: FastifyRequest,
  { webOrigins }: Pick<ComputeOptions, 'webOrigins'>,
): void {
  const { origin, host } = headers;
  if (origin !== undefined && (origin === `https://${host}` || webOrigins.includes(origin))) return;
  throw new ComputeError(
    'ORIGIN_REFUSED',
    'the request must come from a page of this service: check the `Origin` header',
  );
}
