/** Detects that an engine thread hangs: that a step, task or probe makes no progress within a time limit. */
import { type EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time limits for an engine's threads. */
export interface ThreadWatch {
  /** Maximum time of one step. A thread that takes longer is terminated and replaced. */
  readonly stepTimeoutMs: number;
  /** Maximum time of one step after the deadline of a drain, if it is less than `stepTimeoutMs`. */
  readonly stopTimeoutMs?: number;
  /** Time between two probes of an idle thread. */
  readonly probeMs?: number;
  /** Maximum time for a thread to end after it was terminated. */
  readonly endTimeoutMs?: number;
  /** Called when a thread does not end because its native code hangs: the process has to exit. */
  readonly onStuck: () => void;
}

/** Health of an engine's threads. */
export interface EngineHealth {
  /** Milliseconds for which the slowest step or probe in flight has made no progress; 0 if there is none. */
  readonly stalledMs: number;
  /** Threads lost since the start. */
  readonly losses: number;
}

export const healthy: EngineHealth = { stalledMs: 0, losses: 0 };

const probeDefaultMs = 15_000;
const stopTimeoutDefaultMs = 5_000;
const endTimeoutDefaultMs = 10_000;
const tickMsMax = 1_000;
/** Minimum ticks per `stepTimeoutMs`. */
const ticksMin = 10;

/** A worker thread. Only the modules that start threads may import the class `Worker`. */
interface EndableThread extends EventEmitter {
  terminate(): Promise<unknown>;
}

/** A step, task or probe in flight. */
export interface Watch {
  /** Records progress: resets the timer. */
  progress(): void;
  /** Stops watching. */
  end(): void;
}

interface Watched {
  ageMs: number;
  readonly onOverdue: () => void;
}

/**
 * Counts time in ticks of its own timer, so that a healthy thread does not appear to hang after the machine was suspended
 * or the event loop was blocked.
 */
export class Watchdog {
  #stepTimeoutMs: number;
  readonly #stopTimeoutMs: number;
  readonly #probeMs: number;
  readonly #endTimeoutMs: number;
  readonly #tickMs: number;
  readonly #onProbe: () => void;
  readonly #onStuck: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #watched = new Set<Watched>();
  #sinceProbeMs = 0;

  /** @param options.onProbe called every `probeMs` */
  constructor({
    stepTimeoutMs,
    stopTimeoutMs = stopTimeoutDefaultMs,
    probeMs = probeDefaultMs,
    endTimeoutMs = endTimeoutDefaultMs,
    onStuck,
    onProbe,
  }: ThreadWatch & { readonly onProbe: () => void }) {
    this.#stepTimeoutMs = stepTimeoutMs;
    this.#stopTimeoutMs = Math.min(stopTimeoutMs, stepTimeoutMs);
    this.#probeMs = probeMs;
    this.#endTimeoutMs = endTimeoutMs;
    this.#onProbe = onProbe;
    this.#onStuck = onStuck;
    this.#tickMs = Math.min(tickMsMax, stepTimeoutMs / ticksMin);
    this.#timer = setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  get stalledMs(): number {
    let oldest = 0;
    for (const { ageMs } of this.#watched) oldest = Math.max(oldest, ageMs);
    return oldest;
  }

  /** Watches one step, task or probe. @param onOverdue called once, if there is no progress for `stepTimeoutMs` */
  watch(onOverdue: () => void): Watch {
    const watched: Watched = { ageMs: 0, onOverdue };
    this.#watched.add(watched);
    return {
      progress() {
        watched.ageMs = 0;
      },
      end: () => void this.#watched.delete(watched),
    };
  }

  /** Called when the deadline of a drain has passed: from now on, the time limit is `stopTimeoutMs`. */
  shortenTimeout(): void {
    this.#stepTimeoutMs = this.#stopTimeoutMs;
  }

  /** Waits for terminated threads to end, for at most `endTimeoutMs`, because a thread whose native code hangs never ends. */
  async waitForEnd(ended: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const late = sleep(this.#endTimeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([ended, late]).finally(() => over.abort());
  }

  /**
   * Terminates a thread. Resolves when it has ended; calls `onStuck` and rejects if it does not end in time.
   */
  async end(thread: EndableThread): Promise<void> {
    const inTime = new AbortController();
    const exited = once(thread, 'exit', { signal: inTime.signal });
    const timer = setTimeout(() => inTime.abort(), this.#endTimeoutMs);
    void thread.terminate();
    try {
      await exited;
    } catch (cause) {
      this.#onStuck();
      throw new Error('the thread did not end in time', { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Stops the timer and all watches. */
  close(): void {
    clearInterval(this.#timer);
    this.#watched.clear();
  }

  #tick(): void {
    for (const watched of [...this.#watched]) {
      watched.ageMs += this.#tickMs;
      if (watched.ageMs <= this.#stepTimeoutMs || !this.#watched.delete(watched)) continue;
      watched.onOverdue();
    }
    this.#sinceProbeMs += this.#tickMs;
    if (this.#sinceProbeMs < this.#probeMs) return;
    this.#sinceProbeMs = 0;
    this.#onProbe();
  }
}
