/** One question to an engine, with its time limit. */

export interface Question {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the engine may have done something even if no answer came. */
  readonly changes: boolean;
}

export interface QuestionTimes {
  readonly readMs: number;
  readonly changeMs: number;
}

/** Puts questions under the time limits of one engine. */
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

  /** Of which no pod comes, so that an answer that got lost is as good as none. */
  preparing(signal: AbortSignal): Question {
    return { ...this.changing(signal), changes: false };
  }
}
