/** Who is signed in. */
import { signal } from '@preact/signals';
import type { Session } from './answers.ts';
import { ApiError, call } from './request.ts';

/** `unknown` until the server has answered, `undefined` if nobody is signed in. */
export const session = signal<Session | undefined | 'unknown'>('unknown');

/** Asks the server once, at the start of a page. */
export async function loadSession(): Promise<void> {
  try {
    session.value = await call<Session>('/v1/session');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    session.value = undefined;
  }
}

/** @param secret of a sign-in link, or an API key, which the page does not keep · @throws {ApiError} */
export async function signIn(secret: { link: string } | { key: string }): Promise<void> {
  session.value = await call<Session>('/v1/sessions', { method: 'POST', body: secret });
}

export async function signOut(): Promise<void> {
  await call('/v1/session', { method: 'DELETE' });
  session.value = undefined;
}

/** Forgets the session after an answer that says that it has ended. */
export function noteEnded(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) session.value = undefined;
}
