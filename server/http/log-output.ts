/**
 * Writes log lines to a descriptor, which may be a pipe without a reader. A blocked pipe delays neither the server nor
 * its shutdown; lines that cannot be written are dropped.
 */
import { write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface LogOutputOptions {
  /** Characters that may wait for a reader; further lines are dropped. */
  readonly waitingCharsMax?: number;
  /** Delay before a full pipe is tried again. */
  readonly retryMs?: number;
}

const writeSome = promisify(write);

export class LogOutput {
  readonly #descriptor: number;
  readonly #waitingCharsMax: number;
  readonly #retryMs: number;
  #waiting = '';
  #writing: Promise<void> | undefined;
  #isLast = false;

  constructor(descriptor: number, { waitingCharsMax = 4 * 1024 * 1024, retryMs = 50 }: LogOutputOptions = {}) {
    this.#descriptor = descriptor;
    this.#waitingCharsMax = waitingCharsMax;
    this.#retryMs = retryMs;
  }

  /** Queues a whole line; it is written soon, together with the lines that follow it. */
  write(line: string): void {
    if (this.#waiting.length + line.length > this.#waitingCharsMax) return;
    this.#waiting += line;
    if (this.#isLast) this.#writeNow();
    else this.#writing ??= this.#writeWaiting();
  }

  /** Settles when all lines are written or dropped, or at the timeout. */
  async flush({ timeoutMs }: { timeoutMs: number }): Promise<void> {
    const done = new AbortController();
    const timeout = delay(timeoutMs, undefined, { signal: done.signal }).catch(() => undefined);
    await Promise.race([this.#writing, timeout]);
    done.abort();
  }

  /**
   * For a process that is about to exit: writes the queued lines now, and every further line before `write` returns.
   * Call once.
   */
  writeAtOnce(): void {
    this.#isLast = true;
    this.#writeNow();
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const bytes = this.#takeWaiting();
      for (let at = 0; at < bytes.length; ) {
        try {
          at += (await writeSome(this.#descriptor, bytes, at)).bytesWritten;
        } catch (error) {
          if (!isFull(error)) break;
          await delay(this.#retryMs);
        }
      }
    }
    this.#writing = undefined;
  }

  #writeNow(): void {
    const bytes = this.#takeWaiting();
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    } catch {
      // The log has no reader, so the error cannot be reported.
    }
  }

  #takeWaiting(): Buffer {
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = '';
    return bytes;
  }
}

function isFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EAGAIN';
}
