import type { AnswerDraftsOptions } from './answer-drafts.ts';
import type { PrefixCacheOptions } from './prefix-cache.ts';

/** Limits of a scheduler, and the facts of its model. */
export interface SchedulerOptions extends PrefixCacheOptions, AnswerDraftsOptions {
  /** Maximum tokens that one step may feed over all rows. */
  readonly stepTokensMax: number;
  readonly queuedRequestsMax: number;
}

/** Work charged for a generated token, in prompt tokens: generating one occupies a sequence for a whole step. */
export const generatedTokenWork = 2;
/** An answer with fewer tokens left is not moved: a move takes as long as a step or two. */
export const moveTokensMin = 16;
