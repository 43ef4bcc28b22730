/** Assigns the cells of a table to laboratory values: by headings if there are any, else by their contents. */
import { isNumberCell } from '../../document/cell-kinds.ts';
import type { Document } from '../../document/document.ts';
import type { Cell, Row, Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { Analyte } from './analytes.ts';
import { dayIn, shortDaysOf } from './clinical-dates.ts';
import { hasMatch } from './clinical-status.ts';
import { shortDayIn } from './short-days.ts';
import { relative } from './status-cues.ts';
import { normaliseUnit, unitShape } from './units.ts';

export interface LabCells extends Range {
  readonly analyte: Analyte;
  /** The cell that names the quantity. */
  readonly label: string;
  readonly value: string;
  readonly unit?: string;
  readonly range?: string;
  readonly flag?: string;
  /** ISO date of the column or the row. */
  readonly date?: string;
  /** Offset of the row. */
  readonly row: number;
}

type DayOf = (text: string | undefined) => string | undefined;
export type Naming = (label: string) => Analyte | undefined;

/** One entry per value, row by row. @param nameOf the quantity that a label names */
export function readLabCells(document: Document, table: Table, nameOf: Naming): LabCells[] {
  const named = table.columns.map(({ headerCells }) =>
    headerCells.length === 0 ? undefined : nameOf(headerCells.at(-1)!.text),
  );
  const shortDay = shortDaysOf(document, table);
  const day = (text: string | undefined) =>
    text === undefined ? undefined : (dayIn(document, text) ?? shortDay.get(text.trim()));
  const rowDay = (text: string | undefined) =>
    text === undefined ? undefined : (day(text) ?? shortDayIn(document, text));
  const quantities = named.slice(1).filter((analyte) => analyte !== undefined).length;
  const dated = table.rows.filter(({ cells }) => rowDay(cells[0]?.text) !== undefined).length;
  const all = quantities + (named[0] === undefined ? 0 : 1);
  if (all >= 2 || (quantities === 1 && dated >= 2 && dated * 2 > table.rows.length))
    return valuesByColumn(table, named, rowDay);
  const roles = rolesOf(table, day);
  const relatives = table.rows.filter(({ cells }) => hasMatch(relative, cells[0]?.text.slice(0, 30) ?? '')).length;
  if (relatives > 1) return [];
  // Columns that several samples share are read by their headings; else a row says itself what its cells are.
  if (roles.values.length > 1 || (roles.low !== undefined && roles.high !== undefined))
    return table.rows.flatMap((row) => valuesOfRow(row, roles, nameOf));
  const columnAt = new Map(
    table.rows.flatMap(({ cells }) =>
      cells.flatMap((cell, column): [number, number][] => (cell === undefined ? [] : [[cell.start, column]])),
    ),
  );
  const results: ResultColumns = { columnAt, titled: roles.isTitled ? roles.values[0]?.column : undefined };
  let date = dayOfCaption(document, table, day);
  return linesOf(document, table).flatMap((line) => {
    const cells = valuesOfLine(document, line, nameOf, results);
    if (cells.length === 0) date = dayOfHeading(document, line, day) ?? date;
    return date === undefined ? cells : cells.map((each) => ({ ...each, date: date! }));
  });
}

/** "Basic metabolic panel (collected 9/22/2025)" over a table. */
const sampled =
  /(?<!\p{L})(?:collected|drawn|sampled?|taken|specimen|entnommen|entnahme|abnahme|prélevé\p{L}*|prélèvement)(?!\p{L})/iu;

/** Lines of the table's text including headings, because the first value may have been read as a heading. */
function linesOf({ text }: Document, { start, end }: Table): Range[] {
  const lines: Range[] = [];
  for (let at = start; at < end; ) {
    const next = text.indexOf('\n', at);
    const stop = next === -1 || next > end ? end : next;
    lines.push({ start: at, end: stop });
    at = stop + 1;
  }
  return lines;
}

/** "Laboratory   2026-02-03" above the values of that date. */
function dayOfHeading({ text }: Document, { start, end }: Range, day: DayOf): string | undefined {
  const cells = text.slice(start, end).split('\t');
  const days = cells.slice(1).filter((cell) => /^[^\p{L}]{6,16}$/u.test(cell.trim()) && day(cell) !== undefined);
  return days.length === 1 ? day(days[0]) : undefined;
}

function dayOfCaption({ text }: Document, { start }: Table, day: DayOf): string | undefined {
  const line = text
    .slice(Math.max(0, start - 120), start)
    .trimEnd()
    .split('\n')
    .at(-1)!;
  return line.length <= 90 && sampled.test(line) ? day(line.slice(-60)) : undefined;
}

interface ResultColumns {
  /** By the offset of a cell. */
  readonly columnAt: ReadonlyMap<number, number>;
  /** The column whose heading says that it contains the results. */
  readonly titled: number | undefined;
}

/**
 * The one cell of a row that is the result: under the heading of the results, else the only number. Of several numbers without
 * such a heading (earlier results, numbers of samples), none is known to be it.
 */
function resultCell<Part extends Range & { readonly text: string }>(
  cells: readonly Part[],
  { columnAt, titled }: ResultColumns,
): Part | undefined {
  const results = cells.filter(({ text }) => isResultCell(text) && !isUnitCell(text));
  if (titled === undefined) return results.length === 1 ? results[0] : undefined;
  const isPlaced = results.some(({ start }) => columnAt.has(start));
  if (!isPlaced) return results.length === 1 ? results[0] : undefined;
  return results.find(({ start }) => columnAt.get(start) === titled);
}

/** The cells of one line by content: name, then value, flag, range and unit in any order. */
function valuesOfLine({ text }: Document, line: Range, nameOf: Naming, columns: ResultColumns): LabCells[] {
  const cells: { text: string; start: number; end: number }[] = [];
  let at = line.start;
  for (const part of text.slice(line.start, line.end).split('\t')) {
    cells.push({ text: part.trim(), start: at, end: at + part.length });
    at += part.length + 1;
  }
  const label = cells[0]!;
  const analyte = cells.length < 2 || /\d[.,]\d|\d{3}/.test(label.text) ? undefined : nameOf(label.text);
  if (analyte === undefined) return [];
  const rest = cells.slice(1);
  const value = resultCell(rest, columns);
  if (value === undefined) return [];
  const others = rest.filter((cell) => cell !== value);
  const first = (isKind: (cell: string) => boolean) => others.find(({ text: cell }) => isKind(cell))?.text;
  const unit = first(isUnitCell);
  const [range, flag] = [first(isRangeCell) ?? /[([].*$/.exec(unit ?? '')?.[0], first(isFlagCell)];
  return [
    {
      analyte,
      label: label.text,
      value: value.text,
      ...(unit === undefined ? {} : { unit }),
      ...(range === undefined ? {} : { range }),
      ...(flag === undefined ? {} : { flag }),
      start: line.start,
      end: line.end,
      row: line.start,
    },
  ];
}

/** A number with its flag or unit, but not a range. */
export function isResultCell(text: string): boolean {
  return (
    /^[<>≤≥]{0,2} ?\d/.test(text) &&
    !/^[<>≤≥]? ?\d[\d.,]{0,8} ?(?:-|–|to|bis|à|a|tot|do|až) ?\d/.test(text) &&
    !/^\d{1,4}[./-]\d{1,2}[./-]\d/.test(text)
  );
}

/** Quantities as columns: each row is a date. */
function valuesByColumn({ columns, rows }: Table, named: readonly (Analyte | undefined)[], day: DayOf): LabCells[] {
  return rows.flatMap((row) => {
    const date = day(row.cells[0]?.text);
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
  /** Whether headings say which columns contain results. */
  readonly isTitled: boolean;
  readonly values: readonly { readonly column: number; readonly date?: string }[];
  readonly unit?: number;
  readonly range?: number;
  /** Limits in columns of their own. */
  readonly low?: number;
  readonly high?: number;
  readonly flag?: number;
}

/** "Ref Low", "Reference range - high", "Normal min". */
const ofReference = String.raw`(?:(?:ref(?:erence|erenz\p{L}*)?|normal|norm|range|limit|interval)[ ._:–-]{0,3}){0,3}`;

/** Titles of columns. */
export const headings = {
  unit: /^(?:units?|uom|einheit(?:en)?|jednotk[ay]|unités?|unidad(?:es)?|unità|unidades?|eenhe\p{L}+|enhet(?:er)?|enhed(?:er)?|jedn\p{L}*\.?|u\. ?m\.|j\. ?m\.|yksikkö)(?!\p{L})/iu,
  range:
    /\b(?:ref(?:erence)?\.?|range|normal|norm|interval|limits?|normbereich|referen\w{1,6}|meze|normes?|valeurs? de référence|valores? de referencia|normaalwaarden?|norma|norm\p{L}*|valor\p{L}{0,2} (?:di|de) (?:riferimento|referencia|referência|normalidad)|v\.? ?[rn]\.?|rango|intervallo|intervalo|wartości referencyjne|zakres(?: referencyjny)?|streefwaarden?|limiti|viitearvot)(?!\p{L})/iu,
  flag: /^(?:flags?|abn(?:ormal)?\.?|h\/l|hi\/lo|status|interpretation|bewertung|hinweis|kennz\p{L}*\.?|markering|markierung|avvik|marca|alerta|segnalazione|asterisk|\+\/-|flagga)$/iu,
  low: new RegExp(
    String.raw`^${ofReference}(?:low(?:er)?(?: limit| bound)?|min(?:imum)?|von|ab|untere? grenz\p{L}*|untergrenze|unterer? (?:grenz)?wert|lln|from|borne inf\p{L}*|mínimo?|l[ií]m(?:ite)?\.? inf\p{L}*|ondergrens|dolna(?: granica)?|nedre(?: gr[äe]n[s]?e?)?|inf)$`,
    'iu',
  ),
  high: new RegExp(
    String.raw`^${ofReference}(?:high(?:er)?(?: limit| bound)?|upper(?: limit| bound)?|max(?:imum)?|bis|obere? grenz\p{L}*|obergrenze|oberer? (?:grenz)?wert|uln|to|borne sup\p{L}*|máximo?|l[ií]m(?:ite)?\.? sup\p{L}*|bovengrens|górna(?: granica)?|[öø]vre(?: gr[äe]n[s]?e?)?|sup)$`,
    'iu',
  ),
  value:
    /(?<!\p{L})(?:results?|values?|levels?|measured|observed|patient|current|previous|prior|today|ergebnis(?:se)?|werte?|messwert|aktuell|výsledek|hodnota|résultats?|valeur|resultados?|valor|actual|risultat[oi]|esito|valore|uitslag|waarde|resultaat|wynik|resultat|svar|värde|værdi|verdi|tulos)(?!\p{L})/iu,
};

/** Without headings that identify it, the first column with a number contains the value. */
function rolesOf(table: Table, day: DayOf): Roles {
  const titles = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text).join(' '));
  const columnOf = (shape: RegExp) => {
    const at = titles.findIndex((title, column) => column > 0 && shape.test(title));
    return at === -1 ? undefined : at;
  };
  const unit = columnOf(headings.unit) ?? columnHolding(table, isUnitCell);
  const [low, high] = [columnOf(headings.low), columnOf(headings.high)];
  const hasLimits = low !== undefined && high !== undefined;
  const range = hasLimits ? undefined : (columnOf(headings.range) ?? columnHolding(table, isRangeCell));
  const flag = columnOf(headings.flag) ?? columnHolding(table, isFlagCell);
  const free = table.columns.flatMap((_, column) =>
    column > 0 && column !== low && column !== high && column !== unit && column !== range && column !== flag
      ? [column]
      : [],
  );
  const dated = free.flatMap((column) => {
    // "Sortie : 29/06/2026" above a table is no title of its columns.
    const own = table.columns[column]!.headerCells.filter(({ text }) => !/^\p{L}[\p{L} ]{2,20}:/u.test(text));
    const date = day(own.map(({ text }) => text).join(' '));
    return date === undefined ? [] : [{ column, date }];
  });
  const titled = free.filter((column) => headings.value.test(titles[column]!));
  const numeric = free.filter((column) => holds(table, column, isValueCell));
  const values =
    dated.length > 0 ? dated : (titled.length > 0 ? titled : numeric.slice(0, 1)).map((column) => ({ column }));
  return {
    values,
    isTitled: dated.length === 0 && titled.length > 0,
    ...(unit === undefined ? {} : { unit }),
    ...(range === undefined ? {} : { range }),
    ...(low === undefined ? {} : { low }),
    ...(high === undefined ? {} : { high }),
    ...(flag === undefined ? {} : { flag }),
  };
}

/** Limits of two columns, of which one may be empty, as one range. */
export function limitsIn(low: string | undefined, high: string | undefined): string | undefined {
  const [from, to] = [low, high].map((limit) => (/\d/.test(limit ?? '') ? limit!.trim() : undefined));
  if (from !== undefined && to !== undefined) return `${from} - ${to}`;
  return to === undefined ? (from === undefined ? undefined : `> ${from}`) : `< ${to}`;
}

function columnHolding(table: Table, isKind: (text: string) => boolean): number | undefined {
  const at = table.columns.findIndex((_, column) => column > 0 && holds(table, column, isKind));
  return at === -1 ? undefined : at;
}

/** Whether at least half of the column's cells are of the kind. */
export function holds({ rows }: Table, column: number, isKind: (text: string) => boolean): boolean {
  const texts = rows.slice(0, 200).flatMap(({ cells }) => (cells[column] === undefined ? [] : [cells[column].text]));
  return texts.length > 0 && texts.filter(isKind).length * 2 >= texts.length;
}

export function isUnitCell(text: string): boolean {
  if (text.length > 24 || text === '') return false;
  unitShape.lastIndex = 0;
  const match = unitShape.exec(text);
  return (
    (match !== null &&
      match.index === 0 &&
      normaliseUnit(match[0]) !== '' &&
      /^(?:.{0,3}$| ?[([])/.test(text.slice(unitShape.lastIndex))) ||
    (text.length <= 16 && /^[^\s\d]{1,8}\/\S{1,10}$/.test(text))
  );
}
export const isRangeCell = (text: string) =>
  !/^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?!\d)/.test(text) &&
  /^[([]?(?:\p{L}{1,12}[.:]? ){0,2}?(?:[<>≤≥] ?=? ?\d[\d.,]{0,8}|(?:inf\p{L}*|sup\p{L}*)\.? [aà] ?\d[\d.,]{0,8}|(?:bis|up to|hasta|até|fino a|tot|do|od|below|under|above|over|jusqu['’]à) ?\d[\d.,]{0,8}|\d[\d.,]{0,8} ?(?:-|–|to|bis|à|a|tot|do|až) ?\d[\d.,]{0,8})[)\]]?/iu.test(
    text,
  );
export const isFlagCell = (text: string) =>
  /^[([*]{0,4}(?:H{1,3}|L{1,3}|N|A|high|low|normal|abnormal|crit(?:ical)?(?: (?:high|low))?|panic|↑{1,2}|↓{1,2}|\+{1,2}|-{1,2}|\*{1,3})[)\]*]{0,4}(?: |$)/i.test(
    text,
  );
const isValueCell = (text: string) => isNumberCell(text) || /^[<>≤≥]? ?\d/.test(text);

function valuesOfRow(row: Row, { values, unit, range, low, high, flag }: Roles, nameOf: Naming): LabCells[] {
  const label = row.cells[0];
  const analyte = label === undefined ? undefined : nameOf(label.text);
  if (label === undefined || analyte === undefined) return [];
  const text = (column: number | undefined): string | undefined =>
    column === undefined ? undefined : row.cells[column]?.text;
  return values.flatMap(({ column, date }) => {
    const cell: Cell | undefined = row.cells[column];
    if (cell === undefined) return [];
    const joined = limitsIn(text(low), text(high));
    const ofLabel = /[([]((?:[<>≤≥] ?)?\d[^()[\]]{0,20})[)\]]/u.exec(label.text)?.[1];
    const [unitText, rangeText, flagText] = [text(unit), text(range) ?? joined ?? ofLabel, text(flag)];
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
