/** A check that takes time: it runs again and again in the background, one run at a time, and its last outcome is kept. */
import { setTimeout as delay } from 'node:timers/promises';

export interface BackgroundCheckOptions {
  /** @throws why the check fails */
  readonly run: () => Promise<unknown>;
  /** Between the end of one run and the next. */
  readonly everyMs: number;
  /** The same while the check fails, so that it is seen soon when it passes again. */
  readonly retryMs: number;
  /** A run that takes longer has failed. */
  readonly timeoutMs: number;
  /** How long runs may fail before the check does. */
  readonly graceMs: number;
  /** A stable word for the error. */
  readonly causeOf: (error: unknown) => string;
  /** A run failed after one that did not. */
  readonly onFailing: (cause: string) => void;
  /** The grace is over. */
  readonly onFailed: (cause: string) => void;
  /** @param ms how long runs failed */
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

  /** Why it fails, once the grace is over. */
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
      await delay(this.isFailing ? retryMs : everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #runOnce(): Promise<void> {
    const { run, timeoutMs, causeOf } = this.#options;
    const over = new AbortController();
    const late = delay(timeoutMs, 'late', { signal: over.signal, ref: false }).catch(() => 'over');
    const running = run();
    try {
      const first = await Promise.race([running, late]);
      if (first === 'late') {
        this.#failed('TIMEOUT');
        // Never two runs at a time.
        await running;
      }
      this.#passed();
    } catch (error) {
      this.#failed(causeOf(error));
    } finally {
      over.abort();
    }
  }

  #failed(cause: string): void {
    if (this.#stop.signal.aborted) return;
    if (this.#outage === undefined) {
      this.#outage = { since: performance.now(), cause, isOverGrace: false };
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
