/**
 * Keeps evidence consistent while the start log grows: a report contains a quote and the log that the quote's RTMR3 signs, so no
 * report is made while the log is extended, and the log is not extended while a report is made.
 */
export class LogGate {
  readonly #making = new Set<Promise<unknown>>();
  #extending: Promise<void> = Promise.resolve();
  /** Extensions that wait or run. */
  #extensions = 0;

  /** Makes evidence, after extensions that were asked for earlier. */
  async make<Result>(run: () => Promise<Result>): Promise<Result> {
    while (this.#extensions > 0) await this.#extending;
    const made = run();
    this.#making.add(made);
    try {
      return await made;
    } finally {
      this.#making.delete(made);
    }
  }

  /** Extends the log, after evidence that is being made and after earlier extensions. */
  extend(run: () => Promise<void>): Promise<void> {
    this.#extensions += 1;
    const extended = this.#extending.then(async () => {
      try {
        await Promise.allSettled(this.#making);
        await run();
      } finally {
        this.#extensions -= 1;
      }
    });
    this.#extending = extended.catch(() => undefined);
    return extended;
  }
}
