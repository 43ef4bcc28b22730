/**
 * Computes the conversion of convertible instruments in a priced round. Exact until the last step: shares are rounded down to
 * whole ones, as the instruments' forms require, prices half to even to four places, and ownership to two.
 */
import { type Decimal, formatDecimal } from '../text/decimal.ts';
import {
  type Fraction,
  fraction,
  fromDecimal,
  isAbove,
  minus,
  over,
  plus,
  times,
  toDecimal,
  wholePart,
} from './fraction.ts';

export interface Instrument {
  readonly holder: string;
  /** A note's principal with its interest up to conversion. */
  readonly amount: Decimal;
  readonly cap?: Decimal;
  /** `post`: the cap includes all converting securities (post-money SAFE). `pre`: the cap applies to the company before them. */
  readonly capBasis: 'post' | 'pre';
  /** A percentage below 100. */
  readonly discountPercent?: Decimal;
}

export interface Round {
  /** Shares and all rights to shares before any conversion, including the unissued pool. */
  readonly fullyDiluted: bigint;
  /** The part of these that is unissued pool. */
  readonly unissuedPool: bigint;
  readonly preMoney: Decimal;
  readonly newMoney: Decimal;
  /** Unissued pool after the round, in percent of all shares after it; the pool is increased before the new investment. */
  readonly poolPercent?: Decimal;
  readonly instruments: readonly Instrument[];
}

export interface ConvertedShares {
  readonly holder: string;
  readonly by: 'cap' | 'discount' | 'round price';
  readonly price: string;
  readonly shares: string;
  readonly ownershipPercent: string;
}

export interface RoundResult {
  readonly price: string;
  readonly converted: readonly ConvertedShares[];
  readonly poolIncrease: string;
  readonly newShares: string;
  readonly fullyDilutedAfter: string;
  readonly newInvestorsPercent: string;
  readonly unissuedPoolPercent: string;
  readonly earlierHoldersPercent: string;
}

/**
 * With N existing shares, u = 1/price, F the sum of amount/cap over post-money caps, K the shares of pre-money caps
 * (amount·N/cap), a the sum of amount/(1 − discount) over the others, p the target share of the pool and E the unissued pool:
 * the company before the round has C = (N + K + a·u)/(1 − F) shares, the pool grows by p·(V + I)·u − E, and V·u is the sum of
 * both. Therefore u = ((N + K)/(1 − F) − E) / (V − a/(1 − F) − p·(V + I)), without E and p if the pool need not grow. Each
 * holder converts at the lower of cap price and discount price.
 * @returns an error text if the terms leave no value for the existing holders
 * @see Y Combinator, Post-Money Safe (version 1.2), section 1(a) and "Company Capitalization", "Safe Price", "Discount Price"
 */
export function convertRound(round: Round): RoundResult | { readonly error: string } {
  const { instruments } = round;
  if (round.fullyDiluted <= 0n || round.preMoney.units <= 0n)
    return { error: 'shares and pre-money valuation must be above zero' };
  let byCap = instruments.map(({ cap }) => cap !== undefined && cap.units > 0n);
  // Each iteration moves holders from the cap to a better discount and never back, so the loop ends.
  for (let turn = 0; turn <= instruments.length; turn += 1) {
    const priced = priceRound(round, byCap);
    if ('error' in priced) return priced;
    const next = instruments.map((instrument, index) => {
      const better = over(discountFactor(instrument), priced.perUnit);
      return byCap[index]! && !isAbove(capPrice(instrument, priced), better);
    });
    if (next.every((value, index) => value === byCap[index])) return report(round, byCap, priced);
    byCap = next;
  }
  return { error: 'the conversions of these terms do not converge' };
}

interface Priced {
  /** Shares per unit of money: 1 / price. */
  readonly perUnit: Fraction;
  /** Shares of the company before the round with everything converted, without the pool increase. */
  readonly capitalization: Fraction;
  readonly poolIncrease: Fraction;
  readonly before: Fraction;
}

const one = fraction(1n);
const zero = fraction(0n);

