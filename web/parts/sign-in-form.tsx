/** Exchanges an API key for a session. */
import { useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { loginCommand, signIn } from '../api/session.ts';
import { Problem } from './problem.tsx';

/** @param onSignedIn called after the session was opened */
export function SignInForm({ onSignedIn }: { readonly onSignedIn?: () => void }) {
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('key') as HTMLInputElement;
    const key = field.value.trim();
    field.value = '';
    if (key === '') return;
    setIsBusy(true);
    try {
      await signIn({ key });
      onSignedIn?.();
    } catch (error) {
      setProblem(reasonOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <label>
        API key
        <input name="key" type="password" autocomplete="off" spellcheck={false} placeholder="clst_…" required />
      </label>
      <p class="fine">
        The key is exchanged once for a session of this browser, which ends after 30 idle minutes. The page does not
        keep it. To manage keys, sign in with the link that <code>{loginCommand('ACCOUNT')}</code> prints.
      </p>
      <Problem text={problem} />
      <p>
        <button type="submit" class="primary" disabled={isBusy}>
          Sign in
        </button>
      </p>
    </form>
  );
}
