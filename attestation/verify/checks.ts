/** The list of checks that a verification is: each has a name, an outcome and a reason. What did not run did not pass. */
import { AttestationError } from '../base/errors.ts';

export type Outcome = 'pass' | 'fail' | 'not-checked';

export interface CheckText {
  /** What is true where the check passes, as a person would say it. */
  readonly title: string;
  /** What to do where it does not. */
  readonly action: string;
}

export interface Check<Id extends string = string> extends CheckText {
  readonly id: Id;
  readonly outcome: Outcome;
  /** What was found. */
  readonly reason: string;
}

/** The result of one check, for those that build on it. */
export interface Step<T> {
  readonly id: string;
  /** Absent where the check did not pass. */
  readonly value?: T;
}

type ValuesOf<Steps extends readonly Step<unknown>[]> = {
  [Index in keyof Steps]: Steps[Index] extends Step<infer Value> ? Value : never;
};

/** Collects the outcome of every check of a table; all start as not checked. */
export class CheckList<Id extends string> {
  readonly #checks: Map<Id, Check<Id>>;

  constructor(table: Readonly<Record<Id, CheckText>>) {
    this.#checks = new Map(
      (Object.keys(table) as Id[]).map((id) => [
        id,
        { id, ...table[id], outcome: 'not-checked', reason: 'it did not run' },
      ]),
    );
  }

  /**
   * Runs one check, if all that it builds on passed: it passes where `work` returns and fails where it throws.
   * @param work gets the values of the steps in `needs` · @returns its value as a step for others
   */
  async run<const Needs extends readonly Step<unknown>[], T>(
    id: Id,
    needs: Needs,
    work: (...values: ValuesOf<Needs>) => T | Promise<T>,
  ): Promise<Step<T>> {
    const missing = needs.find((step) => !('value' in step));
    if (missing !== undefined) {
      this.#settle(id, 'not-checked', `it builds on "${missing.id}", which did not pass`);
      return { id };
    }
    try {
      const value = await work(...(needs.map((step) => step.value) as ValuesOf<Needs>));
      this.#settle(id, 'pass', typeof value === 'string' ? value : 'it holds');
      return { id, value };
    } catch (error) {
      // Anything but a refusal of ours is a defect, and a defect does not pass either.
      this.#settle(id, 'fail', error instanceof AttestationError ? error.message : `defect: ${String(error)}`);
      return { id };
    }
  }

  skip(id: Id, reason: string): void {
    this.#settle(id, 'not-checked', reason);
  }

  /** In the order of the table. */
  all(): Check<Id>[] {
    return [...this.#checks.values()];
  }

  #settle(id: Id, outcome: Outcome, reason: string): void {
    this.#checks.set(id, { ...this.#checks.get(id)!, outcome, reason });
  }
}

export type Verdict = 'verified' | 'not-verified' | 'could-not-check';

/**
 * Verified only where every check passed, but for those that say that they are not required; a failure, of whichever
 * check, outweighs what could not be checked.
 */
export function verdictOf(checks: readonly (Check & { readonly required?: boolean })[]): Verdict {
  if (checks.some((check) => check.outcome === 'fail')) return 'not-verified';
  const isComplete =
    checks.length > 0 && checks.every(({ outcome, required }) => outcome === 'pass' || required === false);
  return isComplete ? 'verified' : 'could-not-check';
}

/** Ends the running check as failed. */
export function refuse(reason: string): never {
  throw new AttestationError('ERR_NOT_VERIFIED', reason);
}
