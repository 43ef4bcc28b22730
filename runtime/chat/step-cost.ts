/** What a step takes by how many tokens it feeds, learnt from those that ran. Pure: its clock is the count of steps. */

/** Weight of the newest step in the running averages. */
const newest = 0.2;
/** After so many steps without one of this size, what is known of it counts no more: contexts and machines change. */
const memorySteps = 2000;
/** A size never seen is believed to be this much cheaper per further token than a whole step: it has to be tried once. */
const hope = 0.1;

interface Known {
  micros: number;
  step: number;
}

export class StepCost {
  /** By tokens of one pass. */
  readonly #known = new Map<number, Known>();
  #step = 0;

  /** Takes in what a pass over so many tokens took. */
  observe(tokens: number, micros: number): void {
    this.#step += 1;
    const known = this.#known.get(tokens);
    const average =
      known === undefined || this.#isOld(known) ? micros : known.micros + newest * (micros - known.micros);
    this.#known.set(tokens, { micros: average, step: this.#step });
  }

  /** @returns microseconds; between two known sizes in proportion; undefined while nothing smaller is known */
  estimate(tokens: number): number | undefined {
    let below: [tokens: number, micros: number] | undefined;
    let above: [tokens: number, micros: number] | undefined;
    for (const [size, known] of this.#known) {
      if (this.#isOld(known)) continue;
      if (size <= tokens && (below === undefined || size > below[0])) below = [size, known.micros];
      if (size >= tokens && (above === undefined || size < above[0])) above = [size, known.micros];
    }
    if (below === undefined) return undefined;
    if (above === undefined) return below[1] * (1 + hope * (tokens / below[0] - 1));
    if (above[0] === below[0]) return below[1];
    return below[1] + ((above[1] - below[1]) * (tokens - below[0])) / (above[0] - below[0]);
  }

  #isOld({ step }: Known): boolean {
    return this.#step - step > memorySteps;
  }
}
