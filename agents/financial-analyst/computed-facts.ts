/** Ratios and growth from the figures that a model listed and the document confirmed. */
import type { ComputedFacts } from '../agent/agent.ts';
import type { FactValue } from '../agent/vocabulary.ts';
import { type GivenFigure, statementsOf } from '../tools/financial/given-figures.ts';
import { growthByPeriod } from '../tools/financial/growth.ts';
import type { LineItem } from '../tools/financial/line-items.ts';
import { labelOfPeriod } from '../tools/financial/periods.ts';
import { parseRational } from '../tools/financial/rational.ts';
import { computeRatios } from '../tools/financial/ratios.ts';
import { growthFacts, itemCodes, measureCodes, ratioFacts } from './figure-facts.ts';

export const computedFacts: ComputedFacts = (listed) => {
  // Figures in two currencies, such as a translation for readers abroad, are not one set of statements.
  const currencies = new Set(listed.flatMap(({ kind, value }) => (kind === 'line_item' ? (value.currency ?? []) : [])));
  if (currencies.size > 1) return [];
  const statements = statementsOf(
    listed.flatMap(({ kind, value, at }): GivenFigure[] => {
      const item = kind === 'line_item' ? items.get(value.item) : measures.get(value.measure);
      const amount = parseRational(String(value.amount));
      const period = labelFor(value);
      return item === undefined || amount === undefined || period === undefined
        ? []
        : [{ item, period, value: amount, span: at }];
    }),
  );
  const ratios = computeRatios(statements).map(({ definition, period, computed }) => ({
    id: definition.id,
    values: [{ period, ...('value' in computed ? { value: computed.value } : {}) }],
  }));
  const growth = growthByPeriod(statements).map(({ item, to, change }) => ({ item, to, ...change }));
  return [...ratioFacts(ratios), ...growthFacts(growth)];
};

const months: ReadonlyMap<FactValue | undefined, number> = new Map([
  ['month', 1],
  ['quarter', 3],
  ['half-year', 6],
  ['nine-months', 9],
  ['year', 12],
]);

function labelFor({ period, span }: Readonly<Record<string, FactValue>>): string | undefined {
  const length = months.get(span);
  if (typeof period !== 'string' || (length === undefined && span !== 'instant')) return undefined;
  // A quarter without its end could be any.
  if (period.length === 4 && length !== undefined && length < 12) return undefined;
  return labelOfPeriod(period, length);
}

/** Opening and closing cash have the code of cash. */
const items = byCode(Object.entries(itemCodes).filter(([item]) => item !== 'opening_cash' && item !== 'closing_cash'));
const measures = byCode(Object.entries(measureCodes).filter(([item]) => item === 'ebitda'));

function byCode(
  codes: readonly (readonly [item: string, code: string])[],
): ReadonlyMap<FactValue | undefined, LineItem> {
  return new Map(codes.map(([item, code]) => [code, item as LineItem]));
}
