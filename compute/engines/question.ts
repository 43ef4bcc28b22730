/** The signal and time limit of one request to an engine. */

export interface Question {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the request may have taken effect even if no answer came. */
  readonly changes: boolean;
}

export interface QuestionTimes {
  readonly readMs: number;
  readonly changeMs: number;
}

/** Builds questions with the time limits of one engine. */
export class Questions {
  readonly times: QuestionTimes;

  constructor(times: QuestionTimes) {
    this.times = times;
  }

  reading(signal: AbortSignal): Question {
    return { signal, timeoutMs: this.times.readMs, changes: false };
  }

  changing(signal: AbortSignal): Question {
    return { signal, timeoutMs: this.times.changeMs, changes: true };
  }

  /** A change that creates no pod, so a lost answer counts as a failure. */
  preparing(signal: AbortSignal): Question {
    return { ...this.changing(signal), changes: false };
  }
}
