/** The cookie of a person's session, and the check that a request comes from a page of this server. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** With the prefix `__Host-`, browsers reject the cookie from other hosts, for other paths and without TLS. */
export const sessionCookieName = '__Host-cloister_session';

const cookiePattern = new RegExp(`(?:^|; ?)${sessionCookieName}=([A-Za-z0-9_-]{1,128})(?:;|$)`);
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** @returns undefined if the request has no cookie of this name */
export function readSessionCookie({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return cookiePattern.exec(headers.cookie ?? '')?.[1];
}

/** @param session.expiresAt milliseconds since 1970 */
export function setSessionCookie(reply: FastifyReply, session: { secret: string; expiresAt: number }): void {
  const expires = new Date(session.expiresAt).toUTCString();
  reply.header('set-cookie', `${sessionCookieName}=${session.secret}; Expires=${expires}; ${attributes}`);
}

export function dropSessionCookie(reply: FastifyReply): void {
  reply.header('set-cookie', `${sessionCookieName}=; Max-Age=0; ${attributes}`);
}

/** Browsers send `Origin` with every request that changes something. @param webOrigins further origins of this service's pages */
export function isOwnOrigin(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { webOrigins = [] }: { readonly webOrigins?: readonly string[] } = {},
): boolean {
  const { origin, host } = headers;
  return origin !== undefined && (origin === `https://${host}` || webOrigins.includes(origin));
}
