/**
 * Shares the serving thread between the large bodies that are being received. After each piece a body waits for its turn, and each
 * round of the event loop grants one turn, so that other requests never wait for more than one piece. All bodies together have a
 * rate: what is received is also parsed, on processors that other requests need.
 */
import { availableParallelism } from 'node:os';
import { setImmediate as nextRound } from 'node:timers';
import { FairQueue, type Queued } from '@cloister/runtime/pool/queue';

interface WaitingBody extends Queued {
  readonly proceed: () => void;
}

const mebibyte = 1024 * 1024;

export interface ReceivingRate {
  /** Of all bodies together, lasting. Default: 4 MiB for each processor, at most 64 MiB. */
  readonly bytesPerSecond?: number;
  /** Received without delay before the rate applies. Default: what two seconds bring. */
  readonly burstBytes?: number;
}

export class ReceivingTurns {
  readonly #waiting = new FairQueue<WaitingBody>();
  readonly #bytesPerSecond: number;
  readonly #burstBytes: number;
  /** Bytes that may be received at once; negative after a turn that received more than were available. */
  #allowance: number;
  #countedAt = performance.now();
  #isScheduled = false;

  constructor({
    bytesPerSecond = Math.min(64, 4 * availableParallelism()) * mebibyte,
    burstBytes = 2 * bytesPerSecond,
  }: ReceivingRate = {}) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#burstBytes = burstBytes;
    this.#allowance = burstBytes;
  }

  /**
   * Calls `proceed` when it is the body's turn. Turns are fair between accounts, by the bytes that each has sent.
   * @param bytes received since the last turn
   * @returns a function that withdraws the body from the queue
   */
  await(account: string, { bytes, proceed }: { bytes: number; proceed: () => void }): () => void {
    const body = { account, priority: 0, proceed };
    this.#waiting.push(body);
    this.#waiting.charge(account, bytes);
    this.#refill();
    this.#allowance -= bytes;
    this.#schedule();
    return () => this.#waiting.remove(body);
  }

  #refill(): void {
    const now = performance.now();
    const brought = ((now - this.#countedAt) / 1000) * this.#bytesPerSecond;
    this.#allowance = Math.min(this.#burstBytes, this.#allowance + brought);
    this.#countedAt = now;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const grant = () => {
      this.#isScheduled = false;
      this.#waiting.take()?.proceed();
      this.#schedule();
    };
    this.#refill();
    if (this.#allowance >= 0) nextRound(grant);
    else setTimeout(grant, Math.ceil((-this.#allowance / this.#bytesPerSecond) * 1000)).unref();
  }
}
