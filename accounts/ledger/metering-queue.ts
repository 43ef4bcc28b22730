/**
 * Batches the work that arrives during a commit into the next round (group commit), so that it shares one transaction and
 * one flush. An admission that cannot be committed is rejected; a settlement is retried until it is committed.
 */
import { AccountError } from '../base/errors.ts';
import { isDefect, storeUnavailable } from '../database/store-faults.ts';
import type { CommittedRound, MeteringOutcome, MeteringWork } from './metering-work.ts';

/** The work of the ledger since the start, and what waits for it. */
export interface LedgerLoad {
  /** Admissions, settlements and releases that wait for their first round. */
  readonly waiting: number;
  /** Settlements and releases that an outage left to be retried. */
  readonly owed: number;
  /** Transactions since the start, also failed ones, the work in them, and the time that they took. */
  readonly rounds: number;
  readonly work: number;
  readonly roundMs: number;
}

/** Most new work in one transaction, and most retried work. */
const roundWorkMax = 512;
/** Admissions are rejected above this many owed settlements, because each failed admission adds a release to them. */
const owedMax = 8 * roundWorkMax;
/** An admission that has waited this long for a round that then failed is rejected, and does not wait for the next one as well. */
const patienceMs = 1_000;
const retryMsMin = 20;
const retryMsMax = 1_000;

interface Waiting {
  readonly work: MeteringWork;
  readonly done: PromiseWithResolvers<MeteringOutcome>;
}

interface NewWork extends Waiting {
  /** By `performance.now()`. */
  readonly since: number;
}

export class MeteringQueue {
  readonly #commit: (work: readonly MeteringWork[]) => Promise<CommittedRound>;
  #waiting: NewWork[] = [];
  /** Settlements and releases to retry after an outage. */
  #owed: Waiting[] = [];
  /** Number of settlements that are committed but not flushed. */
  #flushing = 0;
  /** True while a round runs or is scheduled. */
  #isRunning = false;
  #beginning: NodeJS.Immediate | undefined;
  /** Whether the next round must start in the same turn as this one ends. */
  #isUrgent = false;
  #isClosed = false;
  #fault: unknown;
  #retryMs = retryMsMin;
  #retryTimer: NodeJS.Timeout | undefined;
  #idle: PromiseWithResolvers<void> | undefined;
  readonly #done = { rounds: 0, work: 0, roundMs: 0 };

  /** @param commit runs one round */
  constructor(commit: (work: readonly MeteringWork[]) => Promise<CommittedRound>) {
    this.#commit = commit;
  }

  /** The error of the last round; undefined if it was committed. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Number of settlements and releases to retry. */
  get owed(): number {
    return this.#owed.length;
  }

