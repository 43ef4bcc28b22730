/**
 * The same look at pods and money as `findFaults`, every minute, however long the journal has become: what is long past is
 * summed once, remembered, and summed again a little at each look, so that who changes it is found, too.
 */
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { findFaults } from './invariants.ts';
import type { ComputeStore } from './store.ts';
import { liveStates } from './tables.ts';

export interface BooksOptions {
  /** About how many rows of the journal are summed in one go: on SQLite nobody else is served meanwhile. */
  readonly stretchRows?: number;
  /** Past stretches that are summed again at each look; a journal of no more is looked at whole each time. */
  readonly stretchesAgain?: number;
  /** Looks at everything; `findFaults`, but in tests. */
  readonly findAll?: typeof findFaults;
}

/** Sums over the time after `from`, up to and including `to`. */
interface Stretch extends Sums {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

interface Sums {
  /** Micro-dollars held and spent for pods, as the journal says. */
  readonly held: number;
  readonly spent: number;
  /** The same as pods say that were gone by then, and how many of these still hold something. */
  readonly hold: number;
  readonly billed: number;
  readonly holding: number;
}

/** Longer than a transaction takes, and than clocks are set back: no row comes with an earlier time than this ago. */
const settledMs = 5 * 60_000;

export class Books {
  readonly #store: ComputeStore;
  readonly #stretchRows: number;
  readonly #stretchesAgain: number;
  readonly #findAll: typeof findFaults;
  /** Without gaps, the oldest first. */
  #past: Stretch[] = [];
  #again = 0;
  #isWrong = false;

  constructor(
    store: ComputeStore,
    { stretchRows = 20_000, stretchesAgain = 10, findAll = findFaults }: BooksOptions = {},
  ) {
    this.#store = store;
    this.#stretchRows = stretchRows;
    this.#stretchesAgain = stretchesAgain;
    this.#findAll = findAll;
  }

  /** @returns what does not agree, in words for the operator; empty when all is right */
  async look(): Promise<string[]> {
    if (!this.#isWrong && (await this.#isAsBefore())) return [];
    // A fault is what a look at everything finds, for as long as it does: a clock may have been set back, and a fault of
    // long ago would be out of sight at the next look.
    const faults = await this.#findAll(this.#store);
    this.#isWrong = faults.length > 0;
    if (!this.#isWrong) this.#past = [];
    return faults;
  }

  async #isAsBefore(): Promise<boolean> {
    await this.#remember((await this.#store.now()) - settledMs);
    return (await this.#isUnchanged()) && (await this.#agrees());
  }

  /** Sums what is past by now and was not yet. */
  async #remember(until: number): Promise<void> {
    // One that is not full goes on.
    if ((this.#past.at(-1)?.rows ?? this.#stretchRows) < this.#stretchRows) this.#past.pop();
    for (let from = this.#past.at(-1)?.to ?? -1; from < until; from = this.#past.at(-1)!.to) {
      this.#past.push(await this.#sum({ from, to: await this.#endOf({ from, until }) }));
      await setImmediate();
    }
  }

  /** The time of the row that fills a stretch, or `until`. */
  async #endOf({ from, until }: { from: number; until: number }): Promise<number> {
    const { rows } = await sql<{ at: number }>`select at from movements
      where ${isOfPods} and at > ${from} and at <= ${until}
      order by at limit 1 offset ${this.#stretchRows - 1}`.execute(this.#store.db);
    return rows[0]?.at ?? until;
  }

  async #sum({ from, to }: { from: number; to: number }): Promise<Stretch> {
    const { rows } = await sql<Sums & { rows: number }>`select * from
      (select ${heldSum} as held, ${spentSum} as spent, count(*) as rows from movements
        where ${isOfPods} and at > ${from} and at <= ${to}) as moved,
      (select coalesce(sum(hold), 0) as hold, coalesce(sum(billed), 0) as billed,
        coalesce(sum(case when hold > 0 then 1 else 0 end), 0) as holding from compute_pods
        where ${isGone} and updated_at > ${from} and updated_at <= ${to}) as gone`.execute(this.#store.db);
    const { held, spent, hold, billed, holding, rows: count } = rows[0]!;
    return {
      ...{ from, to, rows: Number(count), held: Number(held), spent: Number(spent) },
      ...{ hold: Number(hold), billed: Number(billed), holding: Number(holding) },
    };
  }

  /** Looks at some of the past again, so that in time all of it is. */
  async #isUnchanged(): Promise<boolean> {
    const count = Math.min(this.#stretchesAgain, this.#past.length);
    for (let looked = 0; looked < count; looked++) {
      this.#again = (this.#again + 1) % this.#past.length;
      const before = this.#past[this.#again]!;
      const after = await this.#sum(before);
      if (sumNames.some((name) => after[name] !== before[name])) return false;
      await setImmediate();
    }
    return true;
  }

  /** What `findFaults` asks, of what is alive or recent; in one statement, since while it runs more is booked. */
  async #agrees(): Promise<boolean> {
    const since = this.#past.at(-1)!.to;
    const past = (name: keyof Sums) => this.#past.reduce((sum, stretch) => sum + stretch[name], 0);
    const { rows } = await sql<{ count: number }>`
      with live as (select * from compute_pods where ${isLive}),
      gone as (select * from compute_pods where ${isGone} and updated_at > ${since}),
      pods as (select state, hold, billed from live union all select state, hold, billed from gone),
      moved as (select ${heldSum} as held, ${spentSum} as spent from movements where ${isOfPods} and at > ${since})
      select count(*) as count from meters
        where funding + available + held + spent <> 0 or available < 0
      union all select (select coalesce(sum(hold), 0) from pods) - (select held from moved)
        - ${past('held') - past('hold')}
      union all select (select coalesce(sum(billed), 0) from pods) - (select spent from moved)
        - ${past('spent') - past('billed')}
      union all select ${past('holding')} + (select count(*) from pods
        where state in ('releasing', 'stopped', 'failed') and hold > 0)
      union all select count(*) from live where state in ('provisioning', 'unknown') and hold <> price
      union all select count(*) from live where state = 'running' and not exists
        (select 1 from compute_jobs where compute_jobs.id = 'meter:' || live.account_id)`.execute(this.#store.db);
    return rows.every(({ count }) => Number(count) === 0);
  }
}

const sumNames = ['rows', 'held', 'spent', 'hold', 'billed', 'holding'] as const;

// Word by word as in the indexes of migration 004, which are of use to nobody who says it otherwise.
const isOfPods: RawBuilder<boolean> = sql`(kind <> 'charge' or from_side = 'held' or to_side = 'held')`;
const isGone: RawBuilder<boolean> = sql`state in ('stopped', 'failed')`;
const isLive: RawBuilder<boolean> = sql`state in (${sql.join(liveStates.map((state) => sql.lit(state)))})`;

const heldSum: RawBuilder<number> = sql`coalesce(sum(case when to_side = 'held' then micro_dollars
  when from_side = 'held' then -micro_dollars else 0 end), 0)`;
const spentSum: RawBuilder<number> = sql`coalesce(sum(case when id not like 'pod:%' then 0
  when to_side = 'spent' then micro_dollars when from_side = 'spent' then -micro_dollars else 0 end), 0)`;
