/**
 * Shares the serving thread between the large bodies that are being received. After each piece a body waits for its turn, and each
 * round of the event loop grants one turn, so that other requests never wait for more than one piece.
 */
import { setImmediate as nextRound } from 'node:timers';
import { FairQueue, type Queued } from '@cloister/runtime/pool/queue';

interface WaitingBody extends Queued {
  readonly proceed: () => void;
}

export class ReceivingTurns {
  readonly #waiting = new FairQueue<WaitingBody>();
  #isScheduled = false;

  /**
   * Calls `proceed` when it is the body's turn. Turns are fair between accounts, by the bytes that each has sent.
   * @param bytes received since the last turn
   * @returns a function that withdraws the body from the queue
   */
  await(account: string, { bytes, proceed }: { bytes: number; proceed: () => void }): () => void {
    const body = { account, priority: 0, proceed };
    this.#waiting.push(body);
    this.#waiting.charge(account, bytes);
    this.#schedule();
    return () => this.#waiting.remove(body);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    nextRound(() => {
      this.#isScheduled = false;
      this.#waiting.take()?.proceed();
      this.#schedule();
    });
  }
}
