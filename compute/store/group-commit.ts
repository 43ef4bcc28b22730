/**
 * Group commit on SQLite, which runs one transaction at a time and flushes the disk at each commit: transactions that wait while
 * another commits run together in the next one, each in its own savepoint, and share one flush. Each resolves after the flush.
 */
import { sql } from 'kysely';
import type { Queries, Tx } from './queries.ts';

/** Transactions per commit, at most; bounds the time that the first one waits. */
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

  /** @returns the result of `work` after the commit · @throws the error of `work`, after its changes were rolled back */
  run<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const done = Promise.withResolvers<unknown>();
    this.#waiting.push({ work, done });
    if (!this.#isRunning) {
      this.#isRunning = true;
      // Starts after the current I/O events, so that requests that arrive together share a commit.
      setImmediate(() => void this.#runAll());
    }
    return done.promise as Promise<Result>;
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#commit(this.#waiting.splice(0, worksMax));
      // Yields to the event loop between two commits, so that other I/O is not starved.
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
      // The commit failed, which rolled back all transactions of the group.
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
