/** Net and tax by rate that an invoice states in sentences, and totals that follow from its rates. Both are taken only if they add up. */
import { absolute, compare, divide, multiply, type Rational, rational, subtract, sum } from '../financial/rational.ts';
import { toRate } from './invoice-tables.ts';
import { type Layout, numbersIn, type SegmentNumber } from './layout.ts';
import { type Amount, isNear, toAmount } from './money.ts';

/** What an invoice states at one rate of tax. */
export interface RateLine {
  readonly rate: Rational;
  readonly net?: Amount;
  readonly tax?: Amount;
  readonly gross?: Amount;
  /** Whether the net amount is stated for this rate, and not the invoice's only one. */
  readonly hasOwnNet: boolean;
}

interface Totals {
  readonly net?: Amount;
  readonly tax?: Amount;
  readonly gross?: Amount;
}

const atRate = /^[ ]?(?:at|@|zu|mit|a|al|ad|til|med|tegen|po|till|z|con)[ ]?$/;

/** "112.00 at 0%; 70.00 at 20%, VAT 14.00": nets that sum up to the invoice's, with taxes that sum up to its tax. */
export function ratesInSentences(layout: Layout, from: number, to: number, totals: Totals): RateLine[] {
  const { net, tax } = totals;
  if (net === undefined || tax === undefined) return [];
  const found: { net: Amount; rate: Rational; tax?: Amount }[] = [];
  for (const line of layout.lines.slice(from, to)) {
    for (const segment of line.segments) {
      const numbers = numbersIn(layout, segment);
      for (const [index, number] of numbers.entries()) {
        const own = netBefore(number, numbers[index - 1], segment);
        if (own === undefined) continue;
        const next = numbers[index + 1];
        const due = next === undefined || next.percent !== undefined ? undefined : toAmount(next);
        const isTax = due !== undefined && isNear(due.value, taxOf(own.net.value, own.rate), rational(6n, 100n));
        found.push({ ...own, ...(isTax ? { tax: due } : {}) });
      }
    }
  }
  const taxes = found.map(({ net: base, rate, tax: own }) => own?.value ?? taxOf(base.value, rate));
  const fits =
    found.length > 1 &&
    isNear(sum(found.map(({ net: base }) => base.value)), net.value) &&
    isNear(sum(taxes), tax.value, rational(6n, 100n));
  return fits ? found.map((line) => ({ ...line, hasOwnNet: true })) : [];
}

function netBefore(
  number: SegmentNumber,
  before: SegmentNumber | undefined,
  { folded, start }: { readonly folded: string; readonly start: number },
): { readonly net: Amount; readonly rate: Rational } | undefined {
  if (number.percent === undefined || before === undefined || before.percent !== undefined) return undefined;
  const rate = toRate(number.percent.value);
  const net = toAmount(before);
  return rate !== undefined && net !== undefined && atRate.test(folded.slice(before.end - start, number.start - start))
    ? { net, rate }
    : undefined;
}

function taxOf(net: Rational, rate: Rational): Rational {
  return divide(multiply(net, rate), rational(100n));
}

/** Sums of all rates where the invoice prints no net or tax of its own, if they make its total. */
export function withTotalsOfRates(totals: Totals, rates: readonly RateLine[]): Totals {
  if (rates.length === 0 || (totals.net !== undefined && totals.tax !== undefined)) return totals;
  const of = (name: 'net' | 'tax' | 'gross') => {
    const amounts = rates.flatMap((line) => line[name] ?? []);
    if (amounts.length < rates.length) return undefined;
    return { value: sum(amounts.map(({ value }) => value)), start: amounts[0]!.start, end: amounts.at(-1)!.end };
  };
  const [net, tax] = [of('net'), of('tax')];
  if (net === undefined || tax === undefined || !rates.every(({ hasOwnNet }) => hasOwnNet)) return totals;
  const whole = sum([net.value, tax.value]);
  const own = of('gross');
  const gross = totals.gross ?? own;
  if (gross === undefined) return totals;
  if (isNear(gross.value, whole)) return { ...totals, net: totals.net ?? net, tax: totals.tax ?? tax, gross };
  // "To be refunded: 221.40" of a correction of −221.40.
  const isRefund =
    own !== undefined && isNear(own.value, whole) && compare(absolute(whole), absolute(gross.value)) === 0;
  return isRefund ? { net: totals.net ?? net, tax: totals.tax ?? tax, gross: own } : totals;
}

/** An amount printed above the tax that makes the total with it, where no label says that it is the net amount. */
export function withPrintedNet(layout: Layout, from: number, to: number, totals: Totals): Totals {
  const { net, tax, gross } = totals;
  if (net !== undefined || tax === undefined || gross === undefined) return totals;
  const wanted = subtract(gross.value, tax.value);
  for (const line of layout.lines.slice(from, to)) {
    if (line.start > tax.start) break;
    for (const segment of line.segments) {
      for (const number of numbersIn(layout, segment)) {
        const isMoney = /[.,]\d\d$/.test(segment.text.slice(0, number.end - segment.start));
        const amount =
          !isMoney || number.percent !== undefined || number.start >= tax.start ? undefined : toAmount(number);
        if (amount !== undefined && compare(amount.value, wanted) === 0) return { ...totals, net: amount };
      }
    }
  }
  return totals;
}

/** One line per rate and amounts; what one line leaves out is taken from another. */
export function uniqueRates(lines: readonly RateLine[]): RateLine[] {
  const kept: RateLine[] = [];
  for (const line of lines) {
    const same = kept.findIndex(
      ({ rate, net, tax }) =>
        compare(rate, line.rate) === 0 &&
        (net === undefined || line.net === undefined || isNear(net.value, line.net.value)) &&
        (tax === undefined || line.tax === undefined || isNear(tax.value, line.tax.value)),
    );
    if (same === -1) kept.push(line);
    else kept[same] = { ...line, ...kept[same]! };
  }
  return kept;
}
