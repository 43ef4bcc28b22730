/** All figures of all documents, by item and period, with figures derived from them by addition. */
import type { AgentDocument } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import type { Span } from '../text/span.ts';
import { type Doubt, isContradiction, withholdDoubtful } from './certainty.ts';
import { declaredZeros } from './declared-scale.ts';
import type { DocumentReading } from './document-reading.ts';
import { readFiscalCalendar } from './fiscal-year.ts';
import type { LineItem } from './line-items.ts';
import { comparePeriods, undated } from './periods.ts';
import { absolute, add, compare, multiply, negate, type Rational, subtract } from './rational.ts';
import { remembering } from './remembered.ts';
import { readProse } from './statement-prose.ts';
import { readTables } from './statement-tables.ts';
import type { ReadFigure } from './table-state.ts';
import { mainCurrency } from './units.ts';

export interface Figure {
  readonly value: Rational;
  readonly source: 'table' | 'text';
  /** Whether the cell prints a dash: an input of formulas that the report does not list. */
  readonly isDash?: boolean;
  /** UTF-16 offsets into the message's text. */
  readonly span: Span;
}

export interface Conflict {
  readonly item: LineItem;
  readonly period: string;
  readonly used: Figure;
  readonly other: Figure;
  /** Whether both are in one table: two lines of one statement and not two mentions of one item. */
  readonly isOneTable: boolean;
  /** Whether the other figure is in a quoted message below the one with the used figure. */
  readonly isQuoted: boolean;
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
  /** The reasons why figures were left out, one per figure. */
  readonly doubts: readonly Doubt[];
  readonly readings: readonly DocumentReading[];
}

/** Maximum number of periods in reports, newest first. */
export const periodsMax = 20;

/** Cached, because all tools of a turn receive the same documents. */
const known = new WeakMap<readonly AgentDocument[], Statements>();

/** Tables come before sentences, earlier mentions before later ones. */
export function readStatements(documents: readonly AgentDocument[]): Statements {
  const before = known.get(documents);
  if (before !== undefined) return before;
  const statements = remembering(() => read(documents));
  known.set(documents, statements);
  return statements;
}

function read(documents: readonly AgentDocument[]): Statements {
  const tables: (ReadFigure & { span: Span })[] = [];
  const prose: (ReadFigure & { span: Span })[] = [];
  const currencies = new Set<string>();
  const zeros = new Set<number>();
  const readings: DocumentReading[] = [];
  const doubts: Doubt[] = [];
  let unassigned = 0;
  for (const document of documents.map(readDocument)) {
    const calendar = readFiscalCalendar(document);
    const reading = readTables(document, calendar);
    const { code: currency, isContested } = mainCurrency(reading.currencyVotes, document);
    const isScaled = reading.zeros.some((scale) => scale > 0);
    const declared = declaredZeros(document.text);
    const sentences = readProse(document, {
      itemLines: reading.itemLines,
      calendar,
      currency,
      isScaled,
      declaredZeros: declared,
    });
    const place = (figure: ReadFigure) => ({ ...figure, span: document.spanOf(figure) });
    const reportedCurrency = isContested ? undefined : currency;
    const read: DocumentReading = {
      document,
      calendar,
      currency,
      reportedCurrency,
      declaredZeros: declared,
      sentences,
      ...reading,
    };
    const certain = withholdDoubtful(read);
    tables.push(...certain.tables.map(place));
    prose.push(...certain.sentences.map(place));
    doubts.push(...certain.doubts);
    if (reportedCurrency !== undefined) currencies.add(reportedCurrency);
    for (const scale of reading.zeros) zeros.add(scale);
    unassigned += reading.unassigned;
    readings.push(read);
  }
  const { figures, conflicts } = collect([...tables, ...prose], documents);
  doubts.push(...withholdContradicted(figures, conflicts));
  const periods = [...new Set([...figures.values()].flatMap((byPeriod) => [...byPeriod.keys()]))];
  fillIn(figures);
  resolveTaxSign(figures, periods, [...tables, ...prose]);
  return {
    periods: periods.sort(comparePeriods).slice(0, periodsMax),
    figures,
    conflicts,
    currencies: [...currencies],
    zeros: [...zeros],
    unassigned,
    doubts,
    readings,
  };
}

type Figures = Map<LineItem, Map<string, Figure>>;

