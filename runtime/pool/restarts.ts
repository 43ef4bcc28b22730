/**
 * Decides when a lost engine thread is restarted, for engines of every kind: after a pause that doubles with each consecutive
 * loss. A thread that crashes at every start then costs little, and its model recovers when the cause is gone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { draining, RuntimeError } from './errors.ts';

export interface RestartDelays {
  /** Pause before the first restart. */
  readonly firstMs: number;
  /** Maximum pause before a restart. */
  readonly longestMs: number;
  /** If a thread served for this long, the next loss counts as the first. */
  readonly steadyMs: number;
}

export const restartDelays: RestartDelays = { firstMs: 1_000, longestMs: 300_000, steadyMs: 60_000 };

/** Consecutive losses after which a model that was never ready fails permanently, which ends the start of the server. */
const firstLossesMax = 3;

/** The loss of a thread, and the pause before its restart. */
export interface Loss {
  /** Why the thread was lost. Never contains request data. */
  readonly reason: string;
  readonly restartMs: number;
}

export interface RestartsOptions {
  /** Verifies the model's files before they are loaded again. @throws if they must not be loaded any more */
  readonly verifyWeights: () => Promise<unknown>;
  /** Called when a thread was lost and a restart is pending. */
  readonly onLoss: (loss: Loss) => void;
  readonly delays?: RestartDelays | undefined;
}

/** The restarts of one engine. */
export class Restarts {
  readonly #options: RestartsOptions;
  readonly #stopping = new AbortController();
  #lossesInRow = 0;
  #losses = 0;
  #readyAt: number | undefined;
  #wasReady = false;

  constructor(options: RestartsOptions) {
    this.#options = options;
  }

  /** Threads lost since the start. */
  get losses(): number {
    return this.#losses;
  }

  /** Whether the model was ready before: then a failed load is likely to succeed later, because its files are verified. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** Records that the model is loaded and serves. */
  ready(): void {
    this.#readyAt = performance.now();
    this.#wasReady = true;
  }

  /**
   * Handles the loss of a thread: pauses, then verifies the model's files. Resolves when a new thread may load them.
   * @throws the error of `verifyWeights`; ERR_DRAINING after `stop`; ERR_ENGINE_LOST if the model was lost too often and never ready
   */
  async afterLoss(reason: string): Promise<void> {
    const { delays: { firstMs, longestMs, steadyMs } = restartDelays, verifyWeights, onLoss } = this.#options;
    const { signal } = this.#stopping;
    if (this.#readyAt !== undefined && performance.now() - this.#readyAt >= steadyMs) this.#lossesInRow = 0;
    this.#readyAt = undefined;
    this.#lossesInRow += 1;
    this.#losses += 1;
    if (!this.#wasReady && this.#lossesInRow > firstLossesMax) {
      throw new RuntimeError('ERR_ENGINE_LOST', `the engine was lost ${this.#lossesInRow} times: ${reason}`);
    }
    const restartMs = Math.min(longestMs, firstMs * 2 ** (this.#lossesInRow - 1));
    onLoss({ reason, restartMs });
    await delay(restartMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw draining();
    await verifyWeights();
    if (signal.aborted) throw draining();
  }

  /**
   * Opens a pool's model. Retries when a thread is lost while loading and, if the model was ready before, when loading fails.
   * @throws the errors of `open` and `afterLoss`
   */
  async open<Facts>(open: () => Promise<Facts>): Promise<Facts> {
    while (true) {
      try {
        const facts = await open();
        this.ready();
        return facts;
      } catch (error) {
        if (!(error instanceof RuntimeError)) throw error;
        const isLost = error.code === 'ERR_ENGINE_LOST';
        if (!isLost && !this.#wasReady) throw error;
        await this.afterLoss(isLost ? 'a thread was lost while it loaded the model' : error.message);
      }
    }
  }

  /** Cancels a pending restart and prevents further ones. */
  stop(): void {
    this.#stopping.abort();
  }
}
