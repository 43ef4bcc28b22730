/** Limits the time that an engine may lose by trying a draft model, to a small share of the time of its other steps. Pure. */

/** Share of the time of steps without the draft model that trials may lose. */
const lossShare = 0.015;
/** Budget at the start, and at most, in steps: gains of the past pay for trials only up to this amount. */
const stepsFirst = 2;
const stepsMax = 256;

export class TrialBudget {
  #micros: number | undefined;

  /** Whether a trial may start that first costs `micros` without any gain. */
  allows(micros: number): boolean {
    return (this.#micros ?? 0) > micros;
  }

  /**
   * Records a step.
   * @param plainMicros estimated time of a step without drafts
   * @param savedMicros time that drafts of the model saved in this step, negative if they lost time; undefined without them
   */
  record({ plainMicros, savedMicros }: { plainMicros: number; savedMicros: number | undefined }): void {
    const before = this.#micros ?? stepsFirst * plainMicros;
    this.#micros = Math.min(stepsMax * plainMicros, before + (savedMicros ?? lossShare * plainMicros));
  }
}
