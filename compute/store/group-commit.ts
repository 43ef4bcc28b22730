/**
 * Transactions on SQLite, which has room for one at a time and flushes the disk at each: those that wait while one is being
 * committed go into the next together, each behind a savepoint of its own, and one flush pays for all of them (group
 * commit). None is told that it is done before it is on the disk.
 */
import { sql } from 'kysely';
import type { Queries, Tx } from './queries.ts';

/** Most in one commit, so that the first need not wait for long. */
const worksMax = 128;

interface Waiting {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly done: PromiseWithResolvers<unknown>;
}

export class GroupCommit {
  readonly #db: Queries;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(db: Queries) {
    this.#db = db;
  }

  /** @returns what `work` did, once it is committed · @throws what `work` throws, and then nothing of it is */
  run<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const done = Promise.withResolvers<unknown>();
    this.#waiting.push({ work, done });
    if (!this.#isRunning) {
      this.#isRunning = true;
      // After the input that is being read has been read, so that what arrives together goes together.
      setImmediate(() => void this.#runAll());
    }
    return done.promise as Promise<Result>;
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, worksMax));
      // Not at once: nothing between two commits would let other input in.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isRunning = false;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const outcomes = new Map<Waiting, Outcome>();
    try {
      await this.#db.transaction().execute(async (tx) => {
        for (const one of group) outcomes.set(one, await runBehindSavepoint(tx, one.work));
      });
    } catch (error) {
      // Not committed: what was done is undone for all of them.
      for (const { done } of group) done.reject(error);
      return;
    }
    for (const [{ done }, outcome] of outcomes) {
      if ('error' in outcome) done.reject(outcome.error);
      else done.resolve(outcome.result);
    }
  }
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

async function runBehindSavepoint(tx: Tx, work: (tx: Tx) => Promise<unknown>): Promise<Outcome> {
  await sql`savepoint work`.execute(tx);
  let outcome: Outcome;
  try {
    outcome = { result: await work(tx) };
  } catch (error) {
    await sql`rollback to work`.execute(tx);
    outcome = { error };
  }
  await sql`release work`.execute(tx);
  return outcome;
}
