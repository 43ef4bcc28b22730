/**
 * Reads large bodies on a separate thread, since parsing and validating megabytes takes tens of milliseconds without
 * interruption. The serving thread receives the validated call, without fields that the route does not know. Each
 * account has one body read at a time, and accounts take turns.
 */
import { cancelled, draining, queueFull } from '@cloister/runtime/pool/errors';
import { Preparations } from '@cloister/runtime/pool/preparations';
import { WorkerPool } from '@cloister/runtime/pool/worker-pool';
import type { CallReader, ReadBody } from './call-reader.ts';
import { type Reading, type ReadingTask, toError } from './reading.ts';
import { type BodyPieces, lengthOf } from './receive.ts';

export interface ReaderOptions {
  readonly account: string;
  readonly signal: AbortSignal;
}

/** Far longer than the largest body takes; after it, the thread is replaced. */
const readTimeoutMs = 60_000;

type ReaderPool = WorkerPool<ReadingTask, Reading, undefined>;

export interface LargeBodiesOptions {
  /** A module that calls `serveBodies` with the readers of all routes. */
  readonly threadUrl: URL;
  /** Bytes of queued bodies. An account with no queued body is accepted up to twice as many. */
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

  /** Starts the thread in advance; otherwise the first large body would wait for it. */
  start(): void {
    this.#pool ??= startThread(this.#threadUrl);
  }

  /**
   * @param pieces transferred to the thread, or zeroed
   * @throws {ServerError} ERR_REQUEST_INVALID · {RuntimeError} ERR_CONTEXT_OVERFLOW, ERR_QUEUE_FULL, ERR_CANCELLED,
   * ERR_DRAINING, ERR_ENGINE_LOST
   */
  async read<Call, Terms>(
    reader: CallReader<Call, Terms>,
    { pieces, terms, readsConstraints }: { pieces: BodyPieces; terms: Terms; readsConstraints: boolean },
    { account, signal }: ReaderOptions,
  ): Promise<ReadBody<Call>> {
    const bytes = lengthOf(pieces);
    const turn = { account, signal, work: bytes, priority: 0, isSlow: true };
    try {
      const pool = this.#open({ account, bytes });
      this.#waitingBytes += bytes;
      const task = { reader: reader.name, pieces, terms, readsConstraints };
      const transfer = pieces.map(({ buffer }) => buffer);
      const reading = await this.#turns
        .run(turn, () => pool.run(task, { signal, transfer }))
        .finally(() => (this.#waitingBytes -= bytes));
      if (reading.kind === 'refused') throw toError(reading.refusal);
      return reading.read as ReadBody<Call>;
    } catch (error) {
      throw signal.aborted ? cancelled() : error;
    } finally {
      // Empty if they were transferred to the thread.
      for (const piece of pieces) if (piece.byteLength > 0) piece.fill(0);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // The body that is being read is answered; a longer one is cancelled.
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
  // The readers are JavaScript, which can always be terminated.
  const watch = { stepTimeoutMs: readTimeoutMs, onStuck: () => undefined };
  // One body at a time is read; the next is accepted while the thread still reads one whose client has disconnected.
  return new WorkerPool({ workerUrl, workerData: undefined, threads: 1, waitingTasksMax: 16, watch });
}
