/** Whether a heading separates current from non-current items. */
import type { LabelContext } from './labels.ts';
import { normaliseName } from './line-items.ts';

const nonCurrentShape =
  /\b(?:non current|noncurrent|long term|langfristig\w*|no corrientes?|non correnti|langlopende|more than one year|plus d un an|non courants?)\b/;
const currentShape =
  /\b(?:current|kurzfristig\w*|corrientes?|correnti|kortlopende|within one year|moins d un an|courants?|short term)\b/;

/** @param before the maturity of the heading above, which a heading without a side of the balance sheet keeps */
export function maturityOf(text: string, before: LabelContext['maturity']): LabelContext['maturity'] {
  const name = normaliseName(text);
  if (nonCurrentShape.test(name)) return 'non_current';
  if (currentShape.test(name)) return 'current';
  return /\b(?:assets|liabilities|equity|aktiva|passiva|schulden|eigenkapital|vermogenswerte|revenue|income|expenses?)\b/.test(
    name,
  )
    ? undefined
    : before;
}
