/** Figures of a document that contradict each other by more than rounding, each with the expected value. */
import type { Span } from '../text/span.ts';
import { checkConsistency } from './consistency.ts';
import { readCovenants } from './covenants.ts';
import type { DocumentReading } from './document-reading.ts';
import { fiscalMonthOf } from './fiscal-year.ts';
import type { LineItem } from './line-items.ts';
import { endOfLabel, monthsOf } from './periods.ts';
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
  toFixed,
  toText,
} from './rational.ts';
import { readRestatements } from './restatements.ts';
import { readSegments } from './segments.ts';
import { statedRatios } from './stated-ratios.ts';
import type { Figure, Statements } from './statements.ts';
import { tableSubtotals } from './subtotals.ts';

export interface TieOutFailure {
  readonly check:
    | 'balance-sheet-equation'
    | 'subtotal'
    | 'cross-statement'
    | 'cash-reconciliation'
    | 'segment-total'
    | 'debits-credits'
    | 'stated-ratio';
  /** What disagrees, for a reader. */
  readonly what: string;
  readonly period?: string;
  readonly stated: string;
  readonly correct: string;
  readonly severity: 'critical' | 'high' | 'medium';
  readonly span?: Span;
}

const failuresMax = 40;

export function tieOutFailures(statements: Statements): TieOutFailure[] {
  const found = [
    ...ruleFailures(statements),
    ...cashFailures(statements),
    ...crossFailures(statements),
    ...statements.readings.flatMap((reading) => documentFailures(reading, statements)),
  ];
  const seen = new Set<string>();
  return found
    .filter(({ check, period, stated, correct }) => {
      const key = `${check}|${period}|${stated}|${correct}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, failuresMax);
}

function ruleFailures(statements: Statements): TieOutFailure[] {
  return checkConsistency(statements)
    .filter(({ agrees }) => !agrees)
    .map(({ rule, period, total, parts }): TieOutFailure => {
      const isEquation = /^total_assets = total_liabilities/.test(rule);
      return {
        check: isEquation ? 'balance-sheet-equation' : 'subtotal',
        what: rule,
        period,
        stated: total,
        correct: parts,
        severity: isEquation ? 'high' : 'medium',
      };
    });
}

function documentFailures(reading: DocumentReading, statements: Statements): TieOutFailure[] {
  const { document } = reading;
  return [
    ...readSegments(reading).failures.map(
      ({ item, period, printed, parts, start, end }): TieOutFailure => ({
        check: isRevenueTotal(statements, period, printed) || item === 'result' ? 'segment-total' : 'subtotal',
        what: `segments, ${item}`,
        period,
        stated: toText(printed),
        correct: toText(parts),
        severity: 'medium',
        span: document.spanOf({ start, end }),
      }),
    ),
    ...tableSubtotals(reading).map(
      ({ check, label, period, printed, parts, start, end }): TieOutFailure => ({
        check:
          check === 'subtotal' && /\b(?:segments?|segmente|divisions?|secteurs|segmentos|segmenti)\b/i.test(label)
            ? 'segment-total'
            : check,
        what: label,
        ...(period === undefined ? {} : { period }),
        stated: toText(printed),
        correct: toText(parts),
        severity: 'medium',
        span: document.spanOf({ start, end }),
      }),
    ),
    ...statedRatios(reading, statements).map(
      ({ what, period, stated, computed, start, end }): TieOutFailure => ({
        check: 'stated-ratio',
        what,
        period,
        stated,
        correct: computed,
        severity: 'medium',
        span: document.spanOf({ start, end }),
      }),
    ),
    ...leverageFailures(reading, statements),
  ];
}

function isRevenueTotal(statements: Statements, period: string, printed: Rational): boolean {
  const revenue = statements.figures.get('revenue')?.get(period)?.value;
  return revenue !== undefined && compare(revenue, printed) === 0;
}

/** Compares a stated leverage ratio with the net debt and EBITDA in the same document. */
function leverageFailures(reading: DocumentReading, statements: Statements): TieOutFailure[] {
  return readCovenants(reading)
    .facts.filter(({ covenant }) => covenant === 'leverage')
    .flatMap(({ actual, limit, bound, testDate, start, end }): TieOutFailure[] => {
      const debt = valueAt(statements, 'stated_net_debt', testDate);
      const earnings = yearTo(statements, 'adjusted_ebitda', testDate) ?? yearTo(statements, 'ebitda', testDate);
      if (debt === undefined || earnings === undefined || isZero(earnings)) return [];
      const computed = divide(debt, earnings);
      const difference = absolute(subtract(actual, computed));
      if (compare(difference, { numerator: 2n, denominator: 100n }) <= 0) return [];
      // Net debt or EBITDA of another definition gives another ratio.
      if (compare(difference, multiply(actual, differenceMax)) > 0) return [];
      const isMet = (value: Rational) =>
        bound === 'maximum' ? compare(value, limit) <= 0 : compare(value, limit) >= 0;
      return [
        {
          check: 'stated-ratio',
          what: 'leverage',
          ...(testDate === undefined ? {} : { period: testDate }),
          stated: toFixed(actual, 2),
          correct: toFixed(computed, 2),
          // Whether the correct figure breaches the covenant that the stated one meets.
          severity: isMet(actual) && !isMet(computed) ? 'critical' : 'high',
          span: reading.document.spanOf({ start, end }),
        },
      ];
    });
}

function valueAt(statements: Statements, item: LineItem, date: string | undefined): Rational | undefined {
  const byPeriod = statements.figures.get(item);
  if (byPeriod === undefined || date === undefined) return undefined;
  const found =
    [...byPeriod].find(([period]) => endOfLabel(period) === date) ??
    [...byPeriod].find(([period]) => period === date.slice(0, 4));
  return found?.[1].value;
}

/** The figure of the twelve months to a date; a covenant does not test the EBITDA of a part of the year. */
function yearTo(statements: Statements, item: LineItem, date: string | undefined): Rational | undefined {
  const years = [...(statements.figures.get(item) ?? [])].filter(([period]) => monthsOf(period) === 12);
  return date === undefined || years.length === 0
    ? undefined
    : (years.find(([period]) => endOfLabel(period) === date) ??
        years.find(([period]) => isYearTo(statements, period, date)))?.[1].value;
}

/** Whether a year, of which the label has no last day, ends on the date: other periods may end between two year-ends. */
function isYearTo({ readings }: Statements, period: string, date: string): boolean {
  return period === date.slice(0, 4) && readings.some(({ calendar }) => calendar.month === fiscalMonthOf(date));
}

/** Compares opening cash plus the flows of the period with closing cash, and closing cash with the balance sheet. */
function cashFailures(statements: Statements): TieOutFailure[] {
  const get = (item: LineItem, period: string) => statements.figures.get(item)?.get(period);
  const checked = statements.periods.flatMap((period) => {
    const closing = atEnd(statements, 'closing_cash', period);
    const opening = atBeginning(statements, period);
    const flows = (['operating_cash_flow', 'investing_cash_flow', 'financing_cash_flow'] as const).map(
      (item) => get(item, period)?.value,
    );
    const change = get('change_in_cash', period)?.value;
    if (
      closing === undefined ||
      opening === undefined ||
      (flows.some((flow) => flow === undefined) && change === undefined)
    )
      return [];
    const exchange = get('currency_effect_on_cash', period)?.value;
    const all = flows.some((flow) => flow === undefined) ? [change!] : (flows as Rational[]);
    const without = sum([opening.value, ...all]);
    const sums = [
      without,
      ...(exchange === undefined ? [] : [sum([without, exchange])]),
      ...(change === undefined ? [] : [sum([opening.value, change])]),
    ];
    const best = sums.toSorted((a, b) =>
      compare(absolute(subtract(a, closing.value)), absolute(subtract(b, closing.value))),
    )[0]!;
    return [{ period, closing, best, agrees: isClose(closing.value, best, statements) }];
  });
  const isFitting = checked.length === 1 || checked.some(({ agrees }) => agrees);
  const reconciled = checked
    .filter(({ agrees }) => !agrees && isFitting)
    .map(
      ({ period, closing, best }): TieOutFailure => ({
        check: 'cash-reconciliation',
        what: 'closing cash',
        period,
        stated: toText(closing.value),
        correct: toText(best),
        severity: 'high',
        span: closing.span,
      }),
    );
  return [...reconciled, ...balanceFailures(statements)];
}

function balanceFailures(statements: Statements): TieOutFailure[] {
  const compared = [...(statements.figures.get('closing_cash') ?? [])].flatMap(([period, closing]) => {
    const cash = statements.figures.get('cash')?.get(period);
    return cash === undefined || cash.span === closing.span
      ? []
      : [{ period, cash, closing, agrees: isClose(cash.value, closing.value, statements) }];
  });
  if (!compared.some(({ agrees }) => agrees)) return [];
  return compared
    .filter(({ agrees }) => !agrees)
    .map(
      ({ period, cash, closing }): TieOutFailure => ({
        check: 'cross-statement',
        what: 'cash',
        period,
        stated: toText(closing.value),
        correct: toText(cash.value),
        severity: 'medium',
        span: closing.span,
      }),
    );
}

function isClose(a: Rational, b: Rational, { zeros }: Statements): boolean {
  return (
    compare(absolute(subtract(a, b)), rational(2n * 10n ** BigInt(zeros.length === 0 ? 0 : Math.max(...zeros)))) <= 0
  );
}

function atEnd(statements: Statements, item: LineItem, period: string): Figure | undefined {
  const byPeriod = statements.figures.get(item);
  return (
    byPeriod?.get(period) ??
    byPeriod?.get(endOfLabel(period) ?? '') ??
    byPeriod?.get((endOfLabel(period) ?? '').slice(0, 4))
  );
}

function atBeginning(statements: Statements, period: string): Figure | undefined {
  const byPeriod = statements.figures.get('opening_cash');
  const end = endOfLabel(period);
  if (end === undefined) return byPeriod?.get(String(Number(period) - 1));
  const index = Number(end.slice(0, 4)) * 12 + Number(end.slice(5, 7)) - 1 - monthsOf(period);
  const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
  const near = [...(byPeriod ?? [])].find(([label]) => label.startsWith(`${year}-${String(month).padStart(2, '0')}`));
  return near?.[1] ?? byPeriod?.get(String(year));
}

/** Items that a document states several times with the same meaning. */
const crossItems: ReadonlySet<LineItem> = new Set([
  'revenue',
  'gross_profit',
  'ebit',
  'pre_tax_income',
  'net_income',
  'total_assets',
  'equity',
  'operating_cash_flow',
  'eps_diluted',
  'eps_basic',
]);
/** A larger relative difference means another subject: a segment, the parent company. */
const differenceMax: Rational = { numerator: 12n, denominator: 100n };

function crossFailures(statements: Statements): TieOutFailure[] {
  const reported = new Set(
    statements.readings.flatMap((reading) =>
      readRestatements(reading).map(({ item, reported: value }) => `${item}|${toText(value)}`),
    ),
  );
  return statements.conflicts
    .filter(
      ({ item, used, other, isOneTable, isQuoted }) =>
        !isOneTable &&
        !isQuoted &&
        crossItems.has(item) &&
        !isZero(used.value) &&
        !reported.has(`${item}|${toText(other.value)}`),
    )
    .filter(
      ({ used, other }) =>
        compare(absolute(subtract(used.value, other.value)), multiply(absolute(used.value), differenceMax)) < 0,
    )
    .map(
      ({ item, period, used, other }): TieOutFailure => ({
        check: 'cross-statement',
        what: item,
        period,
        stated: toText(other.value),
        correct: toText(used.value),
        severity: 'medium',
        span: other.span,
      }),
    );
}
