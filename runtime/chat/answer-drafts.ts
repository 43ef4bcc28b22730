/** The drafts of a scheduler's answers: asks `Speculation` for each step, and follows each answer. Pure. */
import type { Step, StepResult } from '@cloister/models/interface/model';
import type { Answer, PlannedStep } from './answer.ts';
import type { DraftModel } from './draft-model.ts';
import {
  type DraftModelMode,
  type DraftSourceKind,
  type PromptLookupMode,
  Speculation,
  type StepDrafts,
} from './speculation.ts';

export interface AnswerDraftsOptions {
  readonly contextPerSequence: number;
  /** Maximum draft tokens that one step may verify over all rows. */
  readonly draftTokensMax: number;
  readonly promptLookup: PromptLookupMode;
  readonly draft?: { readonly model: DraftModel; readonly mode: DraftModelMode } | undefined;
  readonly endTokens: ReadonlySet<number>;
}

export class AnswerDrafts {
  readonly #options: AnswerDraftsOptions;
  readonly #speculation: Speculation;
  /** The source of the drafts of the step in flight. */
  #source: DraftSourceKind = 'prompt';

  constructor(options: AnswerDraftsOptions) {
    this.#options = options;
    const { promptLookup: mode, draftTokensMax, endTokens, draft } = options;
    const draftModel = draft && { costs: draft.model, mode: draft.mode };
    this.#speculation = new Speculation({ mode, draftTokensMax, endTokens, draftModel });
  }

  /**
   * The drafts of a step in which these answers decode.
   * @param room tokens for which the step still has room; 0 if it feeds prompts, too
   * @param tokensOf the tokens of an answer's sequence, including the one that the step feeds
   */
  plan<J extends Answer['job']>(
    decoding: readonly Answer<J>[],
    { room, tokensOf }: { room: number; tokensOf: (answer: Answer<J>) => Int32Array },
  ): Pick<PlannedStep<J>, 'drafts' | 'draftRequests'> {
    const { tokens, modelTokens: count } = room > 0 ? this.#next(decoding, room) : noDrafts;
    this.#source = count > 0 ? 'model' : 'prompt';
    // The draft model has no embeddings of images.
    const readable = decoding.filter(({ job }) => job.hasImages !== true);
    return {
      drafts: new Map(decoding.map(({ sequence }, index) => [sequence, tokens[index] ?? new Int32Array(0)])),
      draftRequests: count > 0 ? readable.map((answer) => ({ answer, tokens: tokensOf(answer), count })) : [],
    };
  }

  /** Records a step in which all rows decoded. @param draftMicros time of the draft model; 0 if it was not used */
  observe(step: Step, result: StepResult, draftMicros: number): void {
    const micros = result.decodeMicros + result.sampleMicros;
    const rowTokens = step.rows.map(({ tokens }) => tokens.length);
    this.#speculation.observe({ rowTokens, sampled: result.tokens.length, micros, draftMicros });
  }

  /** Records that the first `accepted` of `count` draft tokens of an answer were accepted. */
  record({ drafter }: Answer, count: number, accepted: number): void {
    drafter?.record(count, accepted, this.#source);
  }

  /** Records the next token of an answer. */
  push(answer: Answer, token: number): void {
    const { prompt, maxTokens } = answer.job;
    const capacity = Math.min(this.#options.contextPerSequence + 1, prompt.length + maxTokens);
    answer.drafter ??= this.#speculation.begin(prompt, capacity);
    answer.drafter?.push(token);
  }

  /** Called once an answer has ended and its last step is complete. */
  forget(answer: Answer): void {
    answer.drafter?.clear();
    this.#options.draft?.model.release(answer);
  }

  #next(decoding: readonly Answer[], room: number): StepDrafts {
    const { contextPerSequence, draft } = this.#options;
    const candidates = decoding.map((answer) => {
      const { drafter, job, sampled, position } = answer;
      // The token that the step feeds is already part of the position.
      const draftTokensMax = Math.min(job.maxTokens - sampled - 1, contextPerSequence - position);
      return drafter && { drafter, draftTokensMax, unread: draft?.model.unread(answer, position) };
    });
    return this.#speculation.next(candidates, room);
  }
}

const noDrafts: StepDrafts = { tokens: [], modelTokens: 0 };
