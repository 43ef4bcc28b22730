/** Queues the operations on sequences and states that precede the rows of a step, and reports what a failed step may have changed. Pure. */
import type { StepOperation } from '@cloister/models/interface/model';

/** Sequences and states in an unknown condition after a failed step: it is unknown which of its operations ran. */
export interface UncertainEffects {
  /** Sequences that the operations change. */
  readonly sequences: ReadonlySet<number>;
  /** States that the operations save. */
  readonly saved: readonly number[];
}

export class StepOperations {
  #waiting: StepOperation[] = [];
  #inFlight: readonly StepOperation[] = [];
  #hasFailed = false;

  /** Whether a step must run for the operations alone. After a failed step they wait for rows, since they could fail forever. */
  get areDue(): boolean {
    return this.#waiting.length > 0 && !this.#hasFailed;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(...operations: readonly StepOperation[]): void {
    this.#waiting.push(...operations);
  }

  /** @returns the operations of the next step, in order */
  take(): readonly StepOperation[] {
    this.#inFlight = this.#waiting;
    this.#waiting = [];
    return this.#inFlight;
  }

  /** Called after the step succeeded. */
  complete(): void {
    this.#hasFailed = false;
  }

  /** Called after the step failed. Queues its drops again; to drop a state twice has no effect. */
  fail(): UncertainEffects {
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
