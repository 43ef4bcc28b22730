/** What is done to sequences and states before the rows of a step, and what of it is unknown once a step failed. Pure. */
import type { StepOperation } from '@cloister/models/interface/model';

/** What a failed step leaves unknown: how many of its operations ran nobody can tell. */
export interface Traces {
  /** Sequences whose contents some of them change. */
  readonly sequences: ReadonlySet<number>;
  /** States that they keep. */
  readonly saved: readonly number[];
}

export class StepOperations {
  #waiting: StepOperation[] = [];
  #inFlight: readonly StepOperation[] = [];
  #hasFailed = false;

  /** Whether they are worth a step without rows. After one that failed they wait for rows: alone they could fail for ever. */
  get areDue(): boolean {
    return this.#waiting.length > 0 && !this.#hasFailed;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(...operations: readonly StepOperation[]): void {
    this.#waiting.push(...operations);
  }

  /** @returns those of the next step, in their order */
  take(): readonly StepOperation[] {
    this.#inFlight = this.#waiting;
    this.#waiting = [];
    return this.#inFlight;
  }

  /** The step with those taken is over. */
  complete(): void {
    this.#hasFailed = false;
  }

  /** It failed. What it was to drop is dropped once more, which changes nothing where it was. */
  fail(): Traces {
    this.#hasFailed = true;
    this.push(...this.#inFlight.filter(({ kind }) => kind === 'drop'));
    return {
      sequences: new Set(this.#inFlight.flatMap(changedBy)),
      saved: this.#inFlight.flatMap((operation) => (operation.kind === 'save' ? operation.state : [])),
    };
  }
}

function changedBy(operation: StepOperation): readonly number[] {
  switch (operation.kind) {
    case 'trim':
    case 'restore':
      return [operation.sequence];
    case 'copy':
      return [operation.to];
    case 'move':
      return [operation.sequence, operation.to];
    case 'save':
    case 'drop':
      return [];
  }
}
