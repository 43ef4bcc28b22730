/** Invoice items whose cells were placed below each other by a conversion: runs of lines with one number each. */
import { compare, multiply, type Rational, zero } from '../financial/rational.ts';
import { cents } from './invoice-checks.ts';
import type { ItemRow } from './invoice-tables.ts';
import { type Layout, numbersIn } from './layout.ts';
import { type Amount, isNear, toAmount } from './money.ts';

/** Quantity, price and amount have the same positions in all runs of the same length. */
export function stackedItems(layout: Layout, from: number, to: number): ItemRow[] {
  const runs = runsOf(layout, from, to);
  const lengths = new Map<number, number>();
  for (const { amounts } of runs) lengths.set(amounts.length, (lengths.get(amounts.length) ?? 0) + 1);
  const [length, count] = [...lengths].sort(([, a], [, b]) => b - a)[0] ?? [0, 0];
  if (length < 3 || count < 3) return [];
  // The number of the next item may be directly below the last number of a run.
  const rows = runs.filter(({ amounts }) => amounts.length === length || amounts.length === length - 1);
  for (let place = 0; place + 2 < length - 1; place += 1) {
    const fits = rows.filter(({ amounts }) =>
      isNear(cents(multiply(amounts[place]!.value, amounts[place + 1]!.value)), amounts[place + 2]!.value),
    );
    if (fits.length * 2 <= rows.length || fits.length < 2) continue;
    return rows.map(({ line, amounts }) => ({
      line,
      hasDiscount: false,
      quantity: amounts[place]!.value,
      price: amounts[place + 1]!.value,
      amount: amounts[place + 2]!,
    }));
  }
  return [];
}

function runsOf(
  layout: Layout,
  from: number,
  to: number,
): { readonly line: number; readonly amounts: readonly Amount[] }[] {
  const runs: { line: number; amounts: Amount[] }[] = [];
  let open: { line: number; amounts: Amount[] } | undefined;
  for (const line of layout.lines.slice(from, to)) {
    const [segment] = line.segments;
    const alone =
      line.segments.length === 1 && /^[(-]?[\d.,'\u00a0 ]+\)?$/.test(segment!.text) ? numbersIn(layout, segment!) : [];
    const amount: Amount | undefined = alone.length === 1 ? toAmount(alone[0]!) : undefined;
    if (amount === undefined || isEmpty(amount.value)) {
      if (open !== undefined) runs.push(open);
      open = undefined;
    } else if (open === undefined) open = { line: line.index, amounts: [amount] };
    else open.amounts.push(amount);
  }
  if (open !== undefined) runs.push(open);
  return runs.filter(({ amounts }) => amounts.length >= 3 && amounts.length <= 12);
}

function isEmpty(value: Rational): boolean {
  return compare(value, zero) === 0;
}
