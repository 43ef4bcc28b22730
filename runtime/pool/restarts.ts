/**
 * When a lost engine thread is started again, for engines of every kind: after a pause that doubles with each loss in a row. A
 * thread that crashes at every start then costs little, and its model recovers once the cause is gone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { draining, RuntimeError } from './errors.ts';

export interface RestartDelays {
  /** Before the first restart. */
  readonly firstMs: number;
  /** Before any restart. */
  readonly longestMs: number;
  /** After a thread served for this long, the next loss counts as the first. */
  readonly steadyMs: number;
}

export const restartDelays: RestartDelays = { firstMs: 1_000, longestMs: 300_000, steadyMs: 60_000 };

/** Losses in a row after which a model that was never ready fails for good, and with it the start of the server. */
const firstLossesMax = 3;

/** A lost thread, and when its successor starts. */
export interface Loss {
  /** Why it was lost. Never contains a caller's text. */
  readonly reason: string;
  readonly restartMs: number;
}

export interface RestartsOptions {
  /** Makes sure of the model's files before they are loaded again. @throws where they may no longer be loaded */
  readonly prove: () => Promise<unknown>;
  /** A thread was lost, and is started again after a pause. */
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

  /** Whether the model served before: then a load that fails is likely to succeed later, since its files are proven. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** The model is loaded and serves. */
  ready(): void {
    this.#readyAt = performance.now();
    this.#wasReady = true;
  }

  /**
   * A thread was lost. Pauses, then proves the model's files.
   * @returns when the next thread may load them
   * @throws what `prove` throws, ERR_DRAINING after `stop`, ERR_ENGINE_LOST where the model was lost too often and never ready
   */
  async afterLoss(reason: string): Promise<void> {
    const { delays: { firstMs, longestMs, steadyMs } = restartDelays, prove, onLoss } = this.#options;
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
    await prove();
    if (signal.aborted) throw draining();
  }

  /**
   * Opens a pool's model; again while its threads are lost in doing so and, where it served before, while it cannot be loaded.
   * @throws as `open` and `afterLoss`
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
        await this.afterLoss(isLost ? 'its thread was lost while it loaded' : error.message);
      }
    }
  }

  /** Cancels a pending restart and prevents further ones. */
  stop(): void {
    this.#stopping.abort();
  }
}
