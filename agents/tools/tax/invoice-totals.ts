/** Decides which printed amounts are net, tax and gross of an invoice: those of which net and tax make the gross amount. */
import {
  absolute,
  compare,
  divide,
  isZero,
  multiply,
  type Rational,
  rational,
  subtract,
  sum,
  zero,
} from '../financial/rational.ts';
import type { AmountRole } from './amount-words.ts';
import type { RateLine } from './invoice-rates.ts';
import type { ItemRow } from './invoice-tables.ts';
import { type Amount, isNear } from './money.ts';

export interface Totals {
  readonly net?: Amount;
  readonly tax?: Amount;
  readonly gross?: Amount;
}

/** A labelled amount that may be one of the totals. */
export interface Candidate {
  readonly role: AmountRole;
  readonly amount: Amount;
}

/** Number of labelled amounts that are compared with each other; an invoice has fewer. */
const candidatesMax = 24;

/** No tax on supplies in Europe is higher. */
const rateMax = rational(30n, 100n);

/** Differences from rounding the taxes of several items. */
const roundingMax = rational(6n, 100n);

/**
 * Totals that contradict each other are replaced by labelled amounts that agree. A contradiction of more than a fifth without
 * such amounts is more likely a misread label than an error of the author: then the gross amount alone remains.
 */
export function settledTotals(totals: Totals, candidates: readonly Candidate[], rates: readonly RateLine[]): Totals {
  const { net, tax, gross } = totals;
  // No tax at all is the sum of an invoice only if its net amount shows it; else it is the tax of one line.
  if (net === undefined && gross !== undefined && tax !== undefined && isZero(tax.value)) return { gross };
  if (net === undefined || gross === undefined || agree(net, tax ?? taxOfRates(rates), gross)) return totals;
  if (tax === undefined && rates.length === 0) return totals;
  const found = agreeing(totals, candidates.slice(-candidatesMax), rates);
  if (found !== undefined) return found;
  const correct = sum([net.value, (tax ?? taxOfRates(rates))?.value ?? zero]);
  const isOfRate =
    tax !== undefined &&
    rates.some(({ rate }) => !isZero(rate) && isNear(tax.value, percentOf(net.value, rate), roundingMax));
  if (isOfRate) return totals;
  const isMisread =
    compare(absolute(subtract(gross.value, correct)), absolute(divide(correct, rational(5n)))) > 0 ||
    (tax !== undefined && !isZero(tax.value) && compare(net.value, gross.value) === 0);
  return isMisread ? { gross } : totals;
}

const percentOf = (net: Rational, rate: Rational): Rational => divide(multiply(net, rate), rational(100n));

function agree(net: Amount, tax: Amount | undefined, gross: Amount): boolean {
  return isNear(sum([net.value, tax?.value ?? zero]), gross.value, roundingMax);
}

function taxOfRates(rates: readonly RateLine[]): Amount | undefined {
  const taxes = rates.flatMap(({ tax }) => tax ?? []);
  const [first] = taxes;
  return first === undefined || taxes.length < rates.length
    ? undefined
    : { value: sum(taxes.map(({ value }) => value)), start: first.start, end: taxes.at(-1)!.end };
}

/** The agreeing triple with the greatest gross amount: it contains the others. */
function agreeing(totals: Totals, candidates: readonly Candidate[], rates: readonly RateLine[]): Totals | undefined {
  const of = (...roles: readonly AmountRole[]) =>
    candidates.flatMap(({ role, amount }) => (roles.includes(role) ? [amount] : []));
  const taxes = [totals.tax, taxOfRates(rates), ...of('tax')].filter((tax) => tax !== undefined);
  const nets = [...new Set([totals.net!, ...of('net', 'gross')])];
  const whole = [...new Set([totals.gross!, ...of('gross', 'due', 'net')])];
  let best: Required<Totals> | undefined;
  for (const tax of taxes) {
    if (isZero(tax.value)) continue;
    for (const net of nets) {
      if (!isTaxOf(tax.value, net.value)) continue;
      const gross = whole.find((each) => each !== net && each !== tax && agree(net, tax, each));
      if (gross !== undefined && (best === undefined || compare(gross.value, best.gross.value) > 0))
        best = { net, tax, gross };
    }
  }
  return best;
}

function isTaxOf(tax: Rational, net: Rational): boolean {
  return compare(absolute(tax), absolute(multiply(net, rateMax))) <= 0;
}

/**
 * Lines of rates that the arithmetic supports: the tax of a line follows from its net amount up to a fifth, and its gross amount
 * is not below the net amount. What does not fit is left out of the line.
 */
