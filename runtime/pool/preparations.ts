/**
 * Schedules the rendering and tokenizing of chats: one at a time per account, fair between accounts, and short chats never
 * behind long ones. The caller limits the length of the queue.
 */
import { FairQueue, type Queued } from './queue.ts';

export interface PreparationTask extends Queued {
  /** Work charged to the account: characters of the texts, and a weight per message. */
  readonly work: number;
  /** Run the task on the threads for slow tasks. */
  readonly isSlow: boolean;
  /** Aborting rejects with the signal's reason at once; a running task occupies its thread until it notices. */
  readonly signal: AbortSignal;
}

export interface PreparationsOptions {
  /** Number of slow tasks that run in parallel, in addition to one quick task. */
  readonly slowMax: number;
  /** Called when a task leaves the queue or ends, for any reason. */
  readonly onLeft: () => void;
}

interface Waiting extends PreparationTask {
  readonly begin: () => Promise<void>;
}

export class Preparations {
  readonly #lanes: readonly [quick: Lane, slow: Lane];
  readonly #onLeft: () => void;
  /** Accounts with a running task. */
  readonly #busy = new Set<string>();

  constructor({ slowMax, onLeft }: PreparationsOptions) {
    this.#lanes = [new Lane(1), new Lane(slowMax)];
    this.#onLeft = onLeft;
  }

  /** Number of waiting and running tasks, including cancelled tasks that still run. */
  get length(): number {
    return this.#lanes.reduce((sum, { running, queue }) => sum + running + queue.length, 0);
  }

  lengthOf(account: string): number {
    const waiting = this.#lanes.reduce((sum, { queue }) => sum + queue.lengthOf(account), 0);
    return waiting + (this.#busy.has(account) ? 1 : 0);
  }

  /** @throws the error of `prepare`, or the signal's reason */
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
