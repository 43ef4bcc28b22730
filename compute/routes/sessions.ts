/** Sign-in with the one-time link of `cloister accounts login` or with an API key, the account that is signed in, and sign-out. */
import type { OpenedSession } from '@cloister/accounts/store';
import {
  dropSessionCookie,
  isOwnOrigin,
  readSessionCookie,
  setSessionCookie,
} from '@cloister/server/http/session-cookie';
import { Type } from '@cloister/server/schema/type';
import { ComputeError } from '../base/errors.ts';
import { bodyReader } from '../base/readers.ts';
import { closed } from '../base/schemas.ts';
import { type Call, type Operation, ok, operation } from '../http/operation.ts';
import { boolean, text, time } from '../schemas/basics.ts';
import { iso } from '../views/pods.ts';

const token = Type.String({ minLength: 1, maxLength: 128 });
const link = Type.Object({ token }, closed);
const exchange = Type.Object({ key: token }, closed);
const account = Type.Object(
  { account: text, plan: text, scopes: Type.Array(text), can_manage_keys: boolean, expires_at: time },
  closed,
);
const signedIn = Type.Object({ success: boolean, expires_at: time, message: text }, closed);

export function sessionOperations(base: string): Operation[] {
  const path = `${base}/session`;
  return [
    operation({
      method: 'GET',
      path,
      id: 'openSession',
      summary: 'Opens a session with the one-time link that `cloister accounts login` prints',
      access: 'open',
      query: { token },
      answers: { 200: signedIn },
      errors: [401],
      handle: async (call) => ok(await signIn(call, call.query.token ?? '')),
    }),
    operation({
      method: 'POST',
      path,
      id: 'postSession',
      summary:
        'Opens a session with the token of a link, or exchanges an API key for a session that cannot manage keys',
      access: 'open',
      body: Type.Object({}),
      alternatives: [link, exchange],
      answers: { 200: signedIn },
      errors: [400, 401, 403],
      async handle(call) {
        const { body } = call;
        if (typeof body === 'object' && body !== null && 'key' in body) {
          return ok(await exchangeKey(call, bodyReader.read(exchange, body).key));
        }
        return ok(await signIn(call, bodyReader.read(link, body).token));
      },
    }),
    operation({
      method: 'GET',
      path: `${base}/account`,
      id: 'getAccount',
      summary: 'The account that is signed in, and what its session may do',
      access: 'signed-in',
      answers: { 200: account },
      async handle({ service, request, accountId }) {
        const { keyId, scopes, expiresAt } = request.session!;
        const now = await service.control.store.now();
        const { name, planInForce } = await service.accounts.readStanding({ accountId, now });
        return ok({
          account: name,
          plan: planInForce.title,
          scopes,
          can_manage_keys: keyId === undefined,
          expires_at: iso(expiresAt),
        });
      },
    }),
    operation({
      method: 'DELETE',
      path,
      id: 'endSession',
      summary: 'Signs out',
      access: 'signed-in',
      answers: { 200: Type.Object({ success: boolean }, closed) },
      async handle({ service, request, reply }) {
        await service.accounts.endSession(readSessionCookie(request) ?? '');
        dropSessionCookie(reply);
        return ok({ success: true });
      },
    }),
  ];
}

async function signIn({ service, reply }: Pick<Call, 'service' | 'reply'>, secret: string) {
  const session = await service.accounts.openSession({ link: secret, now: await service.control.store.now() });
  if (session === undefined) {
    throw new ComputeError('SESSION_REQUIRED', 'this link was already used or has expired: request a new one');
  }
  return welcome(reply, session);
}

/** Only from a page of this service, so that no other site signs a person in to an account of its own. */
async function exchangeKey({ service, request, reply }: Pick<Call, 'service' | 'request' | 'reply'>, key: string) {
  const { accounts, control, options } = service;
  if (!isOwnOrigin(request, options)) {
    throw new ComputeError('ORIGIN_REFUSED', 'sign in on a page of this service: programs send the key as `X-API-Key`');
  }
  const caller = await accounts.findCaller(key);
  if (caller === undefined) throw new ComputeError('INVALID_API_KEY', 'the API key is unknown, revoked or expired');
  return welcome(reply, await accounts.openKeySession({ caller, now: await control.store.now() }));
}

function welcome(reply: Call['reply'], session: OpenedSession) {
  setSessionCookie(reply, session);
  return { success: true, expires_at: iso(session.expiresAt), message: 'signed in' };
}
