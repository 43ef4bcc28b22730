/**
 * The audit of `findFaults` at a cost that does not grow with the journal: sums over past intervals are cached, and a few of them
 * are recomputed in each audit, which detects later changes to old rows.
 */
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { findFaults } from './invariants.ts';
import type { ComputeStore } from './store.ts';
import { liveStates } from './tables.ts';

export interface BooksOptions {
  /** Journal rows per interval, about: on SQLite one sum blocks all other work. */
  readonly intervalRows?: number;
  /** Past intervals that each audit sums again. */
  readonly intervalsPerAudit?: number;
  /** The full audit; tests replace it. */
  readonly findAll?: typeof findFaults;
}

/** Sums over the rows after `from`, up to and including `to`. */
interface Interval extends Sums {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
}

interface Sums {
  /** Micro-dollars held and spent for pods, from the journal. */
  readonly held: number;
  readonly spent: number;
  /** The same from the rows of ended pods, and the number of ended pods that still have a hold. */
  readonly hold: number;
  readonly billed: number;
  readonly holding: number;
}

/** Rows older than this are final: longer than any transaction takes, and than clocks are set back. */
const settledMs = 5 * 60_000;

export class Books {
  readonly #store: ComputeStore;
  readonly #intervalRows: number;
  readonly #intervalsPerAudit: number;
  readonly #findAll: typeof findFaults;
  /** Contiguous, oldest first. */
  #past: Interval[] = [];
  #recheckIndex = 0;
  #hasFaults = false;

  constructor(
    store: ComputeStore,
    { intervalRows = 20_000, intervalsPerAudit = 10, findAll = findFaults }: BooksOptions = {},
  ) {
    this.#store = store;
    this.#intervalRows = intervalRows;
    this.#intervalsPerAudit = intervalsPerAudit;
    this.#findAll = findAll;
  }

  /** @returns the discrepancies, described for the operator; empty if there are none */
  async audit(): Promise<string[]> {
    if (!this.#hasFaults && (await this.#isConsistent())) return [];
    // Only the full audit reports faults: a clock that was set back can make the cached sums wrong. While it finds any, every
    // audit is a full one, since the next incremental audit may not cover the rows at fault.
    const faults = await this.#findAll(this.#store);
    this.#hasFaults = faults.length > 0;
    if (!this.#hasFaults) this.#past = [];
    return faults;
  }

  async #isConsistent(): Promise<boolean> {
    await this.#sumPast((await this.#store.now()) - settledMs);
    return (await this.#isUnchanged()) && (await this.#agrees());
  }

  /** Caches the sums of the intervals that became final. */
  async #sumPast(until: number): Promise<void> {
    // The last interval grows until it is full.
    if ((this.#past.at(-1)?.rows ?? this.#intervalRows) < this.#intervalRows) this.#past.pop();
    for (let from = this.#past.at(-1)?.to ?? -1; from < until; from = this.#past.at(-1)!.to) {
      this.#past.push(await this.#sum({ from, to: await this.#endOf({ from, until }) }));
      await setImmediate();
    }
  }

  /** @returns the time of the row that fills an interval, or `until` */
  async #endOf({ from, until }: { from: number; until: number }): Promise<number> {
    const { rows } = await sql<{ at: number }>`select at from movements
      where ${isOfPods} and at > ${from} and at <= ${until}
      order by at limit 1 offset ${this.#intervalRows - 1}`.execute(this.#store.db);
    return rows[0]?.at ?? until;
  }

  async #sum({ from, to }: { from: number; to: number }): Promise<Interval> {
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

  /** Sums some past intervals again; successive audits cover all of them in turn. */
  async #isUnchanged(): Promise<boolean> {
    const count = Math.min(this.#intervalsPerAudit, this.#past.length);
    for (let looked = 0; looked < count; looked++) {
      this.#recheckIndex = (this.#recheckIndex + 1) % this.#past.length;
      const before = this.#past[this.#recheckIndex]!;
      const after = await this.#sum(before);
      if (sumNames.some((name) => after[name] !== before[name])) return false;
      await setImmediate();
    }
    return true;
  }

  /** Runs the checks of `findFaults` on live and recent rows, in one statement, so that they see one state of the database. */
  async #agrees(): Promise<boolean> {
    const since = this.#past.at(-1)!.to;
    const past = (name: keyof Sums) => this.#past.reduce((sum, interval) => sum + interval[name], 0);
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

// The same conditions as in the partial indexes of migration 004; the planner uses an index only if they match.
const isOfPods: RawBuilder<boolean> = sql`(kind <> 'charge' or from_side = 'held' or to_side = 'held')`;
const isGone: RawBuilder<boolean> = sql`state in ('stopped', 'failed')`;
const isLive: RawBuilder<boolean> = sql`state in (${sql.join(liveStates.map((state) => sql.lit(state)))})`;

const heldSum: RawBuilder<number> = sql`coalesce(sum(case when to_side = 'held' then micro_dollars
  when from_side = 'held' then -micro_dollars else 0 end), 0)`;
const spentSum: RawBuilder<number> = sql`coalesce(sum(case when id not like 'pod:%' then 0
  when to_side = 'spent' then micro_dollars when from_side = 'spent' then -micro_dollars else 0 end), 0)`;
