/** The signal and time limit of one call of an engine. */

export interface EngineCall {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the request may have taken effect even if no answer came. */
  readonly changes: boolean;
}

export interface EngineCallTimes {
  readonly readMs: number;
  readonly changeMs: number;
}

/** Builds calls with the time limits of one engine. */
export class EngineCalls {
  readonly times: EngineCallTimes;

  constructor(times: EngineCallTimes) {
    this.times = times;
  }

  reading(signal: AbortSignal): EngineCall {
    return { signal, timeoutMs: this.times.readMs, changes: false };
  }

  changing(signal: AbortSignal): EngineCall {
    return { signal, timeoutMs: this.times.changeMs, changes: true };
  }

  /** A change that creates no pod, so a lost answer counts as a failure. */
  preparing(signal: AbortSignal): EngineCall {
    return { ...this.changing(signal), changes: false };
  }
}