  get load(): LedgerLoad {
    return { waiting: this.#waiting.length, owed: this.#owed.length, ...this.#done };
  }

  /**
   * @param options.inTurn start the round after the pending microtasks, before the event loop handles more input
   * @returns the outcome when it is committed; for a settlement, when it is also flushed
   * @throws {AccountError} ERR_STORE_UNAVAILABLE for an admission that cannot be committed
   */
  do(work: MeteringWork, { inTurn = false }: { inTurn?: boolean } = {}): Promise<MeteringOutcome> {
    if (this.#isClosed) return Promise.reject(storeUnavailable(new Error('the accounts database is closed')));
    if (work.kind === 'admit' && this.#owed.length >= owedMax) {
      return Promise.reject(storeUnavailable(new Error('too many settlements wait for the database')));
    }
    const done = Promise.withResolvers<MeteringOutcome>();
    this.#waiting.push({ work, since: performance.now(), done });
    if (inTurn) this.#startInTurn();
    else this.#start();
    return done.promise;
  }

  /** Rejects new work and commits the rest. @returns the number of settlements not committed in time */
  async close({ timeoutMs }: { timeoutMs: number }): Promise<number> {
    this.#isClosed = true;
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, timeoutMs);
    while (this.#isRunning || this.#flushing > 0 || this.#owed.length > 0) {
      this.#idle = Promise.withResolvers();
      const isInTime = await Promise.race([this.#idle.promise.then(() => true), timer.promise.then(() => false)]);
      if (!isInTime) break;
    }
    clearTimeout(timeout);
    clearTimeout(this.#retryTimer);
    return this.#owed.length + this.#flushing;
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    clearTimeout(this.#retryTimer);
    // Wait until the event loop has handled its pending input, so that requests that arrive together share a round.
    this.#beginning = setImmediate(() => void this.#run());
  }

  #startInTurn(): void {
    if (this.#isRunning && this.#beginning === undefined) {
      this.#isUrgent = true;
      return;
    }
    clearImmediate(this.#beginning);
    clearTimeout(this.#retryTimer);
    this.#isRunning = true;
    this.#beginning = undefined;
    // Wait until the callbacks of settled promises have run.
    process.nextTick(() => void this.#run());
  }

  async #run(): Promise<void> {
    this.#beginning = undefined;
    this.#isUrgent = false;
    // Bounded by the number of parameters of one statement.
    const batch = [...this.#owed.splice(0, roundWorkMax), ...this.#waiting.splice(0, roundWorkMax)];
    await this.#try(batch);
    this.#isRunning = false;
    // Otherwise use setImmediate: on SQLite, consecutive rounds would keep the event loop from handling input.
    if (this.#isUrgent) this.#startInTurn();
    else if (this.#waiting.length > 0) this.#start();
    else if (this.#owed.length > 0) this.#retryLater();
    this.#idle?.resolve();
  }

  async #try(batch: readonly Waiting[]): Promise<void> {
    let round: CommittedRound;
    const startedAt = performance.now();
    try {
      round = await this.#commit(batch.map(({ work }) => work));
    } catch (error) {
      await this.#failed(batch, error);
      return;
    } finally {
      this.#done.rounds += 1;
      this.#done.work += batch.length;
      this.#done.roundMs += performance.now() - startedAt;
    }
    const { outcomes, flushed } = round;
    const settled: { one: Waiting; outcome: MeteringOutcome }[] = [];
    for (const [index, one] of batch.entries()) {
      const outcome = outcomes[index]!;
      if (flushed !== undefined && one.work.kind === 'settle') settled.push({ one, outcome });
      else one.done.resolve(outcome);
    }
    if (flushed === undefined) this.#recovered();
    // The next round need not wait for the flush.
    else void this.#resolveFlushed(settled, flushed);
  }

  async #resolveFlushed(
    settled: readonly { one: Waiting; outcome: MeteringOutcome }[],
    flushed: Promise<void>,
  ): Promise<void> {
    this.#flushing += settled.length;
    try {
      await flushed;
      this.#recovered();
      for (const { one, outcome } of settled) one.done.resolve(outcome);
    } catch (error) {
      this.#fault = error;
      // Retry them all: settling again does not charge twice.
      this.#owed.push(...settled.map(({ one }) => one));
      if (!this.#isRunning) this.#retryLater();
    }
    this.#flushing -= settled.length;
    this.#idle?.resolve();
  }

  async #failed(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (isDefect(error)) {
      // Work that the database can never accept must not block the rest of the batch.
      if (batch.length > 1) for (const one of batch) await this.#try([one]);
      else batch[0]?.done.reject(new AccountError('ERR_STORE', 'metering failed', { cause: error }));
      return;
    }
    this.#fault = error;
    for (const one of batch) {
      if (one.work.kind !== 'admit') {
        this.#owed.push(one);
        continue;
      }
      // The admission may have been committed although the response was lost, so release it.
      const { id, accountId, now } = one.work;
      const done = Promise.withResolvers<MeteringOutcome>();
      done.promise.catch(() => undefined);
      this.#owed.push({ work: { kind: 'release', id, accountId, now }, done });
      one.done.reject(storeUnavailable(error));
    }
    this.#rejectImpatient(error);
  }

  #rejectImpatient(error: unknown): void {
    const latest = performance.now() - patienceMs;
    const isImpatient = ({ work, since }: NewWork) => work.kind === 'admit' && since < latest;
    const { left = [], kept = [] } = Object.groupBy(this.#waiting, (one) => (isImpatient(one) ? 'left' : 'kept'));
    this.#waiting = kept;
    for (const { done } of left) done.reject(storeUnavailable(error));
  }

  #recovered(): void {
    this.#retryMs = retryMsMin;
    this.#fault = undefined;
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#start(), this.#retryMs);
    if (!this.#isClosed) this.#retryTimer.unref();
    this.#retryMs = Math.min(this.#retryMs * 2, retryMsMax);
  }
}
