/** Notices that an engine thread hangs: a step, a task or a probe that makes no progress within a bound. */
import { type EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** How an engine's threads are watched. */
export interface ThreadWatch {
  /** Longest time that one step may take. A thread that takes longer is ended and replaced. */
  readonly stepTimeoutMs: number;
  /** The same once a drain has passed its deadline, where that is less. */
  readonly stopTimeoutMs?: number;
  /** Time between two probes of a thread that has no work. */
  readonly probeMs?: number;
  /** Longest time that a thread may take to end once it was told to. */
  readonly endTimeoutMs?: number;
  /** A thread does not end because native code in it hangs: the process has to end. */
  readonly onStuck: () => void;
}

/** What an engine reports next to its state. */
export interface EngineHealth {
  /** How long the slowest step or probe under way has been without progress, milliseconds. 0 where nothing is. */
  readonly stalledMs: number;
  /** Threads lost since the start. */
  readonly losses: number;
}

export const healthy: EngineHealth = { stalledMs: 0, losses: 0 };

const probeDefaultMs = 15_000;
const stopTimeoutDefaultMs = 5_000;
const endTimeoutDefaultMs = 10_000;
const tickMsMax = 1_000;
/** A short `stepTimeoutMs` is divided into this many ticks. */
const ticksMin = 10;

/** A worker thread. Not the class itself, which only the modules that start threads import. */
interface EndableThread extends EventEmitter {
  terminate(): Promise<unknown>;
}

/** One step, task or probe under way. */
export interface Watch {
  /** Progress was made: restarts the clock. */
  progress(): void;
  /** The step, task or probe is over. */
  end(): void;
}

interface Watched {
  ageMs: number;
  readonly onOverdue: () => void;
}

/**
 * Time is counted in ticks of its own timer, so that neither a suspended machine nor a blocked event loop makes a healthy
 * thread look hung.
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

  /** @param onOverdue called once, if it makes no progress for `stepTimeoutMs` */
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

  /** The deadline of a drain has passed: what makes no progress is ended after `stopTimeoutMs` from now on. */
  hurry(): void {
    this.#stepTimeoutMs = this.#stopTimeoutMs;
  }

  /** Waits for threads that were told to end, but not longer than one may take: nobody can end a thread that hangs. */
  async waitForEnd(ended: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    const late = sleep(this.#endTimeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([ended, late]).finally(() => over.abort());
  }

  /**
   * Ends a thread.
   * @returns when it has ended; rejects, after `onStuck`, where it does not end in time
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
      throw new Error('the thread does not end', { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Stops the timer and forgets what is watched. */
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
