/** Messages between the watching process and the process that runs a target. */

/** The only argument of `child.ts`, as JSON. */
export interface FuzzJob {
  /** Path of the file that exports the target. */
  readonly file: string;
  readonly target: string;
  readonly seed: number;
  readonly firstStep: number;
  /** Seconds of generated inputs; the corpus runs in addition. */
  readonly seconds: number;
  /** Number of generated inputs, instead of `seconds`. */
  readonly runs?: number;
  /** Folder of seeds in addition to the corpus. */
  readonly seedsPath?: string;
  /** Receives the current step and its input before each run, see `progress-file.ts`. */
  readonly progressPath: string;
  /** Runs only this input. */
  readonly inputPath?: string;
  /** Loads the addon that `node native/setup.mjs --sanitize` builds. */
  readonly sanitized: boolean;
}

export type FindingKind = 'crash' | 'hang' | 'slow' | 'memory' | 'error';

export interface Finding {
  readonly kind: FindingKind;
  readonly step: number;
  readonly what: string;
  /** Empty if no single input caused the finding. */
  readonly input: Uint8Array;
}

/** Cost of the inputs so far. */
export interface Costs {
  /** CPU time of the process during the most expensive input. */
  readonly cpuMsMax: number;
  readonly cpuMsMaxStep: number;
  /** Memory above the baseline after a garbage collection, see `ResourceWatch`. */
  readonly grownBytesMax: number;
}

export type ChildMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'finding'; readonly finding: Omit<Finding, 'input'> & { readonly input: string } }
  /** The result of a single input. */
  | { readonly kind: 'outcome'; readonly text: string }
  | { readonly kind: 'progress' | 'end'; readonly steps: number; readonly refused: number; readonly costs: Costs };
