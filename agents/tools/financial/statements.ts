/** All figures of all documents, by item and period, with what follows from them by addition. */
import type { AgentDocument } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import type { Span } from '../text/span.ts';
import type { LineItem } from './line-items.ts';
import { comparePeriods, undated } from './periods.ts';
import { absolute, compare, multiply, negate, type Rational, subtract } from './rational.ts';
import { readProse } from './statement-prose.ts';
import { type ReadFigure, readTables } from './statement-tables.ts';

export interface Figure {
  readonly value: Rational;
  readonly source: 'table' | 'text';
  /** UTF-16 offsets into the message's text. */
  readonly span: Span;
}

export interface Conflict {
  readonly item: LineItem;
  readonly period: string;
  readonly used: Figure;
  readonly other: Figure;
}

export interface Statements {
  /** Newest first. */
  readonly periods: readonly string[];
  readonly figures: ReadonlyMap<LineItem, ReadonlyMap<string, Figure>>;
  /** Later mentions that differ from the first by more than rounding. */
  readonly conflicts: readonly Conflict[];
  readonly currencies: readonly string[];
  readonly zeros: readonly number[];
  readonly unassigned: number;
}

/** Reports look at no more periods than these, newest first. */
export const periodsMax = 5;

/** One reading serves all tools of a turn, which are given the same documents. */
const readings = new WeakMap<readonly AgentDocument[], Statements>();

/** Tables come before sentences, earlier mentions before later ones. */
export function readStatements(documents: readonly AgentDocument[]): Statements {
  const known = readings.get(documents);
  if (known !== undefined) return known;
  const statements = read(documents);
  readings.set(documents, statements);
  return statements;
}

function read(documents: readonly AgentDocument[]): Statements {
  const tables: (ReadFigure & { span: Span })[] = [];
  const prose: (ReadFigure & { span: Span })[] = [];
  const currencies = new Set<string>();
  const zeros = new Set<number>();
  let unassigned = 0;
  for (const document of documents.map(readDocument)) {
    const reading = readTables(document);
    const sentences = readProse(document, reading.itemLines);
    const place = (figure: ReadFigure) => ({ ...figure, span: document.spanOf(figure) });
    tables.push(...reading.figures.map(place));
    prose.push(...sentences.figures.map(place));
    for (const currency of [...reading.currencies, ...sentences.currencies]) currencies.add(currency);
    for (const scale of reading.zeros) zeros.add(scale);
    unassigned += reading.unassigned;
  }
  const { figures, conflicts } = collect([...tables, ...prose]);
  const periods = [...new Set([...figures.values()].flatMap((byPeriod) => [...byPeriod.keys()]))];
  resolveTaxSign(figures, periods, [...tables, ...prose]);
  return {
    periods: periods.sort(comparePeriods).slice(0, periodsMax),
    figures,
    conflicts,
    currencies: [...currencies],
    zeros: [...zeros],
    unassigned,
  };
}

type Figures = Map<LineItem, Map<string, Figure>>;

function collect(all: readonly (ReadFigure & { span: Span })[]): { figures: Figures; conflicts: Conflict[] } {
  const figures: Figures = new Map();
  const conflicts: Conflict[] = [];
  for (const { item, period, value, source, span } of all) {
    const figure: Figure = { value, source, span };
    const byPeriod = figures.get(item) ?? new Map<string, Figure>();
    figures.set(item, byPeriod);
    const used = byPeriod.get(period);
    if (used === undefined) byPeriod.set(period, figure);
    else if (period !== undated && !isSameButForRounding(used.value, value))
      conflicts.push({ item, period, used, other: figure });
  }
  return { figures, conflicts };
}

/** "12.5 million" and 12,483,221 are the same figure: within half a percent, or one unit of a thousand. */
function isSameButForRounding(a: Rational, b: Rational): boolean {
  const difference = absolute(subtract(a, b));
  const bound = multiply(absolute(a), { numerator: 1n, denominator: 200n });
  return compare(difference, bound) <= 0;
}

/**
 * Statements print a tax charge as 30, (30) or −30. Profit before and after tax decide where both are there; otherwise a charge
 * is negative only where costs are.
 */
function resolveTaxSign(figures: Figures, periods: readonly string[], all: readonly ReadFigure[]) {
  const taxes = figures.get('income_tax');
  if (taxes === undefined) return;
  const costsNegative = all.some(({ item, printedNegative }) => item === 'cost_of_sales' && printedNegative);
  for (const period of periods) {
    const tax = taxes.get(period);
    if (tax === undefined) continue;
    const before = figures.get('pre_tax_income')?.get(period)?.value;
    const after = figures.get('net_income')?.get(period)?.value;
    const flips =
      before !== undefined && after !== undefined
        ? compare(gap(before, after, negate(tax.value)), gap(before, after, tax.value)) < 0
        : costsNegative;
    if (flips) taxes.set(period, { ...tax, value: negate(tax.value) });
  }
}

function gap(before: Rational, after: Rational, tax: Rational): Rational {
  return absolute(subtract(subtract(before, tax), after));
}
