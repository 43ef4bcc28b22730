/** The last times at which a check failed, in memory. They name checks and times only: nothing of a tenant or a request. */
import type { CheckName } from './check-names.ts';

export interface Incident {
  readonly check: CheckName;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Undefined while the check fails. */
  readonly to: number | undefined;
}

/** The oldest are forgotten. */
export const incidentsMax = 50;

export class Incidents {
  /** The newest last. */
  #all: readonly Incident[] = [];
  /** The checks that failed last time, also those whose incident is forgotten. */
  #failing: ReadonlySet<CheckName> = new Set();

  /** @param failing the checks that fail at `now` */
  note(failing: ReadonlySet<CheckName>, now: number): void {
    const begun = [...failing].filter((check) => !this.#failing.has(check));
    const ended = [...this.#failing].filter((check) => !failing.has(check));
    this.#failing = failing;
    if (begun.length === 0 && ended.length === 0) return;
    const known = this.#all.map((one) =>
      one.to === undefined && ended.includes(one.check) ? { ...one, to: now } : one,
    );
    this.#all = [...known, ...begun.map((check) => ({ check, from: now, to: undefined }))].slice(-incidentsMax);
  }

  /** The newest first. */
  get list(): readonly Incident[] {
    return this.#all.toReversed();
  }
}
