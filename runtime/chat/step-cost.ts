/** Estimates the time of a step from the number of tokens it feeds, by the measured time of earlier steps. Pure: its clock counts steps. */

/** Weight of the newest step in the running averages. */
const newestWeight = 0.2;
/** A measurement is discarded after this many steps without one of its size, because contexts and machine load change. */
const memorySteps = 2000;
/** Assumed cost per further token, relative to a whole step, for sizes without a measurement. It is low so that each size gets tried. */
const unmeasuredTokenCost = 0.1;

interface Measurement {
  micros: number;
  step: number;
}

export class StepCost {
  /** Cost by number of tokens in a pass. */
  readonly #measured = new Map<number, Measurement>();
  #step = 0;

  /** Records the time of a pass over this many tokens. */
  observe(tokens: number, micros: number): void {
    this.#step += 1;
    const measurement = this.#measured.get(tokens);
    const average =
      measurement === undefined || this.#isOld(measurement)
        ? micros
        : measurement.micros + newestWeight * (micros - measurement.micros);
    this.#measured.set(tokens, { micros: average, step: this.#step });
  }

  /** @returns microseconds, interpolated between two measured sizes; undefined if no smaller size is measured */
  estimate(tokens: number): number | undefined {
    let below: [tokens: number, micros: number] | undefined;
    let above: [tokens: number, micros: number] | undefined;
    for (const [size, measurement] of this.#measured) {
      if (this.#isOld(measurement)) continue;
      if (size <= tokens && (below === undefined || size > below[0])) below = [size, measurement.micros];
      if (size >= tokens && (above === undefined || size < above[0])) above = [size, measurement.micros];
    }
    if (below === undefined) return undefined;
    if (above === undefined) return below[1] * (1 + unmeasuredTokenCost * (tokens / below[0] - 1));
    if (above[0] === below[0]) return below[1];
    return below[1] + ((above[1] - below[1]) * (tokens - below[0])) / (above[0] - below[0]);
  }

  #isOld({ step }: Measurement): boolean {
    return this.#step - step > memorySteps;
  }
}
