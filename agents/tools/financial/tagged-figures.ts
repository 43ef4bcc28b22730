/** What inline XBRL says about an amount of a statement: its scale, and for known concepts its sign; the period of its context. */
import type { TaggedNumber, XbrlContext } from '../../document/inline-xbrl.ts';
import type { Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { balanceItems, type LineItem } from './line-items.ts';
import { labelOf } from './periods.ts';
import type { Column } from './table-columns.ts';
import { type ReadingState, vote } from './table-state.ts';
import { itemOfTaxonomy } from './taxonomy-elements.ts';

export interface TaggedAmount {
  /** Powers of ten. */
  readonly zeros: number;
  /** Undefined if the concept is unknown, so that the sign may be one of a concept with the opposite sense. */
  readonly isNegative?: boolean;
  /** Undefined if the file does not contain the context. */
  readonly period?: string;
}

/**
 * @returns undefined if the amount is not tagged; "other" if it is not the item's: of a segment, or the change of a balance
 */
export function taggedAmount(
  { tagged, calendar }: ReadingState,
  item: LineItem,
  cell: Range,
): TaggedAmount | 'other' | undefined {
  const tags = tagged(cell);
  const known = tags.find(({ concept }) => itemOfTaxonomy(concept) !== undefined);
  const tag = known ?? tags[0];
  if (tag === undefined) return undefined;
  const { scale, isNegative, context } = tag;
  const period = context === undefined ? undefined : periodOf(context, item, calendar);
  if (context !== undefined && period === undefined) return 'other';
  return {
    zeros: scale,
    ...(known === undefined ? {} : { isNegative }),
    ...(period === undefined ? {} : { period }),
  };
}

/** The item that the concepts of a row name. @param cells of the row */
export function itemOfTags({ tagged }: ReadingState, cells: readonly (Range | undefined)[]): LineItem | undefined {
  for (const cell of cells)
    for (const { concept } of cell === undefined ? [] : tagged(cell)) {
      const item = itemOfTaxonomy(concept);
      if (item !== undefined) return item;
    }
  return undefined;
}

/** @returns undefined if the context is that of a part, or has no length where the item has one */
function periodOf({ start, end, isPart }: XbrlContext, item: LineItem, calendar: FiscalCalendar): string | undefined {
  const isBalance = balanceItems.has(item);
  if (isPart || isBalance !== (start === undefined)) return undefined;
  const months = start === undefined ? undefined : monthsBetween(start, end);
  if (!isBalance && months === undefined) return undefined;
  return labelOf({ end, isEstimate: false, ...(months === undefined ? {} : { months }) }, isBalance, calendar);
}

const dayMs = 86_400_000;
const monthDays = 30.44;
/** Years of 52 weeks and quarters of 14 weeks differ from whole months by this many days. */
const tolerance = 10;

function monthsBetween(start: string, end: string): number | undefined {
  const days = (Date.parse(end) - Date.parse(start)) / dayMs + 1;
  const months = Math.round(days / monthDays);
  return months >= 1 && months <= 12 && Math.abs(days - months * monthDays) <= tolerance ? months : undefined;
}

/** The scale of most amounts of a column applies to its other amounts; the unit of the amounts is a currency of the document. */
export function withTaggedScales(state: ReadingState, table: Table, columns: readonly Column[]): readonly Column[] {
  let currency: string | undefined;
  const scaled = columns.map((column, index) => {
    const amounts = table.rows.flatMap(({ cells }): readonly TaggedNumber[] =>
      index === 0 || cells[index] === undefined ? [] : state.tagged(cells[index]).slice(0, 1),
    );
    const money = amounts.filter((amount) => amount.currency !== undefined);
    currency ??= money[0]?.currency;
    const zeros = mostFrequent((money.length > 0 ? money : amounts).map(({ scale }) => scale));
    if (zeros === undefined || zeros < 0) return column;
    state.scales.add(zeros);
    return { ...column, zeros };
  });
  if (currency !== undefined) vote(state, currency);
  return scaled;
}

function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
