/** A slow check, repeated in the background, one run at a time. Its last result is kept. */
import { setTimeout as delay } from 'node:timers/promises';

export interface BackgroundCheckOptions {
  /** @throws the reason if the check fails */
  readonly run: () => Promise<unknown>;
  /** Delay between the end of a run and the next one; called after each run. */
  readonly everyMs: () => number;
  /** Delay while the check fails, shorter so that a recovery is detected soon. */
  readonly retryMs: number;
  /** Time limit of a run. */
  readonly timeoutMs: number;
  /** Time that runs may fail before the check fails. */
  readonly graceMs: number;
  /** A stable name of the error. */
  readonly causeOf: (error: unknown) => string;
  /** Called if a run fails after a successful one. */
  readonly onFailing: (cause: string) => void;
  /** Called when the grace period ends. */
  readonly onFailed: (cause: string) => void;
  /** @param ms duration of the failure */
  readonly onRecovered: (ms: number) => void;
}

interface Outage {
  readonly since: number;
  cause: string;
  isOverGrace: boolean;
}

export class BackgroundCheck {
  readonly #options: BackgroundCheckOptions;
  readonly #stop = new AbortController();
  #outage: Outage | undefined;

  constructor(options: BackgroundCheckOptions) {
    this.#options = options;
    void this.#loop();
  }

  /** The reason of the failure, after the grace period. */
  get failure(): string | undefined {
    this.#endGrace();
    return this.#outage?.isOverGrace === true ? this.#outage.cause : undefined;
  }

  /** Whether the last run failed. */
  get isFailing(): boolean {
    return this.#outage !== undefined;
  }

  close(): void {
    this.#stop.abort();
  }

  async #loop(): Promise<void> {
    const { everyMs, retryMs } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#runOnce();
      await delay(this.isFailing ? retryMs : everyMs(), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #runOnce(): Promise<void> {
    const { run, timeoutMs, causeOf } = this.#options;
    const startedAt = performance.now();
    const over = new AbortController();
    const late = delay(timeoutMs, 'late', { signal: over.signal, ref: false }).catch(() => 'over');
    const running = run();
    try {
      const first = await Promise.race([running, late]);
      if (first === 'late') {
        this.#failed('TIMEOUT', startedAt);
        // Never two runs at a time.
        await running;
      }
      this.#passed();
    } catch (error) {
      this.#failed(causeOf(error), startedAt);
    } finally {
      over.abort();
    }
  }

  /** @param startedAt of the run: a run that waited for its timeout has failed since then */
  #failed(cause: string, startedAt: number): void {
    if (this.#stop.signal.aborted) return;
    if (this.#outage === undefined) {
      this.#outage = { since: startedAt, cause, isOverGrace: false };
      this.#options.onFailing(cause);
    }
    this.#outage.cause = cause;
    this.#endGrace();
  }

  #endGrace(): void {
    const outage = this.#outage;
    if (outage === undefined || outage.isOverGrace) return;
    if (performance.now() - outage.since < this.#options.graceMs) return;
    outage.isOverGrace = true;
    this.#options.onFailed(outage.cause);
  }

  #passed(): void {
    if (this.#outage === undefined || this.#stop.signal.aborted) return;
    const ms = performance.now() - this.#outage.since;
    this.#outage = undefined;
    this.#options.onRecovered(Math.round(ms));
  }
}
