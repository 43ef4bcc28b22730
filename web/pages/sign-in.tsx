import { useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { session, signIn } from '../api/session.ts';
import { show } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';

/** From the fragment of a sign-in link, which is removed from the address and the history at once. */
const link = location.hash.slice(1);
history.replaceState(null, '', location.pathname);

function SignIn() {
  const [problem, setProblem] = useState('');
  const open = () => location.replace('/chat');
  useEffect(() => {
    if (link === '') return;
    signIn({ link }).then(open, (error: unknown) => setProblem(reasonOf(error)));
  }, []);
  const isWaiting = link !== '' && problem === '';
  const current = session.value;
  return (
    <section class="card narrow">
      <h1>Sign in</h1>
      <Problem text={problem} />
      {isWaiting && <p role="status">Opening the link…</p>}
      {!isWaiting && current !== 'unknown' && current !== undefined && (
        <p>
          You are signed in to <strong>{current.account}</strong>. <a href="/chat">Open the chat</a>
        </p>
      )}
      {!isWaiting && current === undefined && <SignInForm onSignedIn={open} />}
    </section>
  );
}

show(SignIn);
