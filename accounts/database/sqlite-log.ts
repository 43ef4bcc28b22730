/**
 * Flushes SQLite's write-ahead log on a thread other than the serving one. A commit at `synchronous = NORMAL` is in the
 * kernel's page cache; the flush makes it survive a power failure too. Calls that arrive during a flush share the next
 * one (group commit).
 */
import { closeSync, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';

/** System calls of the log, which tests replace to inject faults. */
export interface FlushCalls {
  fdatasync(file: number, done: (error: Error | null) => void): void;
  fdatasyncSync(file: number): void;
  /** Milliseconds that only go forward. */
  now(): number;
}

const systemCalls: FlushCalls = { fdatasync, fdatasyncSync, now: () => performance.now() };

/** A flush by another thread costs about 0.1 ms of wake-ups. Faster disks are flushed synchronously for a single request. */
const quickFlushMsMax = 0.6;

const pieceBytes = 1 << 20;

/** The log of one open database. SQLite deletes the file only with the last connection, so it stays valid until `close`. */
export class SqliteLog {
  readonly #file: number;
  readonly #calls: FlushCalls;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Duration of the last flush. */
  #lastMs = 0;
  #isBroken = false;
  #isClosed = false;

  /** @param path the database, from which a connection has already read */
  constructor(path: string, calls: FlushCalls = systemCalls) {
    // SQLite's POSIX locks are on the database and the `-shm` file, so closing this descriptor releases none of them.
    this.#file = openSync(`${path}-wal`, 'r+');
    this.#calls = calls;
  }

  /** Whether a flush has failed since the last `repair`. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /**
   * @param isAlone no other request waits for this thread, which may then flush a fast disk itself
   * @returns when everything that was committed before the call is on the disk
   * @throws the error of fdatasync; nothing may be committed after it before `repair`
   */
  flush({ isAlone = false }: { isAlone?: boolean } = {}): Promise<void> {
    const isIdle = this.#running === undefined && this.#next === undefined;
    if (isAlone && isIdle && this.#lastMs <= quickFlushMsMax) return this.#flushHere();
    this.#next ??= this.#flushNext();
    return this.#next;
  }

  /**
   * Rewrites the log in place and flushes it. After a failed fdatasync the kernel marks the pages clean, so another
   * fdatasync alone would succeed without writing them.
   * The caller must have SQLite's write lock, so that no other connection changes the log. @throws the error of the write
   */
  repair(): void {
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

  /** Closes the file after a running flush has finished. */
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
    // Calls that arrive during the wait share this flush. `#timed` checks whether the previous flush failed.
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
