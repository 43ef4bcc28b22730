/**
 * Where log lines go: a descriptor that may be a pipe which nobody reads, or nobody reads any more. Neither holds up the server
 * or its end; lines that cannot be written are lost.
 */
import { write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface LogOutputOptions {
  /** Text that may wait for a reader; lines past it are dropped. */
  readonly waitingCharsMax?: number;
  /** How long a full pipe is left alone before it is tried again. */
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

  /** Takes a whole line; it is written soon, together with what else has come by then. */
  write(line: string): void {
    if (this.#waiting.length + line.length > this.#waitingCharsMax) return;
    this.#waiting += line;
    if (this.#isLast) this.#writeNow();
    else this.#writing ??= this.#writeWaiting();
  }

  /** Settles when all lines are written or lost, or when the time is over. */
  async flush({ timeoutMs }: { timeoutMs: number }): Promise<void> {
    const done = new AbortController();
    const timeout = delay(timeoutMs, undefined, { signal: done.signal }).catch(() => undefined);
    await Promise.race([this.#writing, timeout]);
    done.abort();
  }

  /** For a process that ends itself now: what waits is written, and each further line before `write` returns. Once only. */
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
      // Nobody reads: there is nobody to tell.
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
