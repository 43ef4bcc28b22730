/** The list of checks of a verification: each has a name, an outcome and a reason. A check that did not run did not pass. */
import { AttestationError } from '../base/errors.ts';

export type Outcome = 'pass' | 'fail' | 'not-checked';

export interface CheckText {
  /** The statement that holds if the check passes. */
  readonly title: string;
  /** What to do if the check does not pass. */
  readonly action: string;
}

export interface Check<Id extends string = string> extends CheckText {
  readonly id: Id;
  readonly outcome: Outcome;
  /** The finding. */
  readonly reason: string;
}

/** The result of one check, as input of other checks. */
export interface Step<T> {
  readonly id: string;
  /** Absent if the check did not pass. */
  readonly value?: T;
}

type ValuesOf<Steps extends readonly Step<unknown>[]> = {
  [Index in keyof Steps]: Steps[Index] extends Step<infer Value> ? Value : never;
};

/** Collects the outcomes of all checks of a table. Each check starts as not checked. */
export class CheckList<Id extends string> {
  readonly #checks: Map<Id, Check<Id>>;

  constructor(table: Readonly<Record<Id, CheckText>>) {
    this.#checks = new Map(
      (Object.keys(table) as Id[]).map((id) => [
        id,
        { id, ...table[id], outcome: 'not-checked', reason: 'did not run' },
      ]),
    );
  }

  /**
   * Runs a check if all checks in `needs` passed. The check passes if `work` returns and fails if it throws.
   * @param work receives the values of `needs` · @returns the value of `work`, as input of other checks
   */
  async run<const Needs extends readonly Step<unknown>[], T>(
    id: Id,
    needs: Needs,
    work: (...values: ValuesOf<Needs>) => T | Promise<T>,
  ): Promise<Step<T>> {
    const missing = needs.find((step) => !('value' in step));
    if (missing !== undefined) {
      this.#settle(id, 'not-checked', `it depends on "${missing.id}", which did not pass`);
      return { id };
    }
    try {
      const value = await work(...(needs.map((step) => step.value) as ValuesOf<Needs>));
      this.#settle(id, 'pass', typeof value === 'string' ? value : 'it holds');
      return { id, value };
    } catch (error) {
      // Any other error is a defect, which must not pass either.
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
 * `verified` only if every required check passed. Any failure leads to `not-verified`, which takes precedence over `could-not-check`.
 */
export function verdictOf(checks: readonly (Check & { readonly required?: boolean })[]): Verdict {
  if (checks.some((check) => check.outcome === 'fail')) return 'not-verified';
  const isComplete =
    checks.length > 0 && checks.every(({ outcome, required }) => outcome === 'pass' || required === false);
  return isComplete ? 'verified' : 'could-not-check';
}

/** Fails the running check with this reason. */
export function refuse(reason: string): never {
  throw new AttestationError('ERR_NOT_VERIFIED', reason);
}
