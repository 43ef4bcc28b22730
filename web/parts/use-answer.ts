/** An answer of the API as the state of a component. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { call, reasonOf } from '../api/request.ts';
import { noteEnded } from '../api/session.ts';

export interface Loaded<Answer> {
  readonly answer: Answer | undefined;
  /** A sentence; undefined if the last request succeeded. */
  readonly problem: string | undefined;
  readonly reload: () => Promise<void>;
}

/** Requests a path at once, and again when it changes. */
export function useAnswer<Answer>(path: string): Loaded<Answer> {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<string>();
  const reload = useCallback(
    async (signal?: AbortSignal) => {
      try {
        setAnswer(await call<Answer>(path, signal === undefined ? {} : { signal }));
        setProblem(undefined);
      } catch (error) {
        if (signal?.aborted === true) return;
        noteEnded(error);
        setProblem(reasonOf(error));
      }
    },
    [path],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void reload(leaving.signal);
    return () => leaving.abort();
  }, [reload]);
  return { answer, problem, reload: () => reload() };
}
