/** A request and its answers as the scheduler sees them. */
import type { AnswerFailure, Sampling, Step, StepRow, TokenLogprobs } from '@cloister/models/interface/model';
import type { Queued } from '../pool/queue.ts';
import type { Drafter } from './speculation.ts';

/** The part of a request that the scheduler reads. */
export interface Job extends Queued {
  readonly prompt: Int32Array;
  /** Whether some ids of the prompt are below 0 and stand for embeddings of images. Default false. */
  readonly hasImages?: boolean;
  /** Position of the LoRA adapter that answers, from 1; default 0, none. */
  readonly adapter?: number;
  /** The job may reuse cached prefixes with the same salt only (`salt.ts`). */
  readonly salt: string;
  readonly choices: number;
  /** Maximum tokens per answer; the context can limit it further. */
  readonly maxTokens: number;
  readonly sampling: Sampling;
}

/** One answer in progress: a job has `choices` of them. */
export interface Answer<J extends Job = Job> {
  readonly job: J;
  readonly choice: number;
  /** Prompt tokens found in the cache, and the number of these in a pinned prefix. */
  reused: number;
  shared: number;
  sampled: number;
  phase: 'waiting' | 'prefill' | 'decode' | 'ended';
  sequence: number;
  /** Tokens in the sequence. */
  position: number;
  /** Sampled by the last step, not fed yet. */
  nextToken: number;
  /** Set from the first sampled token on if speculative decoding is enabled. */
  drafter: Drafter | undefined;
}

/** An answer for which the draft model computes draft tokens. */
export interface DraftRequest {
  readonly answer: Answer;
  /** Its prompt and its tokens so far. */
  readonly tokens: Int32Array;
  /** Draft tokens to compute. */
  readonly count: number;
}

export interface PlannedStep<J extends Job> {
  readonly step: Step;
  /** Answers that start with this step; their sampling must be set before it runs. */
  readonly begun: readonly Answer<J>[];
  /** Number of rows that continue an answer. */
  readonly decodeRows: number;
  /** Draft tokens from prompt lookup to append to rows, by sequence; empty for rows without. */
  readonly drafts: ReadonlyMap<number, Int32Array>;
  /** Answers for which the draft model computes draft tokens before the step; if there are any, `drafts` are empty. */
  readonly draftRequests: readonly DraftRequest[];
}

export interface Sampled<J extends Job> {
  readonly answer: Answer<J>;
  readonly token: number;
  readonly logprobs: TokenLogprobs | undefined;
  /** Set if this token ended the answer. An end token is not part of the answer. */
  readonly end: 'stop' | 'length' | undefined;
}

/** An answer that its grammar does not allow to continue. */
export interface Failed<J extends Job> {
  readonly answer: Answer<J>;
  readonly failure: AnswerFailure;
}

/** A row and the answer that it continues; undefined if the row feeds a prefix to be pinned. */
export interface Feed<J extends Job> {
  readonly answer: Answer<J> | undefined;
  readonly row: StepRow;
}

export function newAnswer<J extends Job>(job: J, choice: number): Answer<J> {
  const tokens = { reused: 0, shared: 0, sampled: 0, position: 0, nextToken: 0 };
  return { job, choice, phase: 'waiting', sequence: 0, drafter: undefined, ...tokens };
}
