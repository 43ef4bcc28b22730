/** How long the recent answers of each model took, for estimates. One number per model; nothing about single requests is kept. Pure. */

/** The weight of the newest answer: about the last ten count. */
const newest = 0.2;

export class RecentAnswers {
  readonly #meanMs = new Map<string, number>();

  /** @param model its id */
  add(model: string, ms: number): void {
    const mean = this.#meanMs.get(model);
    this.#meanMs.set(model, mean === undefined ? ms : mean + newest * (ms - mean));
  }

  /** Undefined before the first answer. */
  meanMs(model: string): number | undefined {
    return this.#meanMs.get(model);
  }
}
