/** Answers of the operator's API as the state of a component, and changes that reload them. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { type Change, useChange } from '../parts/use-change.ts';
import { admin } from './admin-api.ts';

export interface AdminList<Item> {
  readonly items: readonly Item[] | undefined;
  /** Why the last change failed, or else why the list cannot be read; empty if neither did. */
  readonly problem: string;
  /** Runs a change and reloads the list. @returns whether the change succeeded */
  readonly change: Change['attempt'];
}

/** @param options.refreshMs also reloads the list at this interval */
export function useAdmin<Item>(path: string, { refreshMs }: { refreshMs?: number } = {}): AdminList<Item> {
  const [items, setItems] = useState<readonly Item[]>();
  const [outage, setOutage] = useState('');
  const reload = useCallback(async () => {
    try {
      setItems(await admin<readonly Item[]>('GET', path));
      setOutage('');
    } catch (error) {
      setOutage(reasonOf(error));
    }
  }, [path]);
  const { failure, attempt } = useChange(reload);
  useEffect(() => {
    void reload();
    if (refreshMs === undefined) return;
    const timer = setInterval(() => void reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload, refreshMs]);
  return { items, problem: failure || outage, change: attempt };
}
