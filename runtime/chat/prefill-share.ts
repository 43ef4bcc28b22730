/** Divides a step's prompt tokens between prompts. Pure. */

/** Factor by which the oldest prompt may exceed the budget to avoid leaving a remainder. */
const overshoot = 1.25;

export interface Budget<Item> {
  /** Number of a prompt's tokens that are not fed yet. */
  readonly left: (item: Item) => number;
  /** Target number of tokens for the step. */
  readonly budget: number;
  /** Maximum number of tokens for the step. */
  readonly budgetMax: number;
}

/**
 * The oldest prompt always gets a quarter, so that a long prompt cannot starve; the rest goes to the prompts with the
 * fewest tokens left, so that a short prompt does not wait behind a long one. Only a prompt that exceeds the whole budget
 * is split: rows of unequal length cost a pass each, and a remainder costs another pass in the next step.
 * @param prefilling oldest first
 */
export function dividePrefill<Item extends object>(
  prefilling: readonly Item[],
  { left, budget: target, budgetMax }: Budget<Item>,
): { item: Item; tokens: number }[] {
  const oldest = prefilling[0];
  if (oldest === undefined || target <= 0) return [];
  const whole = left(oldest);
  const budget = whole <= Math.min(budgetMax, target * overshoot) ? Math.max(target, whole) : target;
  const quarter = Math.ceil(budget / 4);
  const share = new Map<Item, number>([[oldest, left(oldest) <= budget ? left(oldest) : quarter]]);
  let rest = budget - share.get(oldest)!;
  for (const item of [...prefilling].sort((a, b) => left(a) - left(b))) {
    const assigned = share.get(item) ?? 0;
    const needed = left(item) - assigned;
    const isWorthCutting = left(item) > budget && rest + assigned >= quarter;
    const more = needed <= rest ? needed : isWorthCutting ? rest : 0;
    if (more > 0) share.set(item, assigned + more);
    rest -= more;
  }
  return [...share].map(([item, tokens]) => ({ item, tokens }));
}
