/** Runs one planned step on the model: begins the sampling of new answers, gets the drafts, and computes the forward pass. */
import type { Step, StepResult, TextModel } from '@cloister/models/interface/model';
import type { PlannedStep } from './answer.ts';
import type { ChatJob } from './chat-job.ts';
import type { DraftModel } from './draft-model.ts';

export interface StepRunner {
  readonly model: TextModel;
  readonly draftModel: DraftModel | undefined;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

export type StepOutcome =
  | {
      readonly kind: 'done';
      /** The planned step, with drafts. */
      readonly step: Step;
      readonly result: StepResult;
      readonly draftTokens: number;
      /** Time of the draft model; 0 if it was not used. */
      readonly draftMicros: number;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Never rejects. The model is idle between the end of one step and the next call. */
export async function runStep(planned: PlannedStep<ChatJob>, runner: StepRunner): Promise<StepOutcome> {
  const { model, now } = runner;
  try {
    for (const answer of planned.begun) {
      const { job, choice } = answer;
      if (choice === 0) job.begun = now();
      const seed = (job.sampling.seed + choice) >>> 0;
      model.beginSampling(answer.sequence, { ...job.sampling, seed }, job.readers[choice]!.prepared);
    }
    // Without a draft model there is no wait here: the forward pass starts before the caller detokenizes the last tokens.
    const isDrafted = planned.draftRequests.length > 0;
    const { drafts, draftMicros } = isDrafted ? await draft(planned, runner) : { ...planned, draftMicros: 0 };
    const step = withDrafts(planned.step, drafts);
    const draftTokens = step.rows.reduce((sum, { guesses = 0 }) => sum + guesses, 0);
    return { kind: 'done', step, result: await model.step(step), draftTokens, draftMicros };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** @returns the draft tokens by sequence */
async function draft({ draftRequests }: PlannedStep<ChatJob>, { draftModel, now }: StepRunner) {
  const started = now();
  const drafted = await draftModel!.draft(draftRequests);
  const drafts = new Map([...drafted].map(([answer, tokens]) => [answer.sequence, tokens]));
  // Never 0, which means that the model was not used.
  return { drafts, draftMicros: Math.max(1, (now() - started) * 1000) };
}

function withDrafts(step: Step, drafts: ReadonlyMap<number, Int32Array>): Step {
  const rows = step.rows.map((row) => {
    const tokens = drafts.get(row.sequence);
    if (tokens === undefined || tokens.length === 0) return row;
    return { ...row, tokens: Int32Array.of(...row.tokens, ...tokens), guesses: tokens.length };
  });
  return { ...step, rows };
}
