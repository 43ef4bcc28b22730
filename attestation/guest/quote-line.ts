/**
 * A queue that makes one quote at a time, in order; concurrent calls with the same report data share one quote. Hardware makes about one quote
 * per second and a read in the kernel cannot be cancelled: an aborted call rejects at once, but the next quote waits for the read.
 */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

/** Makes one quote. @param options.signal aborts when no caller is left */
export type MakeQuote = (reportData: Uint8Array, options: { signal: AbortSignal }) => Promise<Uint8Array>;

export interface QuoteLineLimits {
  /** Number of pending quotes, including the one in progress. */
  readonly waitingMax: number;
  /** Milliseconds from the call to its result. */
  readonly timeoutMs: number;
}

interface Job {
  readonly promise: Promise<Uint8Array>;
  readonly abandoned: AbortController;
  readers: number;
}

export class QuoteLine {
  readonly #make: MakeQuote;
  readonly #limits: QuoteLineLimits;
  readonly #jobs = new Map<string, Job>();
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(make: MakeQuote, limits: QuoteLineLimits) {
    this.#make = make;
    this.#limits = limits;
  }

  /**
   * @param reportData 64 bytes; copied
   * @throws {RangeError} for any other length
   * @throws {AttestationError} ERR_QUOTE_BUSY, ERR_QUOTE_TIMEOUT, ERR_ABORTED and errors of making a quote
   */
  async quote(reportData: Uint8Array, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Uint8Array> {
    if (reportData.length !== 64) throw new RangeError(`reportData must be 64 bytes, got ${reportData.length}`);
    if (signal?.aborted) throw aborted();
    const key = toHex(reportData);
    const job = this.#jobs.get(key) ?? this.#begin(key, reportData.slice());
    job.readers++;
    const left = Promise.withResolvers<never>();
    const timer = setTimeout(() => left.reject(tookTooLong(this.#limits)), this.#limits.timeoutMs);
    const leave = () => left.reject(aborted());
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return (await Promise.race([job.promise, left.promise])).slice();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      job.readers--;
      if (job.readers === 0) this.#abandon(key, job);
    }
  }

  #begin(key: string, reportData: Uint8Array): Job {
    const { waitingMax } = this.#limits;
    if (this.#waiting >= waitingMax) {
      throw new AttestationError('ERR_QUOTE_BUSY', `the quote queue is full: ${waitingMax} requests`);
    }
    this.#waiting++;
    const abandoned = new AbortController();
    const { signal } = abandoned;
    const run = async () => {
      if (signal.aborted) throw aborted();
      return this.#make(reportData, { signal });
    };
    const promise = this.#tail.then(run).finally(() => {
      this.#waiting--;
      if (this.#jobs.get(key) === job) this.#jobs.delete(key);
    });
    const job: Job = { promise, abandoned, readers: 0 };
    this.#tail = promise.catch(() => undefined);
    this.#jobs.set(key, job);
    return job;
  }

  /** Later calls with the same report data must not join a job that is aborting. */
  #abandon(key: string, job: Job): void {
    job.abandoned.abort();
    if (this.#jobs.get(key) === job) this.#jobs.delete(key);
  }
}

function aborted(): AttestationError {
  return new AttestationError('ERR_ABORTED', 'the caller aborted the request for a quote');
}

function tookTooLong({ timeoutMs }: QuoteLineLimits): AttestationError {
  return new AttestationError('ERR_QUOTE_TIMEOUT', `no quote within ${timeoutMs} ms`);
}
