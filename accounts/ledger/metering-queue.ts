/**
 * Gathers what arrives while a round is being committed into the next one (group commit): one transaction and one flush to
 * disk pay for all of them. What is refused or cannot be committed is not served; a settlement is kept until it is.
 */
import { AccountError } from '../base/errors.ts';
import { isDefect, storeUnavailable } from '../database/store-faults.ts';
import type { CommittedRound, MeteringOutcome, MeteringWork } from './metering-work.ts';

/** Most new work in one transaction, and most that is owed. */
const roundWorkMax = 512;
/** With so much to bring to a database that is away, nothing new is let in: each refusal would add to it. */
const owedMax = 8 * roundWorkMax;
const retryMsMin = 20;
const retryMsMax = 1_000;

interface Waiting {
  readonly work: MeteringWork;
  readonly done: PromiseWithResolvers<MeteringOutcome>;
}

export class MeteringQueue {
  readonly #commit: (work: readonly MeteringWork[]) => Promise<CommittedRound>;
  #waiting: Waiting[] = [];
  /** Settlements that met a database that did not answer. */
  #owed: Waiting[] = [];
  /** Settlements that are committed and on their way to the disk. */
  #flushing = 0;
  /** Also while one is going to begin. */
  #isRunning = false;
  #beginning: NodeJS.Immediate | undefined;
  /** Whether something waits for the next round to begin as soon as it can. */
  #isUrgent = false;
  #isClosed = false;
  #fault: unknown;
  #retryMs = retryMsMin;
  #retryTimer: NodeJS.Timeout | undefined;
  #idle: PromiseWithResolvers<void> | undefined;

  /** @param commit does one round */
  constructor(commit: (work: readonly MeteringWork[]) => Promise<CommittedRound>) {
    this.#commit = commit;
  }

  /** Why the last round could not be committed; undefined after one that could. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Settlements that the database has not taken yet. */
  get owed(): number {
    return this.#owed.length;
  }

  /**
   * @param options.inTurn whether its round begins once all that hangs on this call has run, before the event loop reads anything
   * @returns the outcome, committed; of a settlement only once it is
   * @throws {AccountError} ERR_STORE_UNAVAILABLE for an admission that cannot be committed
   */
  do(work: MeteringWork, { inTurn = false }: { inTurn?: boolean } = {}): Promise<MeteringOutcome> {
    if (this.#isClosed) return Promise.reject(storeUnavailable(new Error('the accounts are closed')));
    if (work.kind === 'admit' && this.#owed.length >= owedMax) {
      return Promise.reject(storeUnavailable(new Error('the database is behind')));
    }
    const done = Promise.withResolvers<MeteringOutcome>();
    this.#waiting.push({ work, done });
    if (inTurn) this.#startInTurn();
    else this.#start();
    return done.promise;
  }

  /** Takes nothing more and commits what there is. @returns settlements that could not be committed in time */
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
    // After the input that is being read has been read, so that what arrives together goes together.
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
    // Once every promise that is settled has been followed.
    process.nextTick(() => void this.#run());
  }

  async #run(): Promise<void> {
    this.#beginning = undefined;
    this.#isUrgent = false;
    // As much of either as the parameters of one statement have room for.
    const batch = [...this.#owed.splice(0, roundWorkMax), ...this.#waiting.splice(0, roundWorkMax)];
    await this.#try(batch);
    this.#isRunning = false;
    // Else not at once: on SQLite nothing between two rounds would let other input in.
    if (this.#isUrgent) this.#startInTurn();
    else if (this.#waiting.length > 0) this.#start();
    else if (this.#owed.length > 0) this.#retryLater();
    this.#idle?.resolve();
  }

  async #try(batch: readonly Waiting[]): Promise<void> {
    let round: CommittedRound;
    try {
      round = await this.#commit(batch.map(({ work }) => work));
    } catch (error) {
      await this.#failed(batch, error);
      return;
    }
    const { outcomes, flushed } = round;
    const settled: { one: Waiting; outcome: MeteringOutcome }[] = [];
    for (const [index, one] of batch.entries()) {
      const outcome = outcomes[index]!;
      if (flushed !== undefined && one.work.kind === 'settle') settled.push({ one, outcome });
      else one.done.resolve(outcome);
    }
    if (flushed === undefined) this.#works();
    // The next round need not wait for the disk.
    else void this.#tellFlushed(settled, flushed);
  }

  async #tellFlushed(
    settled: readonly { one: Waiting; outcome: MeteringOutcome }[],
    flushed: Promise<void>,
  ): Promise<void> {
    this.#flushing += settled.length;
    try {
      await flushed;
      this.#works();
      for (const { one, outcome } of settled) one.done.resolve(outcome);
    } catch (error) {
      this.#fault = error;
      // Whatever the disk says: they are settled again, which charges nobody twice.
      this.#owed.push(...settled.map(({ one }) => one));
      if (!this.#isRunning) this.#retryLater();
    }
    this.#flushing -= settled.length;
    this.#idle?.resolve();
  }

  async #failed(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (isDefect(error)) {
      // One work that the database can never take must not stand in the way of the others.
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
      // Perhaps it was committed and only the answer was lost: then nobody would ever end it.
      const { id, accountId, now } = one.work;
      const done = Promise.withResolvers<MeteringOutcome>();
      done.promise.catch(() => undefined);
      this.#owed.push({ work: { kind: 'release', id, accountId, now }, done });
      one.done.reject(storeUnavailable(error));
    }
  }

  #works(): void {
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
