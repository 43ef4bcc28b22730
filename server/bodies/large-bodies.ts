/**
 * Reads large bodies on a thread of its own: parsing and checking megabytes takes tens of milliseconds that nothing can interrupt.
 * The thread that serves gets the checked call, without fields that no route knows. One body at a time per account, fair between
 * accounts.
 */
import { cancelled, draining, queueFull } from '@cloister/runtime/pool/errors';
import { Preparations } from '@cloister/runtime/pool/preparations';
import { WorkerPool } from '@cloister/runtime/pool/worker-pool';
import type { CallReader, ReadBody } from './call-reader.ts';
import { type Reading, type ReadingTask, toError } from './reading.ts';

export interface ReaderOptions {
  readonly account: string;
  readonly signal: AbortSignal;
}

/** Far more than the largest body takes: past it the thread is replaced. */
const readTimeoutMs = 60_000;

type ReaderPool = WorkerPool<ReadingTask, Reading, undefined>;

export interface LargeBodiesOptions {
  /** A module that calls `serveBodies` with the readers of all routes. */
  readonly threadUrl: URL;
  /** Of the bodies that wait. An account that has none waiting finds room up to twice as many. */
  readonly waitingBytesMax?: number;
}

export class LargeBodies {
  readonly #threadUrl: URL;
  readonly #waitingBytesMax: number;
  readonly #turns = new Preparations({ slowMax: 1, onLeft: () => undefined });
  #pool: ReaderPool | undefined;
  #waitingBytes = 0;
  #isClosed = false;

  constructor({ threadUrl, waitingBytesMax = 256 * 1024 * 1024 }: LargeBodiesOptions) {
    this.#threadUrl = threadUrl;
    this.#waitingBytesMax = waitingBytesMax;
  }

  /** Starts the thread, which otherwise starts with the first large body: the first caller would wait for it. */
  start(): void {
    this.#pool ??= startThread(this.#threadUrl);
  }

  /**
   * @param body moved to the thread, or zeroed
   * @throws {ServerError} ERR_REQUEST_INVALID · {RuntimeError} ERR_CONTEXT_OVERFLOW, ERR_QUEUE_FULL, ERR_CANCELLED, ERR_DRAINING,
   *   ERR_ENGINE_LOST
   */
  async read<Call, Terms>(
    reader: CallReader<Call, Terms>,
    { body, terms, readsConstraints }: { body: Uint8Array<ArrayBuffer>; terms: Terms; readsConstraints: boolean },
    { account, signal }: ReaderOptions,
  ): Promise<ReadBody<Call>> {
    const bytes = body.byteLength;
    const turn = { account, signal, work: bytes, priority: 0, isSlow: true };
    try {
      const pool = this.#open({ account, bytes });
      this.#waitingBytes += bytes;
      const task = { reader: reader.name, body, terms, readsConstraints };
      const reading = await this.#turns
        .run(turn, () => pool.run(task, { signal, transfer: [body.buffer] }))
        .finally(() => (this.#waitingBytes -= bytes));
      if (reading.kind === 'refused') throw toError(reading.refusal);
      return reading.read as ReadBody<Call>;
    } catch (error) {
      throw signal.aborted ? cancelled() : error;
    } finally {
      // Nothing is left of it here where the thread has taken it.
      if (body.byteLength > 0) body.fill(0);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // What is being read now is answered; what takes longer than a moment is ended.
    await this.#pool?.close({ signal: AbortSignal.abort() });
  }

  #open({ account, bytes }: { account: string; bytes: number }): ReaderPool {
    if (this.#isClosed) throw draining();
    const times = this.#turns.lengthOf(account) === 0 ? 2 : 1;
    if (this.#waitingBytes + bytes > times * this.#waitingBytesMax) throw queueFull(this.#turns.length);
    this.#pool ??= startThread(this.#threadUrl);
    return this.#pool;
  }
}

/** A thread takes 14 MB, for V8 alone. */
function startThread(workerUrl: URL): ReaderPool {
  // The readers are JavaScript, which can always be ended.
  const watch = { stepTimeoutMs: readTimeoutMs, onStuck: () => undefined };
  // Turns let one body through at a time; the next may come while the thread still reads one whose caller has left.
  return new WorkerPool({ workerUrl, workerData: undefined, threads: 1, waitingTasksMax: 16, watch });
}
