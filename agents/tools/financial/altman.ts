/**
 * Altman's Z in its three published forms.
 * @see E. I. Altman, "Financial Ratios, Discriminant Analysis and the Prediction of Corporate Bankruptcy", Journal of Finance
 *   23 (1968) 589–609, for Z; E. I. Altman, "Corporate Financial Distress" (1983), for Z′; Altman, Hartzell and Peck, "Emerging
 *   Markets Corporate Bonds: A Scoring System" (1995), for Z″ (without that paper's constant of 3.25, as for developed markets)
 */
import type { LineItem } from './line-items.ts';
import { monthsOf } from './periods.ts';
import { add, compare, decimal, divide, isZero, multiply, type Rational, subtract, toFixed, zero } from './rational.ts';
import { takeInputs } from './ratios.ts';
import type { Statements } from './statements.ts';

export interface AltmanModel {
  readonly id: 'z' | 'z_prime' | 'z_double_prime';
  readonly for: string;
  readonly formula: string;
  /** Of X1…X5. */
  readonly weights: readonly string[];
  /** Below the first: distress. Above the second: safe. Between them: grey zone. */
  readonly bounds: readonly [string, string];
  /** The numerator of X4, whose denominator is total liabilities. */
  readonly equityItem: LineItem;
}

export const altmanModels: readonly AltmanModel[] = [
  {
    id: 'z',
    for: 'listed manufacturers',
    formula: '1.2·X1 + 1.4·X2 + 3.3·X3 + 0.6·X4 + 1.0·X5, X4 = market_cap / total_liabilities',
    weights: ['1.2', '1.4', '3.3', '0.6', '1.0'],
    bounds: ['1.81', '2.99'],
    equityItem: 'market_cap',
  },
  {
    id: 'z_prime',
    for: 'unlisted manufacturers',
    formula: '0.717·X1 + 0.847·X2 + 3.107·X3 + 0.420·X4 + 0.998·X5, X4 = equity / total_liabilities',
    weights: ['0.717', '0.847', '3.107', '0.420', '0.998'],
    bounds: ['1.23', '2.90'],
    equityItem: 'equity',
  },
  {
    id: 'z_double_prime',
    for: 'non-manufacturers',
    formula: '6.56·X1 + 3.26·X2 + 6.72·X3 + 1.05·X4, X4 = equity / total_liabilities',
    weights: ['6.56', '3.26', '6.72', '1.05'],
    bounds: ['1.10', '2.60'],
    equityItem: 'equity',
  },
];

export type AltmanScore =
  | {
      readonly value: string;
      readonly zone: 'distress' | 'grey' | 'safe';
      /** X1…X5 with four places. */
      readonly ratios: readonly string[];
      readonly inputs: Readonly<Record<string, string>>;
      readonly notes: readonly string[];
    }
  | { readonly not_computable: string };

/** The weighted sum and its zone. @param ratios X1…X4 or X1…X5, as many as the model has weights */
export function altmanScore(
  model: AltmanModel,
  ratios: readonly Rational[],
): { score: Rational; zone: 'distress' | 'grey' | 'safe' } {
  const score = model.weights.map((weight, index) => multiply(decimal(weight), ratios[index]!)).reduce(add, zero);
  const [low, high] = model.bounds;
  const zone = compare(score, decimal(low)) < 0 ? 'distress' : compare(score, decimal(high)) > 0 ? 'safe' : 'grey';
  return { score, zone };
}

/** X1 working capital, X2 retained earnings, X3 EBIT and X5 revenue to total assets; X4 equity to total liabilities. */
export function altmanOf(statements: Statements, model: AltmanModel, period: string): AltmanScore {
  if (monthsOf(period) < 12)
    return { not_computable: `${period} covers ${monthsOf(period)} months: the score needs a full year` };
  const needs: readonly LineItem[] = [
    'current_assets',
    'current_liabilities',
    'retained_earnings',
    'ebit',
    model.equityItem,
    'total_liabilities',
    'total_assets',
    ...(model.weights.length === 5 ? (['revenue'] as const) : []),
  ];
  const taken = takeInputs(statements, needs, period);
  if ('missing' in taken) return { not_computable: `${taken.missing.join(', ')} missing` };
  const [assetsNow, dueNow, retained, ebit, equity, liabilities, assets, revenue] = taken.values as Rational[];
  if (isZero(assets!) || isZero(liabilities!)) return { not_computable: 'a denominator is 0' };
  const ratios = [
    divide(subtract(assetsNow!, dueNow!), assets!),
    divide(retained!, assets!),
    divide(ebit!, assets!),
    divide(equity!, liabilities!),
    ...(revenue === undefined ? [] : [divide(revenue, assets!)]),
  ];
  const { score, zone } = altmanScore(model, ratios);
  return {
    value: toFixed(score, 2),
    zone,
    ratios: ratios.map((ratio) => toFixed(ratio, 4)),
    inputs: taken.inputs,
    notes: taken.notes,
  };
}
