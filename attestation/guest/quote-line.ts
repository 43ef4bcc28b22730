/**
 * One quote at a time, in the order asked; the same report data is asked for once. Hardware makes about one a second and a
 * kernel's read cannot be cancelled: who leaves is answered at once, and the next one waits for the machine all the same.
 */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

/** Makes one quote. @param options.signal aborts when nobody waits any more */
export type MakeQuote = (reportData: Uint8Array, options: { signal: AbortSignal }) => Promise<Uint8Array>;

export interface QuoteLineLimits {
  /** Quotes not made yet, the one being made included. */
  readonly waitingMax: number;
  /** From asking to having it. */
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
   * @throws {RangeError} where it has another length
   * @throws {AttestationError} ERR_QUOTE_BUSY, ERR_QUOTE_TIMEOUT, ERR_ABORTED and what making one throws
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
      throw new AttestationError('ERR_QUOTE_BUSY', `${waitingMax} quotes wait to be made already`);
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

  /** Whoever asks for the same later must not be given to a job that gives up. */
  #abandon(key: string, job: Job): void {
    job.abandoned.abort();
    if (this.#jobs.get(key) === job) this.#jobs.delete(key);
  }
}

function aborted(): AttestationError {
  return new AttestationError('ERR_ABORTED', 'the caller does not wait for the quote any more');
}

function tookTooLong({ timeoutMs }: QuoteLineLimits): AttestationError {
  return new AttestationError('ERR_QUOTE_TIMEOUT', `there was no quote after ${timeoutMs} ms`);
}
