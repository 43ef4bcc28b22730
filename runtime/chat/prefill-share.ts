/** Splits a step's prompt tokens between prompts. Pure. */

/** How far beyond the budget the oldest prompt goes rather than leave a remainder. */
const stretch = 1.25;

export interface Budget<Item> {
  /** How many tokens a prompt still has to be fed. */
  readonly left: (item: Item) => number;
  /** Tokens that the step should feed. */
  readonly budget: number;
  /** Tokens that it can. */
  readonly budgetMax: number;
}

/**
 * The prompt that began first always gets a quarter, so that a long one cannot starve; the rest goes to those with least
 * left, so that a short one does not wait behind it. Only a prompt that is longer than the whole budget is cut: rows of
 * unequal length cost a pass each, and a remainder one more in the next step.
 * @param prefilling oldest first
 */
export function shareOut<Item extends object>(
  prefilling: readonly Item[],
  { left, budget: asked, budgetMax }: Budget<Item>,
): { item: Item; tokens: number }[] {
  const oldest = prefilling[0];
  if (oldest === undefined || asked <= 0) return [];
  const whole = left(oldest);
  const budget = whole <= Math.min(budgetMax, asked * stretch) ? Math.max(asked, whole) : asked;
  const quarter = Math.ceil(budget / 4);
  const share = new Map<Item, number>([[oldest, left(oldest) <= budget ? left(oldest) : quarter]]);
  let rest = budget - share.get(oldest)!;
  for (const item of [...prefilling].sort((a, b) => left(a) - left(b))) {
    const taken = share.get(item) ?? 0;
    const needed = left(item) - taken;
    const isWorthCutting = left(item) > budget && rest + taken >= quarter;
    const more = needed <= rest ? needed : isWorthCutting ? rest : 0;
    if (more > 0) share.set(item, taken + more);
    rest -= more;
  }
  return [...share].map(([item, tokens]) => ({ item, tokens }));
}
