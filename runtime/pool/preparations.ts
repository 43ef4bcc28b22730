/**
 * When chats are rendered and tokenised: one at a time per account, fair between accounts, short ones never behind long
 * ones. Their owner bounds how many wait.
 */
import { FairQueue, type Queued } from './queue.ts';

export interface PreparationTask extends Queued {
  /** Characters of its texts and, weighted, its messages: what its account is charged. */
  readonly work: number;
  /** It goes to the threads for those that take long. */
  readonly isSlow: boolean;
  /** Aborting rejects with the signal's reason at once; a task under way keeps its thread until it has noticed. */
  readonly signal: AbortSignal;
}

export interface PreparationsOptions {
  /** Slow tasks at the same time; beside them goes one that is not. */
  readonly slowMax: number;
  /** A task has left: waiting or under way, done or not. */
  readonly onLeft: () => void;
}

interface Waiting extends PreparationTask {
  readonly begin: () => Promise<void>;
}

export class Preparations {
  readonly #lanes: readonly [quick: Lane, slow: Lane];
  readonly #onLeft: () => void;
  /** Accounts with a task under way. */
  readonly #busy = new Set<string>();

  constructor({ slowMax, onLeft }: PreparationsOptions) {
    this.#lanes = [new Lane(1), new Lane(slowMax)];
    this.#onLeft = onLeft;
  }

  /** Tasks that wait or are under way, also those that nobody waits for any more. */
  get length(): number {
    return this.#lanes.reduce((sum, { running, queue }) => sum + running + queue.length, 0);
  }

  lengthOf(account: string): number {
    const waiting = this.#lanes.reduce((sum, { queue }) => sum + queue.lengthOf(account), 0);
    return waiting + (this.#busy.has(account) ? 1 : 0);
  }

  /** @throws what `prepare` throws, and the signal's reason */
  run<Result>(task: PreparationTask, prepare: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { signal, account, work, isSlow } = task;
    const lane = this.#lanes[isSlow ? 1 : 0];
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const onAbort = () => {
      reject(signal.reason);
      if (lane.queue.remove(waiting)) this.#onLeft();
    };
    const waiting: Waiting = {
      ...task,
      begin: async () => {
        this.#busy.add(account);
        lane.running += 1;
        lane.queue.charge(account, work);
        try {
          resolve(await prepare(signal));
        } catch (error) {
          reject(error);
        } finally {
          signal.removeEventListener('abort', onAbort);
          lane.running -= 1;
          this.#busy.delete(account);
          this.#beginNext();
          this.#onLeft();
        }
      },
    };
    if (signal.aborted) {
      reject(signal.reason);
      return promise;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    lane.queue.push(waiting);
    this.#beginNext();
    return promise;
  }

  #beginNext(): void {
    for (const lane of this.#lanes) {
      while (lane.running < lane.runningMax) {
        const next = lane.queue.take(({ account }) => !this.#busy.has(account));
        if (next === undefined) break;
        void next.begin();
      }
    }
  }
}

class Lane {
  readonly runningMax: number;
  readonly queue = new FairQueue<Waiting>();
  running = 0;

  constructor(runningMax: number) {
    this.runningMax = runningMax;
  }
}
