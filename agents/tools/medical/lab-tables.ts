/** Which cells of a table belong to one laboratory value: by headings where there are any, else by what the cells hold. */
import { isNumberCell } from '../../document/cell-kinds.ts';
import type { Cell, Row, Table } from '../../document/table.ts';
import { type DateOrder, findDates } from '../text/dates.ts';
import type { Range } from '../text/span.ts';
import type { Analyte } from './analytes.ts';

export interface LabCells extends Range {
  readonly analyte: Analyte;
  /** The cell that names the quantity. */
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly range?: string;
  readonly flag?: string;
  /** ISO: of the column or the row. */
  readonly date?: string;
  /** Offset of the row. */
  readonly row: number;
}

type Naming = (label: string) => Analyte | undefined;

/** One entry per value, row by row. @param nameOf the quantity that a label names */
export function readLabCells(table: Table, order: DateOrder | undefined, nameOf: Naming): LabCells[] {
  const named = table.columns.map(({ headerCells }) =>
    headerCells.length === 0 ? undefined : nameOf(headerCells.at(-1)!.text),
  );
  if (named.filter((analyte) => analyte !== undefined).length >= 2) return valuesByColumn(table, named, order);
  const roles = rolesOf(table, order);
  return table.rows.flatMap((row) => valuesOfRow(row, roles, nameOf));
}

/** Quantities as columns: each row is a day. */
function valuesByColumn(
  { columns, rows }: Table,
  named: readonly (Analyte | undefined)[],
  order: DateOrder | undefined,
): LabCells[] {
  return rows.flatMap((row) => {
    const date = dayOf(row.cells[0]?.text, order);
    return row.cells.flatMap((cell, column): LabCells[] => {
      const analyte = named[column];
      if (cell === undefined || analyte === undefined) return [];
      const label = columns[column]!.headerCells.map(({ text }) => text).join(' ');
      return [
        {
          analyte,
          label,
          value: cell.text,
          ...(date === undefined ? {} : { date }),
          start: cell.start,
          end: cell.end,
          row: row.start,
        },
      ];
    });
  });
}

interface Roles {
  readonly values: readonly { readonly column: number; readonly date?: string }[];
  readonly unit?: number;
  readonly range?: number;
  readonly flag?: number;
}

const headings = {
  unit: /^(?:units?|uom|einheit(?:en)?|jednotk[ay]|unité)\b/i,
  range: /\b(?:ref(?:erence)?\.?|range|normal|norm|interval|limits?|normbereich|referen\w{1,6}|meze)\b/i,
  flag: /^(?:flags?|abn(?:ormal)?\.?|h\/l|hi\/lo|status|interpretation|bewertung)$/i,
  value:
    /\b(?:results?|values?|levels?|measured|observed|patient|current|previous|prior|today|ergebnis|wert|messwert|výsledek|hodnota|résultat)\b/i,
};

/** Without headings that say so, the first column with a number holds the value. */
function rolesOf(table: Table, order: DateOrder | undefined): Roles {
  const titles = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text).join(' '));
  const columnOf = (shape: RegExp) => {
    const at = titles.findIndex((title, column) => column > 0 && shape.test(title));
    return at === -1 ? undefined : at;
  };
  const unit = columnOf(headings.unit) ?? columnHolding(table, isUnitCell);
  const range = columnOf(headings.range) ?? columnHolding(table, isRangeCell);
  const flag = columnOf(headings.flag) ?? columnHolding(table, isFlagCell);
  const free = table.columns.flatMap((_, column) =>
    column > 0 && column !== unit && column !== range && column !== flag ? [column] : [],
  );
  const dated = free.flatMap((column) => {
    const date = dayOf(titles[column], order);
    return date === undefined ? [] : [{ column, date }];
  });
  const titled = free.filter((column) => headings.value.test(titles[column]!));
  const numeric = free.filter((column) => holds(table, column, isValueCell));
  const values =
    dated.length > 0 ? dated : (titled.length > 0 ? titled : numeric.slice(0, 1)).map((column) => ({ column }));
  return {
    values,
    ...(unit === undefined ? {} : { unit }),
    ...(range === undefined ? {} : { range }),
    ...(flag === undefined ? {} : { flag }),
  };
}

function columnHolding(table: Table, isKind: (text: string) => boolean): number | undefined {
  const at = table.columns.findIndex((_, column) => column > 0 && holds(table, column, isKind));
  return at === -1 ? undefined : at;
}

/** Half and more of the column's cells are of the kind. */
function holds({ rows }: Table, column: number, isKind: (text: string) => boolean): boolean {
  const texts = rows.slice(0, 200).flatMap(({ cells }) => (cells[column] === undefined ? [] : [cells[column].text]));
  return texts.length > 0 && texts.filter(isKind).length * 2 >= texts.length;
}

const isUnitCell = (text: string) =>
  text.length <= 16 && /^(?:[^\s\d]{1,8}\/\S{1,8}|%|fl|pg|s|sec|mmHg|ratio|[x×]?10\S{1,8})$/i.test(text);
const isRangeCell = (text: string) =>
  /^[([]?(?:[<>≤≥] ?\d[\d.,]{0,8}|\d[\d.,]{0,8} ?(?:-|–|to) ?\d[\d.,]{0,8})[)\]]?/i.test(text);
const isFlagCell = (text: string) =>
  /^[([]?(?:H{1,2}|L{1,2}|N|A|high|low|normal|abnormal|critical|↑{1,2}|↓{1,2}|\*{1,3})[)\]]?$/i.test(text);
const isValueCell = (text: string) => isNumberCell(text) || /^[<>≤≥]? ?\d/.test(text);

function valuesOfRow(row: Row, { values, unit, range, flag }: Roles, nameOf: Naming): LabCells[] {
  const label = row.cells[0];
  const analyte = label === undefined ? undefined : nameOf(label.text);
  if (label === undefined || analyte === undefined) return [];
  const text = (column: number | undefined): string | undefined =>
    column === undefined ? undefined : row.cells[column]?.text;
  return values.flatMap(({ column, date }) => {
    const cell: Cell | undefined = row.cells[column];
    if (cell === undefined) return [];
    const [unitText, rangeText, flagText] = [text(unit), text(range), text(flag)];
    return [
      {
        analyte,
        label: label.text,
        value: cell.text,
        ...(unitText === undefined ? {} : { unit: unitText }),
        ...(rangeText === undefined ? {} : { range: rangeText }),
        ...(flagText === undefined ? {} : { flag: flagText }),
        ...(date === undefined ? {} : { date }),
        start: values.length > 1 ? cell.start : label.start,
        end: values.length > 1 ? cell.end : row.end,
        row: row.start,
      },
    ];
  });
}

function dayOf(text: string | undefined, order: DateOrder | undefined): string | undefined {
  if (text === undefined || text.length > 60 || !/\d/.test(text)) return undefined;
  return findDates(text, undefined, order).find(({ iso }) => iso.length === 10)?.iso;
}
