/**
 * Sliding windows shared by several processes through PostgreSQL. Each event is one statement under the lock of one row, so two
 * processes cannot both use the last slot. The table is unlogged: a database crash resets the windows.
 */
import { sql } from 'kysely';
import type { Queries } from '../store/store.ts';
import type { WindowLimit, WindowState } from './sliding-window.ts';

export class SharedWindows {
  readonly #db: Queries;
  readonly #name: string;
  readonly #limit: WindowLimit;

  /** @param name of the limit, the same in every process */
  constructor(db: Queries, { name, limit }: { name: string; limit: WindowLimit }) {
    this.#db = db;
    this.#name = name;
    this.#limit = limit;
  }

  /** Counts an event if the limit allows it; refused events do not count. */
  async take(key: string, now: number): Promise<WindowState> {
    const { limit, windowMs } = this.#limit;
    const { rows } = await sql<{ first: number; taken: number; is_refused: boolean }>`
      insert into compute_windows as known (id, times, is_refused)
        values (${`${this.#name}:${key}`}, array[${now}::bigint], false)
      on conflict (id) do update set (times, is_refused) = (
        select case
            when count(*) < ${limit}::bigint then array_append(array_agg(time order by time), ${now}::bigint)
            else array_agg(time order by time)
          end, count(*) >= ${limit}::bigint
        from unnest(known.times) as time
        where time > ${now - windowMs}::bigint and time <= ${now + windowMs}::bigint)
      returning times[1] as first, cardinality(times) as taken, is_refused`.execute(this.#db);
    const { first, taken, is_refused: isRefused } = rows[0]!;
    return { limit, remaining: Math.max(0, limit - taken), resetAt: first + windowMs, isRefused };
  }
}
