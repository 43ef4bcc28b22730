/** A request and its answers as the scheduler sees them. */
import type { AnswerFailure, Sampling, Step, StepRow, TokenLogprobs } from '@cloister/models/interface/model';
import type { Queued } from '../pool/queue.ts';
import type { Guesser } from './speculation.ts';

/** What the scheduler needs to know of a request. */
export interface Job extends Queued {
  readonly prompt: Int32Array;
  /** Whose cached prefixes it may reuse. */
  readonly salt: string;
  readonly choices: number;
  /** Most tokens per answer; the context may leave fewer. */
  readonly maxTokens: number;
  readonly sampling: Sampling;
}

/** One answer being written: a job has `choices` of them. */
export interface Answer<J extends Job = Job> {
  readonly job: J;
  readonly choice: number;
  /** Prompt tokens that were found in the cache, and how many of them in a pinned prefix. */
  reused: number;
  shared: number;
  sampled: number;
  phase: 'waiting' | 'prefill' | 'decode' | 'ended';
  sequence: number;
  /** Tokens the sequence holds. */
  position: number;
  /** Drawn by the last step, not yet fed. */
  nextToken: number;
  /** From the first drawn token on, where the next ones may be guessed. */
  guesser: Guesser | undefined;
}

export interface PlannedStep<J extends Job> {
  readonly step: Step;
  /** The answers that begin with this step; their sampling must be set before it runs. */
  readonly begun: readonly Answer<J>[];
  /** Rows that each continue an answer, and the guesses that they carry. */
  readonly decodeRows: number;
  readonly guesses: number;
}

export interface Drawn<J extends Job> {
  readonly answer: Answer<J>;
  readonly token: number;
  readonly logprobs: TokenLogprobs | undefined;
  /** Set when this token was the answer's last. An end token is not part of the answer. */
  readonly end: 'stop' | 'length' | undefined;
}

/** An answer that cannot go on under its grammar. */
export interface Failed<J extends Job> {
  readonly answer: Answer<J>;
  readonly failure: AnswerFailure;
}

/** A row and the answer that it feeds; undefined where it feeds a pin. */
export interface Fed<J extends Job> {
  readonly answer: Answer<J> | undefined;
  readonly row: StepRow;
}

export function newAnswer<J extends Job>(job: J, choice: number): Answer<J> {
  const tokens = { reused: 0, shared: 0, sampled: 0, position: 0, nextToken: 0 };
  return { job, choice, phase: 'waiting', sequence: 0, guesser: undefined, ...tokens };
}