function collect(
  all: readonly (ReadFigure & { span: Span })[],
  documents: readonly AgentDocument[],
): { figures: Figures; conflicts: Conflict[] } {
  const figures: Figures = new Map();
  const tables = new Map<Figure, number | undefined>();
  const conflicts: Conflict[] = [];
  for (const read of all) {
    const { item, period, value, source, isDash, span } = read;
    const figure: Figure = { value, source, span, ...(isDash ? { isDash } : {}) };
    tables.set(figure, read.table);
    const byPeriod = figures.get(item) ?? new Map<string, Figure>();
    figures.set(item, byPeriod);
    const used = byPeriod.get(period);
    if (used === undefined) byPeriod.set(period, figure);
    else if (period !== undated && !isSameButForRounding(used.value, read))
      conflicts.push({
        item,
        period,
        used,
        other: figure,
        isOneTable: read.table !== undefined && tables.get(used) === read.table && used.span.message === span.message,
        isQuoted: isQuoted(documents, span) && !isQuoted(documents, used.span),
      });
  }
  return { figures, conflicts };
}

/** Removes figures of one message whose tables do not agree; the conflict is still reported. */
function withholdContradicted(figures: Figures, conflicts: readonly Conflict[]): Doubt[] {
  return conflicts.flatMap(({ item, period, used, other }): Doubt[] => {
    const isOneSource = used.source === 'table' && other.source === 'table' && used.span.message === other.span.message;
    if (!isOneSource || !isContradiction(used.value, other.value)) return [];
    return figures.get(item)?.delete(period) === true ? ['contradiction'] : [];
  });
}

/** Whether the line begins with the mark of a quoted message: "> Revenue was …". */
function isQuoted(documents: readonly AgentDocument[], { message, start }: Span): boolean {
  const text = documents.find((document) => document.message === message)?.text ?? '';
  return /^[ \t]{0,3}>/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
}

/** Items that replace another one if that is not printed for a period. */
const standIns: readonly (readonly [item: LineItem, standIn: LineItem])[] = [
  ['equity', 'parent_equity'],
  ['net_income', 'result_after_tax'],
  ['ebit', 'recurring_operating_income'],
  ['cash', 'closing_cash'],
];

function fillIn(figures: Figures) {
  addParts(figures, 'short_term_debt', ['commercial_paper', 'term_debt']);
  for (const [item, standIn] of standIns) {
    for (const [period, figure] of figures.get(standIn) ?? []) {
      const byPeriod = figures.get(item) ?? new Map<string, Figure>();
      figures.set(item, byPeriod);
      // A year's result in one place does not justify using a part of it from another.
      if (!byPeriod.has(period)) byPeriod.set(period, figure);
    }
  }
  figures.delete('parent_equity');
  figures.delete('result_after_tax');
  figures.delete('recurring_operating_income');
}

/** The sum of parts that are printed in separate rows of one table, where the item itself is not printed. */
function addParts(figures: Figures, item: LineItem, parts: readonly LineItem[]) {
  const byPeriod = figures.get(item) ?? new Map<string, Figure>();
  const found = parts.map((part) => figures.get(part) ?? new Map<string, Figure>());
  for (const period of new Set(found.flatMap((each) => [...each.keys()]))) {
    const own = found.flatMap((each) => each.get(period) ?? []);
    const [first] = own;
    if (first === undefined || byPeriod.has(period)) continue;
    byPeriod.set(period, { ...first, value: own.map(({ value }) => value).reduce(add) });
  }
  if (byPeriod.size > 0) figures.set(item, byPeriod);
  for (const part of parts) figures.delete(part);
}

/** "12.5 million" and 12,483,221 are the same figure: within half a percent, or half of the last digit in a sentence. */
function isSameButForRounding(a: Rational, other: ReadFigure): boolean {
  const difference = absolute(subtract(a, other.value));
  const bound = multiply(absolute(a), { numerator: 1n, denominator: 200n });
  if (compare(difference, bound) <= 0) return true;
  if (other.source !== 'text' || other.value.denominator !== 1n) return false;
  let unit = 1n;
  for (let rest = other.value.numerator; rest !== 0n && rest % 10n === 0n; rest /= 10n) unit *= 10n;
  return compare(difference, { numerator: unit, denominator: 2n }) <= 0;
}

/** Printed with the same sign as the tax charge. */
const expenses: ReadonlySet<LineItem> = new Set([
  'cost_of_sales',
  'cost_of_materials',
  'personnel_expense',
  'sga',
  'interest_expense',
  'research_development',
]);

/**
 * Statements print a tax charge as 30, (30) or −30. If profit before and after tax are known, they determine the sign;
 * otherwise a charge is negative only if costs are.
 */
function resolveTaxSign(figures: Figures, periods: readonly string[], all: readonly ReadFigure[]) {
  const taxes = figures.get('income_tax');
  if (taxes === undefined) return;
  const costs = all.filter(({ item, source }) => source === 'table' && expenses.has(item));
  const costsNegative =
    costs.length > 0 && costs.every(({ printedNegative, value }) => printedNegative || value.numerator === 0n);
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
