/** Who is signed in. The inference server and the compute service have different routes for it. */
import { signal } from '@preact/signals';
import type { Session } from './answers.ts';
import { ApiError, call } from './request.ts';

/** The secret of a sign-in link, or an API key, which the page does not keep. */
export type Secret = { readonly link: string } | { readonly key: string };

/** Where a service has its sessions. */
export interface SessionRoutes {
  /** @throws {ApiError} if nobody is signed in */
  readonly read: () => Promise<Session>;
  /** @throws {ApiError} if the secret is not valid */
  readonly open: (secret: Secret) => Promise<Session>;
  readonly end: () => Promise<unknown>;
  /** Prints a sign-in link for an account. */
  readonly command: string;
}

let routes: SessionRoutes = {
  read: () => call<Session>('/v1/session'),
  open: (secret) => call<Session>('/v1/sessions', { method: 'POST', body: secret }),
  end: () => call('/v1/session', { method: 'DELETE' }),
  command: 'npx cloister accounts login',
};

/** Called by pages of another service than the inference server, before anything else. */
export function useSessionRoutes(others: SessionRoutes): void {
  routes = others;
}

/** The command that prints a sign-in link. @param account its name, or a word that stands for it */
export function loginCommand(account: string): string {
  return `${routes.command} ${account}`;
}

/** `unknown` until the server has answered, `undefined` if nobody is signed in. */
export const session = signal<Session | undefined | 'unknown'>('unknown');

/** Asks the server once, at the start of a page. */
export async function loadSession(): Promise<void> {
  try {
    session.value = await routes.read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    session.value = undefined;
  }
}

/** @throws {ApiError} if the secret is not valid */
export async function signIn(secret: Secret): Promise<void> {
  session.value = await routes.open(secret);
}

export async function signOut(): Promise<void> {
  await routes.end();
  session.value = undefined;
}

/** Forgets the session after an answer that says that it has ended. */
export function noteEnded(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) session.value = undefined;
}
