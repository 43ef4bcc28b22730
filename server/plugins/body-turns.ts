/**
 * Large bodies are parsed one after the other, fair between accounts, with pauses in which the thread serves everybody else:
 * parsing a few megabytes takes some ten milliseconds that nobody can interrupt.
 */
import { RuntimeError } from '../../runtime/errors.ts';
import { FairQueue, type Queued } from '../../runtime/queue.ts';

/** Parsed at once: that takes less than a millisecond. */
const smallBytesMax = 64 * 1024;
/** Of bodies that wait. */
const waitingBytesMax = 256 * 1024 * 1024;
/** Of the thread's time, at most a fourth goes to large bodies. */
const pausePerWork = 3;
const pauseMsMax = 250;

interface WaitingBody extends Queued {
  readonly bytes: number;
  readonly begin: () => void;
}

export class BodyTurns {
  readonly #waiting = new FairQueue<WaitingBody>();
  #waitingBytes = 0;
  #isTaken = false;

  /** @returns undefined for a small body; else resolves when it is its turn · @throws {RuntimeError} ERR_QUEUE_FULL */
  turn({ account, bytes }: { account: string; bytes: number }): Promise<void> | undefined {
    if (bytes <= smallBytesMax) return undefined;
    if (this.#waitingBytes + bytes > waitingBytesMax) {
      throw new RuntimeError('ERR_QUEUE_FULL', `${this.#waiting.length} large requests wait already; try again later`);
    }
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    this.#waiting.push({ account, bytes, priority: 0, begin });
    this.#waitingBytes += bytes;
    this.#beginNext();
    return promise;
  }

  #beginNext(): void {
    if (this.#isTaken) return;
    const next = this.#waiting.take();
    if (next === undefined) return;
    this.#isTaken = true;
    this.#waitingBytes -= next.bytes;
    this.#waiting.charge(next.account, next.bytes);
    const started = performance.now();
    next.begin();
    // Behind everything that the parsed body leads to at once.
    setImmediate(() => {
      const pauseMs = Math.min(pauseMsMax, pausePerWork * (performance.now() - started));
      setTimeout(() => {
        this.#isTaken = false;
        this.#beginNext();
      }, pauseMs);
    });
  }
}
