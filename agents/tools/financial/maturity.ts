/** Whether a heading separates current from non-current items. */
import { normaliseName } from './line-items.ts';

export type Maturity = 'current' | 'non_current' | undefined;

const nonCurrentShape =
  /\b(?:non current|noncurrent|long term|langfristig\w*|no corrientes?|non correnti|non corrente|nao correntes?|nao circulante|langlopende|more than one year|plus d un an|non courants?|non courantes?|langfristiga|langfristede|langsiktige?|dlugoterminow\w*|pitkaaikais\w*|oltre (?:i )?12 mesi|oltre l esercizio(?: successivo)?|oltre un anno|(?:uber|mehr als) (?:1|ein(?:em)?) jahr|after (?:more than )?(?:one|1) year|plus de 12 mois|mas de (?:un|1) ano|langer dan (?:een|1) jaar)\b/;
const currentShape =
  /\b(?:current|kurzfristig\w*|corrientes?|correnti|correntes?|circulante|kortlopende|within one year|moins d un an|courants?|courantes?|short term|kortfristiga|kortfristede|kortsiktige?|krotkoterminow\w*|lyhytaikais\w*|entro (?:i )?12 mesi|entro l esercizio(?: successivo)?|entro un anno|(?:bis zu|unter) (?:1|einem) jahr|within 12 months|moins de 12 mois|menos de (?:un|1) ano|korter dan (?:een|1) jaar)\b/;

/** "Borrowings (non-current)", "Borrowings, all current": the maturity that the label of one row states, if it states one only. */
export function maturityOfLabel(label: string): Maturity {
  const name = normaliseName(label);
  const isLong = nonCurrentShape.test(name);
  const isShort = currentShape.test(name.replace(everyNonCurrent, ' '));
  return isLong === isShort ? undefined : isLong ? 'non_current' : 'current';
}

const everyNonCurrent = new RegExp(nonCurrentShape.source, 'g');

/** @param before the maturity of the heading above, which a heading without a side of the balance sheet keeps */
export function maturityOf(text: string, before: Maturity): Maturity {
  const name = normaliseName(text);
  if (nonCurrentShape.test(name)) return 'non_current';
  if (currentShape.test(name)) return 'current';
  return /\b(?:assets|liabilities|equity|aktiva|passiva|schulden|eigenkapital|vermogenswerte|revenue|income|expenses?)\b/.test(
    name,
  )
    ? undefined
    : before;
}
