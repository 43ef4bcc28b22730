/** Answers of the operator's API as the state of a component, and changes that reload them. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { admin } from './admin-api.ts';

export interface AdminList<Item> {
  readonly items: readonly Item[] | undefined;
  readonly problem: string;
  /** Runs a change and reloads the list. @returns whether it succeeded */
  readonly change: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useAdmin<Item>(path: string): AdminList<Item> {
  const [items, setItems] = useState<readonly Item[]>();
  const [problem, setProblem] = useState('');
  const change = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work();
        setItems(await admin<readonly Item[]>('GET', path));
        setProblem('');
        return true;
      } catch (error) {
        setProblem(reasonOf(error));
        return false;
      }
    },
    [path],
  );
  useEffect(() => {
    void change(async () => undefined);
  }, [change]);
  return { items, problem, change };
}
