/**
 * The jurisdictional top-up tax of the GloBE rules (Pillar Two). Pure arithmetic on figures already determined under the rules;
 * it decides neither what is covered nor what is income.
 * @see OECD, Tax Challenges Arising from the Digitalisation of the Economy: Global Anti-Base Erosion Model Rules (2021),
 *   articles 5.1–5.5 and 9.2; Council Directive (EU) 2022/2523, articles 26–30 and 48
 */
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  type Rational,
  rational,
  subtract,
  sum,
  zero,
} from '../financial/rational.ts';

export interface JurisdictionInput {
  readonly fiscalYear: number;
  /** Net GloBE income (article 5.1.2); losses negative. */
  readonly income: Rational;
  /** Sum of adjusted covered taxes (article 4.1). */
  readonly coveredTaxes: Rational;
  /** Eligible payroll costs and eligible tangible assets, mean of opening and closing carrying value (article 5.3). */
  readonly payroll?: Rational;
  readonly tangibleAssets?: Rational;
  /** Article 5.4.1. */
  readonly additionalTopUp?: Rational;
  /** Qualified domestic minimum top-up tax payable (article 5.2.3 (d)). */
  readonly domesticTopUp?: Rational;
  /** Averages over the year and the two before, in EUR (article 5.5.1). */
  readonly averageRevenue?: Rational;
  readonly averageIncome?: Rational;
}

export interface TopUp {
  /** Absent if income is not above 0, because no rate is computed then. */
  readonly effectiveRate?: Rational;
  readonly topUpRate: Rational;
  readonly payrollRate: Rational;
  readonly tangibleRate: Rational;
  readonly payrollCarveOut: Rational;
  readonly tangibleCarveOut: Rational;
  readonly substanceExclusion: Rational;
  readonly excessProfit: Rational;
  readonly topUpTax: Rational;
  /** True only if both averages are known and below the limits of EUR 10 million and EUR 1 million. */
  readonly deMinimis: boolean | undefined;
  readonly notes: readonly string[];
}

/** Article 9.2.1 and 9.2.2 (Directive article 48): tenths of a percent by fiscal year beginning in it; 5 % from 2033. */
const carveOutRates: ReadonlyMap<number, readonly [payroll: number, tangible: number]> = new Map([
  [2023, [100, 80]],
  [2024, [98, 78]],
  [2025, [96, 76]],
  [2026, [94, 74]],
  [2027, [92, 72]],
  [2028, [90, 70]],
  [2029, [82, 66]],
  [2030, [74, 62]],
  [2031, [66, 58]],
  [2032, [58, 54]],
]);

export const minimumRate = rational(15n, 100n);

/** Rates of the substance-based income exclusion. @returns undefined before 2023, when the rules were not yet in force */
export function carveOutRatesOf(fiscalYear: number): { payroll: Rational; tangible: Rational } | undefined {
  if (fiscalYear < 2023) return undefined;
  const [payroll, tangible] = carveOutRates.get(fiscalYear) ?? [50, 50];
  return { payroll: rational(BigInt(payroll), 1000n), tangible: rational(BigInt(tangible), 1000n) };
}

/** Top-up tax = max(0, 15 % − ETR) × max(0, income − exclusion) + additional top-up − domestic top-up, not below 0. */
export function computeTopUp(input: JurisdictionInput): TopUp {
  const notes: string[] = [];
  const rates = carveOutRatesOf(input.fiscalYear);
  if (rates === undefined) notes.push('carve-out rates exist only from 2023: none applied');
  if (input.payroll === undefined) notes.push('eligible payroll missing: counted as 0');
  if (input.tangibleAssets === undefined) notes.push('eligible tangible assets missing: counted as 0');
  const payrollRate = rates?.payroll ?? zero;
  const tangibleRate = rates?.tangible ?? zero;
  const payrollCarveOut = multiply(input.payroll ?? zero, payrollRate);
  const tangibleCarveOut = multiply(input.tangibleAssets ?? zero, tangibleRate);
  const substanceExclusion = add(payrollCarveOut, tangibleCarveOut);
  const hasIncome = compare(input.income, zero) > 0;
  if (!hasIncome)
    notes.push('no net GloBE income: no rate and no top-up under article 5.2 (article 4.1.5 may still apply)');
  const effectiveRate = hasIncome ? divide(input.coveredTaxes, input.income) : undefined;
  const topUpRate = effectiveRate === undefined ? zero : positive(subtract(minimumRate, effectiveRate));
  const excessProfit = positive(subtract(input.income, substanceExclusion));
  const deMinimis = isDeMinimis(input);
  const additions = [input.additionalTopUp ?? zero, negate(input.domesticTopUp ?? zero)];
  const computed = positive(sum([multiply(topUpRate, excessProfit), ...additions]));
  if (deMinimis) notes.push('de minimis exclusion: top-up tax deemed 0 if elected (article 5.5)');
  return {
    ...(effectiveRate === undefined ? {} : { effectiveRate }),
    topUpRate,
    payrollRate,
    tangibleRate,
    payrollCarveOut,
    tangibleCarveOut,
    substanceExclusion,
    excessProfit,
    topUpTax: computed,
    deMinimis,
    notes,
  };
}

const revenueLimit = rational(10_000_000n);
const incomeLimit = rational(1_000_000n);

function isDeMinimis({ averageRevenue, averageIncome }: JurisdictionInput): boolean | undefined {
  if (averageRevenue === undefined || averageIncome === undefined) return undefined;
  return compare(averageRevenue, revenueLimit) < 0 && compare(averageIncome, incomeLimit) < 0;
}

function positive(value: Rational): Rational {
  return compare(value, zero) > 0 ? value : zero;
}
