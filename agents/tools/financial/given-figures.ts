/** Statements from figures that a model listed, for the same formulas. */

import type { LineItem } from './line-items.ts';
import { comparePeriods } from './periods.ts';
import type { Figure, Statements } from './statements.ts';

export interface GivenFigure extends Pick<Figure, 'value' | 'span'> {
  readonly item: LineItem;
  /** Label of the period, as `labelOfPeriod` makes it. */
  readonly period: string;
}

/** If an item has several figures for a period, the first counts if all are equal; otherwise none counts. */
export function statementsOf(given: readonly GivenFigure[]): Statements {
  const figures = new Map<LineItem, Map<string, Figure>>();
  const contradicted = new Set<string>();
  for (const { item, period, value, span } of given) {
    const byPeriod = figures.get(item) ?? new Map<string, Figure>();
    figures.set(item, byPeriod);
    const known = byPeriod.get(period);
    const isSame =
      known === undefined || known.value.numerator * value.denominator === value.numerator * known.value.denominator;
    if (!isSame) contradicted.add(`${item} ${period}`);
    if (known === undefined) byPeriod.set(period, { value, source: 'table', span });
  }
  for (const [item, byPeriod] of figures) {
    for (const period of byPeriod.keys()) if (contradicted.has(`${item} ${period}`)) byPeriod.delete(period);
  }
  const periods = [...new Set([...figures.values()].flatMap((byPeriod) => [...byPeriod.keys()]))].sort(comparePeriods);
  return {
    periods,
    figures,
    conflicts: [],
    currencies: [],
    zeros: [],
    unassigned: 0,
    doubts: [],
    readings: [],
  };
}