export function soundRates(all: readonly RateLine[], { net, gross }: Totals): RateLine[] {
  const rates = all.filter(
    (line) => line.tax !== undefined || !all.some((other) => other !== line && contradicts(other, line)),
  );
  return rates.flatMap((line): RateLine[] => {
    const { rate, hasOwnNet } = line;
    const kept = withoutFalseGross(line);
    if (kept.net === undefined) return [kept];
    if (kept.tax !== undefined) {
      const due = percentOf(kept.net.value, rate);
      const difference = absolute(subtract(kept.tax.value, due));
      const isClose =
        compare(difference, roundingMax) <= 0 || compare(difference, absolute(divide(due, rational(5n)))) <= 0;
      if (isClose || !isZero(kept.net.value)) return [isClose ? kept : withoutNet(kept)];
    }
    // The whole of an invoice that includes tax is no net amount of a taxed line.
    const isWhole =
      !hasOwnNet && gross !== undefined && net === undefined && compare(kept.net.value, gross.value) === 0;
    return [isWhole && !isZero(rate) ? withoutNet(kept) : kept];
  });
}

/** Two net amounts of one rate: a line without its tax proves neither. */
function contradicts(one: RateLine, other: RateLine): boolean {
  if (compare(one.rate, other.rate) !== 0 || one.net === undefined || other.net === undefined) return false;
  return !isNear(one.net.value, other.net.value);
}

function withoutNet({ net: _, ...line }: RateLine): RateLine {
  return { ...line, hasOwnNet: false };
}

function withoutFalseGross(line: RateLine): RateLine {
  const { gross, ...rest } = line;
  if (gross === undefined || line.net === undefined) return line;
  const isSound = compare(absolute(gross.value), absolute(line.net.value)) >= 0;
  return isSound ? line : rest;
}

/** Net amounts by rate as the sums of the items at that rate, where they make up the invoice's net and the printed taxes. */
export function netsOfItems(
  rates: readonly RateLine[],
  items: readonly ItemRow[],
  net: Amount | undefined,
): readonly RateLine[] {
  if (net === undefined || rates.length === 0 || rates.some((line) => line.net !== undefined)) return rates;
  const priced = items.filter(({ amount, rate }) => amount !== undefined && rate !== undefined);
  if (priced.length === 0 || priced.length < items.length) return rates;
  if (!isNear(sum(priced.map(({ amount }) => amount!.value)), net.value)) return rates;
  const lines = rates.map((line): RateLine | undefined => {
    const own = priced.filter(({ rate }) => compare(rate!, line.rate) === 0).map(({ amount }) => amount!);
    if (own.length === 0) return undefined;
    const value = sum(own.map((amount) => amount.value));
    const due = percentOf(value, line.rate);
    return line.tax === undefined || isNear(line.tax.value, due, roundingMax)
      ? { ...line, net: { value, start: own[0]!.start, end: own.at(-1)!.end }, hasOwnNet: true }
      : undefined;
  });
  return lines.every((line) => line !== undefined) ? lines : rates;
}

/** Net and tax by rate as the sums of items that print both, where they make up the invoice's totals. */
export function ratesOfItems(items: readonly ItemRow[], { net, tax }: Totals): RateLine[] {
  const full = items.flatMap(({ rate, amount, tax: own }) =>
    rate === undefined || amount === undefined || own === undefined ? [] : [{ rate, net: amount, tax: own }],
  );
  if (net === undefined || tax === undefined || full.length === 0 || full.length < items.length) return [];
  const totalOf = (list: readonly Amount[]): Amount => ({
    value: sum(list.map(({ value }) => value)),
    start: list[0]!.start,
    end: list.at(-1)!.end,
  });
  const isWhole =
    isNear(totalOf(full.map((item) => item.net)).value, net.value) &&
    isNear(totalOf(full.map((item) => item.tax)).value, tax.value, roundingMax);
  if (!isWhole) return [];
  const rates = full.filter(({ rate }, index) => full.findIndex((other) => compare(other.rate, rate) === 0) === index);
  return rates.map(({ rate }): RateLine => {
    const own = full.filter((item) => compare(item.rate, rate) === 0);
    return {
      rate,
      net: totalOf(own.map((item) => item.net)),
      tax: totalOf(own.map((item) => item.tax)),
      hasOwnNet: true,
    };
  });
}

/** A rate that took over a net amount of the invoice that proved wrong gives it up. */
export function settledRates(rates: readonly RateLine[], read: Totals, { net }: Totals): readonly RateLine[] {
  if (read.net === undefined || read.net === net) return rates;
  return rates.map((line) => {
    if (line.hasOwnNet || line.net !== read.net) return line;
    const { net: _, ...rest } = line;
    return rest;
  });
}

/** One rate alone: the net amount of the invoice is what it is charged on. */
export function withNetOfInvoice(rates: readonly RateLine[], net: Amount | undefined): readonly RateLine[] {
  const [only, ...more] = rates;
  return only === undefined || more.length > 0 || only.net !== undefined || net === undefined
    ? rates
    : [{ ...only, net }];
}
