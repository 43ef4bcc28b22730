/** Shows its contents to people who are signed in, and a form to the others. */
import type { ComponentChildren } from 'preact';
import { session } from '../api/session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignedIn({ children, what }: { readonly children: ComponentChildren; readonly what: string }) {
  const current = session.value;
  if (current === 'unknown') return <p role="status">Loading…</p>;
  if (current !== undefined) return <>{children}</>;
  return (
    <section class="card narrow">
      <h1>Sign in to {what}</h1>
      <SignInForm />
    </section>
  );
}
