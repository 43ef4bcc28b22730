/**
 * `POST /v1/sessions`: a person signs in with a link of `cloister accounts login`, or exchanges an API key for a session; the page
 * never keeps the key. `/v1/session`: the session of the page. `/v1/keys`: the account's keys, only for sessions that a link opened, since a key must not create keys.
 */
import { AccountError } from '@cloister/accounts/base/errors';
import type { Accounts, ApiKey, OpenedSession, Session } from '@cloister/accounts/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { callerOf } from '../../http/authentication.ts';
import { ServerError } from '../../http/errors.ts';
import { dropSessionCookie, isOwnOrigin, readSessionCookie, setSessionCookie } from '../../http/session-cookie.ts';
import { newKeyReader, type SignIn, signInReader } from './schema.ts';

export interface SessionDependencies {
  readonly accounts: Pick<
    Accounts,
    | 'findCaller'
    | 'openSession'
    | 'openKeySession'
    | 'endSession'
    | 'readStanding'
    | 'listKeys'
    | 'createKey'
    | 'revokeKey'
  >;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const bodyBytesMax = 4096;
const dayMs = 86_400_000;

/** `POST /sessions`: needs no key. */
export function signInRoutes(app: FastifyInstance, dependencies: SessionDependencies): void {
  const { accounts, now } = dependencies;
  app.post('/sessions', { bodyLimit: bodyBytesMax }, async (request, reply) => {
    // Otherwise another site could sign a person in to an account of its own.
    if (!isOwnOrigin(request)) {
      const code = request.headers.origin === undefined ? 'ERR_KEY_MISSING' : 'ERR_ORIGIN_REFUSED';
      throw new ServerError(code, 'sign in on a page of this server: programs send an API key with each request');
    }
    const session = await open(await callOf(signInReader, { request, reply }, {}), { accounts, now: now() });
    setSessionCookie(reply, session);
    return await describeSession(session, dependencies);
  });
}

/** For a scope behind `requireKey`. */
export function sessionRoutes(app: FastifyInstance, dependencies: SessionDependencies): void {
  const { accounts, now } = dependencies;

  app.get('/session', async (request) => await describeSession(sessionOf(request), dependencies));

  app.delete('/session', async (request, reply) => {
    sessionOf(request);
    await accounts.endSession(readSessionCookie(request)!);
    dropSessionCookie(reply);
    return { object: 'session', deleted: true };
  });

  app.get('/keys', async (request) => {
    requireKeyManager(request);
    const keys = await accounts.listKeys({ account: await accountName(request, dependencies) });
    return { object: 'list', data: keys.map(describeKey) };
  });

  app.post('/keys', { bodyLimit: bodyBytesMax }, async (request, reply) => {
    requireKeyManager(request);
    const { name, scopes, expiresInDays } = await callOf(newKeyReader, { request, reply }, {});
    const at = now();
    const expiresAt = expiresInDays === undefined ? undefined : at + expiresInDays * dayMs;
    const account = await accountName(request, dependencies);
    const { key, secret } = await accounts.createKey({ account, name, scopes, expiresAt, now: at });
    return reply.code(201).send({ ...describeKey(key), secret });
  });

  app.delete<{ Params: { id: string } }>('/keys/:id', async (request) => {
    requireKeyManager(request);
    const { id } = request.params;
    const keys = await accounts.listKeys({ account: await accountName(request, dependencies) });
    if (!keys.some((key) => key.id === id)) {
      throw new AccountError('ERR_KEY_UNKNOWN', 'this account has no live key with this id');
    }
    return describeKey(await accounts.revokeKey(id, { now: now() }));
  });
}

async function open(
  signIn: SignIn,
  { accounts, now }: { accounts: SessionDependencies['accounts']; now: number },
): Promise<OpenedSession> {
  if ('link' in signIn) {
    const session = await accounts.openSession({ link: signIn.link, now });
    if (session !== undefined) return session;
    throw new ServerError(
      'ERR_LINK_INVALID',
      'the sign-in link was used or has expired: make another with `cloister accounts login`',
    );
  }
  const caller = await accounts.findCaller(signIn.key);
  if (caller === undefined) throw new ServerError('ERR_KEY_INVALID', 'the API key is unknown, revoked or expired');
  return await accounts.openKeySession({ caller, now });
}

function sessionOf({ session }: FastifyRequest): Session {
  if (session !== undefined) return session;
  throw new ServerError('ERR_SESSION_REQUIRED', 'this needs a session: sign in on a page of this server');
}

function requireKeyManager(request: FastifyRequest): void {
  if (sessionOf(request).keyId === undefined) return;
  throw new ServerError(
    'ERR_SESSION_REQUIRED',
    'sign in with a link of `cloister accounts login` to manage keys: this session was opened with an API key',
  );
}

async function accountName(request: FastifyRequest, { accounts, now }: SessionDependencies): Promise<string> {
  return (await accounts.readStanding({ accountId: callerOf(request).accountId, now: now() })).name;
}

async function describeSession(session: Session, { accounts, now }: SessionDependencies) {
  const { name, planInForce } = await accounts.readStanding({ accountId: session.accountId, now: now() });
  return {
    object: 'session',
    account: name,
    plan: planInForce.title,
    scopes: session.scopes,
    can_manage_keys: session.keyId === undefined,
    expires_at: isoTime(session.expiresAt),
  };
}

function describeKey(key: ApiKey) {
  return {
    object: 'key',
    id: key.id,
    name: key.name,
    preview: key.preview,
    scopes: key.scopes,
    created_at: isoTime(key.createdAt),
    expires_at: key.expiresAt === undefined ? null : isoTime(key.expiresAt),
    last_used_on: key.lastUsedAt === undefined ? null : isoTime(key.lastUsedAt).slice(0, 10),
    revoked_at: key.revokedAt === undefined ? null : isoTime(key.revokedAt),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
