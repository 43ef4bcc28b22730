/** Rows before a deduction: "Property and equipment", "Less accumulated depreciation", and their difference without a label. */
import type { Row } from '../../document/table.ts';
import { normaliseName } from './line-items.ts';
import { absolute, compare, type Rational, subtract } from './rational.ts';
import type { AmountsByKey } from './table-outline.ts';

const deduction =
  /^(?:less|abzuglich|kumulierte|moins|menos|meno|af) (?:\p{L}+ ){0,3}?(?:accumulated|allowances?|provision|depreciation|abschreibungen|wertberichtigung\p{L}*|amortissements?|depreciations?|amortizacion|ammortamenti|afschrijvingen)(?!\p{L})|^accumulated (?:depreciation|amorti[sz]ation)(?!\p{L})/u;

/** Whether the row below deducts from this row, so that this row prints a gross amount. */
export function isGross(rows: readonly Row[], index: number): boolean {
  const next = rows[index + 1]?.cells[0]?.text;
  return next !== undefined && deduction.test(normaliseName(next)) && (rows[index + 1]?.cells.length ?? 0) > 1;
}

/** A gross row whose net amount may follow. */
export interface GrossRow {
  readonly label: string;
  readonly amounts: AmountsByKey;
  readonly deducted?: AmountsByKey;
}

/** Whether the total is what remains of the gross amount in every column. */
export function isNetOf({ amounts, deducted }: GrossRow, total: AmountsByKey): boolean {
  if (deducted === undefined || total.size === 0) return false;
  return [...total].every(([key, net]) => {
    const [gross, less] = [amounts.get(key), deducted.get(key)];
    return gross !== undefined && less !== undefined && isDifference(gross, less, net);
  });
}

function isDifference(gross: Rational, less: Rational, net: Rational): boolean {
  return compare(subtract(gross, absolute(less)), net) === 0;
}
