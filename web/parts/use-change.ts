/** Changes that reload what they concern. */
import { useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { noteEnded } from '../api/session.ts';

export interface Change {
  /** A sentence about the last change; empty if it succeeded. */
  readonly failure: string;
  /** @returns whether the change succeeded */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** @param reload called after each change that succeeded */
export function useChange(reload: () => Promise<unknown>): Change {
  const [failure, setFailure] = useState('');
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setFailure('');
      await reload();
      return true;
    } catch (error) {
      noteEnded(error);
      setFailure(reasonOf(error));
      return false;
    }
  };
  return { failure, attempt };
}

/** The fields of a form that was submitted; the page stays. */
export function fieldsOf(event: SubmitEvent): { readonly form: HTMLFormElement; readonly fields: FormData } {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  return { form, fields: new FormData(form) };
}
