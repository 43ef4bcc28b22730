/** What each column of a table holds: of which period, in which unit, or nothing that was reported. */
import type { Table } from '../../document/table.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { isOtherColumn, readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, periodOfHeadings, yearBefore } from './periods.ts';
import { readUnitNote } from './units.ts';

export interface Column {
  readonly period?: ColumnPeriod;
  /** Powers of ten, where the column's own heading says so. */
  readonly zeros?: number;
  readonly currency?: string;
  /** Notes, budgets, changes: not read. */
  readonly isOther: boolean;
}

export interface Captions {
  /** Short lines above the table, nearest last. */
  readonly lines: readonly string[];
  /** Cells of a row of days and months that the model took for the end of the table above: "30 June", "31 December". */
  readonly days: readonly string[];
}

/** @returns one per column; the first is of labels */
export function readColumns(table: Table, captions: Captions, calendar: FiscalCalendar): Column[] {
  const headings = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text));
  const dated = headings.flatMap((texts, column) =>
    column > 0 && texts.some((text) => readPeriodWords(text).year !== undefined) ? [column] : [],
  );
  const withDays = headings.map((texts, column) => {
    const nth = dated.indexOf(column);
    return captions.days.length === dated.length && nth !== -1 ? [captions.days[nth]!, ...texts] : texts;
  });
  // "(cumulative January to September)" over the labels is a caption of all columns.
  const corner = headings[0]?.filter((text) => !isOtherColumn(text)) ?? [];
  const lines = [...captions.lines, ...corner];
  const columns = withDays.map((texts, column): Column => {
    if (column === 0) return { isOther: false };
    const unit = unitOf(texts);
    if (isOtherColumn(texts.join(' '))) return { ...unit, isOther: true };
    const period = texts.length === 0 ? undefined : periodOfHeadings(texts, lines, calendar);
    return { ...(period === undefined ? {} : { period }), ...unit, isOther: false };
  });
  return columns.map((column, index) => withRelative(column, columns.slice(0, index), calendar));
}

function unitOf(texts: readonly string[]): Pick<Column, 'zeros' | 'currency'> {
  const note = texts.map((text) => readUnitNote(text)).findLast((each) => each !== undefined);
  const isPlain = texts.some((text) => /^(?:in )?(?:EUR|CHF|USD|GBP|€|£)$/.test(text.trim()));
  const zeros = note?.zeros ?? (isPlain ? 0 : undefined);
  return {
    ...(zeros === undefined ? {} : { zeros }),
    ...(note?.currency === undefined ? {} : { currency: note.currency }),
  };
}

/** "31.12.2024 | Vorjahr": the other column says which year. */
function withRelative(column: Column, before: readonly Column[], calendar: FiscalCalendar): Column {
  const { period } = column;
  if (period?.relative === undefined) return column;
  const sibling = before.findLast((each) => each.period !== undefined && each.period.relative === undefined)?.period;
  const known =
    sibling ??
    (calendar.end === undefined
      ? undefined
      : { end: calendar.end, isEstimate: false, ...(period.months === undefined ? {} : { months: period.months }) });
  if (known === undefined) return column;
  return { ...column, period: period.relative === 'prior' ? yearBefore(known) : known };
}
