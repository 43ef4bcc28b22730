/** Computes the ratio table for every period of the statements. */
import type { LineItem } from './line-items.ts';
import { isReported, monthsOf } from './periods.ts';
import { type Need, type RatioDefinition, ratioTable } from './ratio-table.ts';
import { add, divide, type Rational, rational, toFixed, toPercent, toText, zero } from './rational.ts';
import { inputOf, periodBefore } from './statement-inputs.ts';
import type { Statements } from './statements.ts';

/** A computed value with its inputs, or the names of missing ones. Numbers are decimal text. */
export type Computed =
  | { readonly value: string; readonly inputs: Readonly<Record<string, string>>; readonly notes?: readonly string[] }
  | { readonly not_computable: string };

export interface RatioResult {
  readonly definition: RatioDefinition;
  readonly period: string;
  readonly computed: Computed;
  /** Exact value for comparisons; absent if not computable. */
  readonly exact?: Rational;
}

/** Every ratio for every period, in the order of the table, newest period first. */
export function computeRatios(statements: Statements): RatioResult[] {
  return ratioTable.flatMap((definition) =>
    statements.periods.filter(isReported).map((period) => computeRatio(statements, definition, period)),
  );
}

export function computeRatio(statements: Statements, definition: RatioDefinition, period: string): RatioResult {
  const { id, needs, unit } = definition;
  if (needsYear(definition) && monthsOf(period) < 12) {
    const reason = `${period} covers ${monthsOf(period)} months: the ratio needs a full year`;
    return { definition, period, computed: { not_computable: reason } };
  }
  const taken = takeInputs(statements, needs, period);
  if ('missing' in taken)
    return { definition, period, computed: { not_computable: `${taken.missing.join(', ')} missing` } };
  const exact = definition.compute(taken.values);
  if (exact === undefined) return { definition, period, computed: { not_computable: 'the denominator is 0' } };
  const reason = meaningless(id, taken.values);
  if (reason !== undefined) return { definition, period, computed: { not_computable: reason } };
  const notes = [...taken.notes, ...cautions(id, taken.values)];
  return {
    definition,
    period,
    exact,
    computed: { value: format(exact, unit), inputs: taken.inputs, ...(notes.length === 0 ? {} : { notes }) },
  };
}

/** A flow relative to a balance: the flow of a quarter cannot be compared with an annual ratio. */
function needsYear({ id, group }: RatioDefinition): boolean {
  return (
    group === 'return' || group === 'efficiency' || id === 'net_debt_to_ebitda' || id === 'operating_cash_flow_ratio'
  );
}

export interface TakenInputs {
  readonly values: readonly Rational[];
  readonly inputs: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** The values of the needed items in a period, or the names of the missing ones. */
export function takeInputs(
  statements: Statements,
  needs: readonly Need[],
  period: string,
): TakenInputs | { readonly missing: readonly string[] } {
  const values: Rational[] = [];
  const inputs: Record<string, string> = {};
  const notes: string[] = [];
  const missing: string[] = [];
  for (const need of needs) {
    const optional = need.endsWith('?');
    const averaged = need.endsWith('@average');
    const item = need.replace(/\?$|@average$/, '') as LineItem;
    const input = inputOf(statements, item, period);
    if (input === undefined && !optional) {
      missing.push(item);
      continue;
    }
    if (input?.derived !== undefined) notes.push(`${item} = ${input.derived}`);
    const closing = input?.value ?? zero;
    const opening = averaged ? openingOf(statements, item, period) : undefined;
    if (averaged && opening === undefined) notes.push(`closing ${item}: no earlier balance sheet`);
    const value = opening === undefined ? closing : divide(add(opening, closing), rational(2n));
    values.push(value);
    if (input !== undefined) inputs[opening === undefined ? item : `average ${item}`] = toText(value);
  }
  return missing.length > 0 ? { missing } : { values, inputs, notes };
}

function openingOf(statements: Statements, item: LineItem, period: string): Rational | undefined {
  const before = periodBefore(statements, period);
  return before === undefined ? undefined : inputOf(statements, item, before)?.value;
}

/** Why a ratio has no meaning although its inputs are known. */
function meaningless(id: string, values: readonly Rational[]): string | undefined {
  if (values.at(-1)!.numerator >= 0n) return undefined;
  if (id === 'debt_to_equity' || id === 'return_on_equity' || id === 'equity_multiplier')
    return 'equity is negative: the ratio has no meaning';
  if (id === 'cash_conversion' || id === 'dividend_payout') return 'net income is negative: the ratio has no meaning';
  return id === 'net_debt_to_ebitda' ? 'EBITDA is negative: the ratio has no meaning' : undefined;
}

/** Conditions under which a ratio is misleading although it can be computed. */
function cautions(id: string, values: readonly Rational[]): string[] {
  const isNegative = values.at(-1)!.numerator < 0n;
  return id === 'effective_tax_rate' && isNegative ? ['profit before tax is negative'] : [];
}

function format(value: Rational, unit: RatioDefinition['unit']): string {
  if (unit === 'percent') return toPercent(value);
  if (unit === 'amount') return toText(value, 2);
  return toFixed(value, unit === 'days' ? 1 : 2);
}
