/** Answers that are being computed, by their id, so that their account can cancel them. */

export interface RunningAnswer {
  readonly account: string;
  readonly cancel: AbortController;
  /** The body of the answer to its cancellation. */
  readonly describe: () => object;
}

/** Answers beyond this number cannot be cancelled by id; closing their connection does the same. */
const answersMax = 10_000;

export class RunningAnswers {
  readonly #answers = new Map<string, RunningAnswer>();

  add(id: string, answer: RunningAnswer): void {
    if (this.#answers.size < answersMax) this.#answers.set(id, answer);
  }

  remove(id: string): void {
    this.#answers.delete(id);
  }

  /** @returns undefined if the account has no such answer */
  find(id: string, account: string): RunningAnswer | undefined {
    const answer = this.#answers.get(id);
    return answer?.account === account ? answer : undefined;
  }
}
