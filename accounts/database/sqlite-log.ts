/**
 * Brings SQLite's log to the disk beside the thread that serves: what is committed at `synchronous = NORMAL` is in the log and
 * in the kernel's memory, and a flush of the log makes it outlive the machine as well. While one flush runs, all who ask for
 * one share the next (group commit).
 */
import { closeSync, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';

/** What a log needs of the system; another one is given to break it. */
export interface FlushCalls {
  fdatasync(file: number, done: (error: Error | null) => void): void;
  fdatasyncSync(file: number): void;
  /** Milliseconds that only go forward. */
  now(): number;
}

const systemCalls: FlushCalls = { fdatasync, fdatasyncSync, now: () => performance.now() };

/** Waking another thread and being woken costs about a tenth of a millisecond: past this it is worth it for one request alone. */
const quickFlushMsMax = 0.6;

const pieceBytes = 1 << 20;

/** Of one open database. SQLite removes the file only with the last connection, so it stays the same until `close`. */
export class SqliteLog {
  readonly #file: number;
  readonly #calls: FlushCalls;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** How long the last flush took. */
  #lastMs = 0;
  #isBroken = false;
  #isClosed = false;

  /** @param path of the database, which a connection has read from */
  constructor(path: string, calls: FlushCalls = systemCalls) {
    // Locks are kept on the database and the `-shm` file: closing a descriptor of this one releases none.
    this.#file = openSync(`${path}-wal`, 'r+');
    this.#calls = calls;
  }

  /** Whether a flush has failed since the log was last whole. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /**
   * @param isAlone nobody else waits for this thread: a quick disk is then not worth another one
   * @returns once everything that was committed before the call is on the disk
   * @throws what the disk says; then nothing may be committed before `mend`
   */
  flush({ isAlone = false }: { isAlone?: boolean } = {}): Promise<void> {
    const isIdle = this.#running === undefined && this.#next === undefined;
    if (isAlone && isIdle && this.#lastMs <= quickFlushMsMax) return this.#flushHere();
    this.#next ??= this.#flushNext();
    return this.#next;
  }

  /**
   * Writes the log over itself and flushes it. After a failed flush the kernel takes its pages for clean, so the next flush would
   * say that all is well without writing them.
   * For who holds SQLite's write lock: nobody else changes the log then. @throws what the disk says
   */
  mend(): void {
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (let position = 0; ; ) {
      const bytes = readSync(this.#file, piece, 0, piece.length, position);
      if (bytes === 0) break;
      for (let written = 0; written < bytes; )
        written += writeSync(this.#file, piece, written, bytes - written, position + written);
      position += bytes;
    }
    this.#calls.fdatasyncSync(this.#file);
    this.#isBroken = false;
  }

  /** Lets a flush that runs come to its end. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const end = () => closeSync(this.#file);
    if (this.#running === undefined) end();
    else this.#running.then(end, end);
  }

  async #flushHere(): Promise<void> {
    await this.#timed(async () => this.#calls.fdatasyncSync(this.#file));
  }

  async #flushNext(): Promise<void> {
    // Whoever asks until then is served by this one. Whether the one before it failed is seen below.
    await this.#running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = undefined;
    try {
      await this.#timed(
        () =>
          new Promise<void>((resolve, reject) =>
            this.#calls.fdatasync(this.#file, (error) => (error === null ? resolve() : reject(error))),
          ),
      );
    } finally {
      this.#running = undefined;
    }
  }

  async #timed(flush: () => Promise<void>): Promise<void> {
    if (this.#isBroken || this.#isClosed) throw new Error('the log of the database is broken or closed');
    const start = this.#calls.now();
    try {
      await flush();
    } catch (error) {
      this.#isBroken = true;
      throw error;
    } finally {
      this.#lastMs = this.#calls.now() - start;
    }
  }
}
