/**
 * Second and later choices of jobs: they wait until the prompt of the first choice is in the cache, and then for an idle
 * sequence, which they share fairly with the queued jobs of other accounts. Pure.
 */
import type { FairQueue } from '../pool/queue.ts';
import type { Answer, Job } from './answer.ts';

export class Siblings<J extends Job> {
  /** Answers by job, in the order of the choices; no list is empty. */
  readonly #waiting = new Map<J, Answer<J>[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(job: J, answers: readonly Answer<J>[]): void {
    if (answers.length === 0) return;
    this.#waiting.set(job, [...answers]);
    this.#length += answers.length;
  }

  has(job: J): boolean {
    return this.#waiting.has(job);
  }

  of(job: J): readonly Answer<J>[] {
    return this.#waiting.get(job) ?? [];
  }

  remove(answer: Answer<J>): void {
    const answers = this.#waiting.get(answer.job) ?? [];
    const index = answers.indexOf(answer);
    if (index < 0) return;
    answers.splice(index, 1);
    this.#length -= 1;
    if (answers.length === 0) this.#waiting.delete(answer.job);
  }

  /**
   * The next answer to start: of the ready jobs, that of the account which was served least.
   * @returns undefined if no job is ready, or if a queued job goes first
   */
  take(queue: FairQueue<J>, isReady: (job: J) => boolean): Answer<J> | undefined {
    let best: J | undefined;
    for (const job of this.#waiting.keys()) {
      if ((best === undefined || queue.goesBefore(job, best)) && isReady(job)) best = job;
    }
    if (best === undefined || queue.hasBefore(best)) return undefined;
    const answer = this.#waiting.get(best)![0]!;
    this.remove(answer);
    queue.begin(best);
    return answer;
  }
}