function priceRound(round: Round, byCap: readonly boolean[]): Priced | { readonly error: string } {
  const before = fraction(round.fullyDiluted);
  let postCaps = zero;
  let preCapShares = zero;
  let discounted = zero;
  round.instruments.forEach((instrument, index) => {
    const amount = fromDecimal(instrument.amount);
    if (!byCap[index]) discounted = plus(discounted, over(amount, discountFactor(instrument)));
    else if (instrument.capBasis === 'post') postCaps = plus(postCaps, over(amount, fromDecimal(instrument.cap!)));
    else preCapShares = plus(preCapShares, times(before, over(amount, fromDecimal(instrument.cap!))));
  });
  if (!isAbove(one, postCaps)) return { error: 'the post-money caps together convert into the whole company or more' };
  const left = minus(one, postCaps);
  const fixed = over(plus(before, preCapShares), left);
  const moving = over(discounted, left);
  const preMoney = fromDecimal(round.preMoney);
  const pool = fraction(round.unissuedPool);
  const poolPart = times(
    over(fromDecimal(round.poolPercent ?? { units: 0n, scale: 0 }), fraction(100n)),
    plus(preMoney, fromDecimal(round.newMoney)),
  );
  let perUnit = solve(minus(fixed, pool), minus(minus(preMoney, moving), poolPart));
  let poolIncrease = perUnit === undefined ? zero : minus(times(poolPart, perUnit), pool);
  if (perUnit === undefined && round.poolPercent !== undefined)
    return { error: 'the option pool and the conversions leave no value for the existing holders' };
  if (round.poolPercent === undefined || !isAbove(poolIncrease, zero)) {
    perUnit = solve(fixed, minus(preMoney, moving));
    poolIncrease = zero;
  }
  if (perUnit === undefined) return { error: 'the conversions leave no value for the existing holders' };
  return { perUnit, capitalization: plus(fixed, times(moving, perUnit)), poolIncrease, before };
}

function solve(top: Fraction, bottom: Fraction): Fraction | undefined {
  return isAbove(bottom, zero) && isAbove(top, zero) ? over(top, bottom) : undefined;
}

function discountFactor({ discountPercent }: Instrument): Fraction {
  return minus(one, over(fromDecimal(discountPercent ?? { units: 0n, scale: 0 }), fraction(100n)));
}

function capPrice({ cap, capBasis }: Instrument, { capitalization, before }: Priced): Fraction {
  return over(fromDecimal(cap ?? { units: 1n, scale: 0 }), capBasis === 'post' ? capitalization : before);
}

function report(round: Round, byCap: readonly boolean[], priced: Priced): RoundResult {
  const { perUnit, poolIncrease } = priced;
  const price = over(one, perUnit);
  const prices = round.instruments.map((instrument, index) =>
    byCap[index] ? capPrice(instrument, priced) : times(price, discountFactor(instrument)),
  );
  const shares = round.instruments.map(({ amount }, index) => wholePart(over(fromDecimal(amount), prices[index]!)));
  const newShares = wholePart(times(fromDecimal(round.newMoney), perUnit));
  const grown = wholePart(poolIncrease);
  const total = round.fullyDiluted + grown + newShares + shares.reduce((sum, each) => sum + each, 0n);
  const percent = (part: bigint) => formatDecimal(toDecimal(fraction(part * 100n, total), 2));
  return {
    price: formatDecimal(toDecimal(price, 4)),
    converted: round.instruments.map((instrument, index) => ({
      holder: instrument.holder,
      by: byCap[index] ? 'cap' : instrument.discountPercent === undefined ? 'round price' : 'discount',
      price: formatDecimal(toDecimal(prices[index]!, 4)),
      shares: String(shares[index]!),
      ownershipPercent: percent(shares[index]!),
    })),
    poolIncrease: String(grown),
    newShares: String(newShares),
    fullyDilutedAfter: String(total),
    newInvestorsPercent: percent(newShares),
    unissuedPoolPercent: percent(round.unissuedPool + grown),
    earlierHoldersPercent: percent(round.fullyDiluted - round.unissuedPool),
  };
}
