/** Checks whether printed totals agree with their printed parts, like an auditor's tie-out. */
import type { LineItem } from './line-items.ts';
import { absolute, compare, multiply, negate, type Rational, rational, subtract, sum, toText } from './rational.ts';
import type { Statements } from './statements.ts';

export interface Check {
  readonly rule: string;
  readonly period: string;
  readonly agrees: boolean;
  readonly total: string;
  readonly parts: string;
  readonly difference: string;
}

interface Rule {
  readonly total: LineItem;
  readonly parts: readonly (readonly [1 | -1, LineItem])[];
}

const rules: readonly Rule[] = [
  { total: 'total_assets', parts: [[1, 'total_liabilities_and_equity']] },
  {
    total: 'total_assets',
    parts: [
      [1, 'total_liabilities'],
      [1, 'equity'],
    ],
  },
  {
    total: 'total_liabilities_and_equity',
    parts: [
      [1, 'total_liabilities'],
      [1, 'equity'],
    ],
  },
  {
    total: 'total_assets',
    parts: [
      [1, 'current_assets'],
      [1, 'non_current_assets'],
    ],
  },
  {
    total: 'total_liabilities',
    parts: [
      [1, 'current_liabilities'],
      [1, 'non_current_liabilities'],
    ],
  },
  {
    total: 'total_assets',
    parts: [
      [1, 'current_liabilities'],
      [1, 'non_current_liabilities'],
      [1, 'equity'],
    ],
  },
  {
    total: 'gross_profit',
    parts: [
      [1, 'revenue'],
      [-1, 'cost_of_sales'],
    ],
  },
  {
    total: 'net_income',
    parts: [
      [1, 'pre_tax_income'],
      [-1, 'income_tax'],
    ],
  },
];

/** Differences up to this many units of the printed scale count as rounding. */
const roundingUnitsMax = 2n;

/**
 * Every rule whose items are all printed, for every period. Rounding differences agree. A rule that fails in all of several
 * periods does not match the layout of the statements and is ignored.
 */
export function checkConsistency(statements: Statements): Check[] {
  const zeros = statements.zeros.length === 0 ? 0 : Math.max(...statements.zeros);
  const tolerance = rational(roundingUnitsMax * 10n ** BigInt(zeros));
  const isDivided = statements.readings.some(({ document }) => discontinued.test(document.text));
  return rules
    .filter(({ total }) => total !== 'net_income' || !isDivided)
    .flatMap((rule) => {
      const checks = statements.periods.flatMap((period) => checkOf(rule, period, statements, tolerance));
      const isFitting = checks.length < 2 || checks.some(({ agrees }) => agrees);
      return isFitting ? checks : [];
    })
    .sort((a, b) => statements.periods.indexOf(a.period) - statements.periods.indexOf(b.period));
}

/** The result of discontinued operations is between profit before tax and net income. */
const discontinued =
  /discontinued operations|(?:aufgegebene|eingestellte)\p{L}* (?:gesch[äa]ft|betrieb|bereich)|activit[ée]s abandonn[ée]es|operaciones interrumpidas|attivit[àa] (?:operative )?cessate|be[ëe]indigde (?:activiteiten|bedrijfs)/iu;

function checkOf({ total, parts }: Rule, period: string, statements: Statements, tolerance: Rational): Check[] {
  const value = (item: LineItem) => printedValue(statements, item, period);
  const printed = value(total);
  const values = parts.map(([sign, item]) => signed(sign, value(item)));
  if (printed === undefined || values.some((each) => each === undefined)) return [];
  // German and French balance sheets print provisions and deferrals next to the liabilities.
  const isApart = value('provisions') !== undefined && value('current_liabilities') === undefined;
  const sumsLiabilities = parts.some(([, item]) => item === 'total_liabilities');
  if (sumsLiabilities && (isApart || (total === 'total_assets' && value('total_liabilities_and_equity') !== undefined)))
    return [];
  const together = sum(values as Rational[]);
  const difference = subtract(printed, together);
  const rule = `${total} = ${parts.map(([sign, item], index) => `${index === 0 ? '' : sign === 1 ? ' + ' : ' − '}${item}`).join('')}`;
  return [
    {
      rule,
      period,
      agrees: compare(absolute(difference), tolerance) <= 0,
      total: toText(printed),
      parts: toText(together),
      difference: toText(difference),
    },
  ];
}

function printedValue(statements: Statements, item: LineItem, period: string): Rational | undefined {
  return statements.figures.get(item)?.get(period)?.value;
}

function signed(sign: 1 | -1, value: Rational | undefined): Rational | undefined {
  return value === undefined || sign === 1 ? value : negate(value);
}

/** A greater factor between revenue and total assets suggests that they were printed in different units. */
const unitFactorMax = rational(500n);

/** A period whose statements seem to be in different units, or undefined. */
export function unitDoubt(statements: Statements): string | undefined {
  return statements.periods.find((period) => {
    const revenue = printedValue(statements, 'revenue', period);
    const assets = printedValue(statements, 'total_assets', period);
    if (revenue === undefined || assets === undefined || revenue.numerator <= 0n || assets.numerator <= 0n)
      return false;
    return (
      compare(revenue, multiply(assets, unitFactorMax)) > 0 || compare(assets, multiply(revenue, unitFactorMax)) > 0
    );
  });
}
