/** How much a model is asked to think, by the fields of the Messages API. Pure. */
import type { ReasoningEffort } from '@cloister/models/interface/model';

/** The levels of `output_config.effort`, and those of the engine. */
const levels = { low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'xhigh' } as const;

export const anthropicEfforts = Object.keys(levels) as (keyof typeof levels)[];

/** The tokens that templates with a budget get for a level (`native/src/chat/effort_levels.cc`), from most to least. */
const budgets = [
  [16_384, 'high'],
  [4_096, 'medium'],
  [1_024, 'low'],
  [0, 'minimal'],
] as const satisfies readonly (readonly [number, ReasoningEffort])[];

/**
 * @param fields.budgetTokens `thinking.budget_tokens`: the greatest level whose budget it covers
 * @returns undefined if the fields leave the amount to the template
 */
export function effortOf(fields: {
  readonly effort: keyof typeof levels | undefined;
  readonly budgetTokens: number | undefined;
}): ReasoningEffort | undefined {
  const { effort, budgetTokens } = fields;
  if (effort !== undefined) return levels[effort];
  return budgetTokens === undefined ? undefined : budgets.find(([tokens]) => budgetTokens >= tokens)![1];
}
