/** Sign-in with the one-time link of `cloister accounts login`, and sign-out. */
import { dropSessionCookie, readSessionCookie, setSessionCookie } from '@cloister/server/http/session-cookie';
import { Type } from '@cloister/server/schema/type';
import { ComputeError } from '../base/errors.ts';
import { closed } from '../base/schemas.ts';
import { type Call, type Operation, ok, operation } from '../http/operation.ts';
import { boolean, text, time } from '../schemas/basics.ts';
import { iso } from '../views/pods.ts';

const token = Type.String({ minLength: 1, maxLength: 128 });
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
      summary: 'Opens a session with the token in the body, which proxies do not log',
      access: 'open',
      body: Type.Object({ token }, closed),
      answers: { 200: signedIn },
      errors: [400, 401],
      handle: async (call) => ok(await signIn(call, call.body.token)),
    }),
    operation({
      method: 'DELETE',
      path,
      id: 'endSession',
      summary: 'Signs out',
      access: 'session',
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
  setSessionCookie(reply, session);
  return { success: true, expires_at: iso(session.expiresAt), message: 'signed in' };
}
