/** Revenue and results of segments, regions and product groups: rows or columns of segment notes, and lines that add up to revenue. */
import type { Cell, Row } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { FiscalCalendar } from './fiscal-year.ts';
import { itemOfLabel } from './labels.ts';
import { normaliseName } from './line-items.ts';
import { readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, labelOf, periodOfHeadings } from './periods.ts';
import { absolute, add, compare, multiply, type Rational, rational, subtract, zero } from './rational.ts';
import {
  excludedAnywhere,
  isSegmentName,
  isTotal,
  measureAndName,
  nameOf,
  onlyItem,
  type SegmentItem,
  segmentTopic,
  splitLabel,
  wordOf,
} from './segment-names.ts';
import type { DocumentReading } from './statements.ts';
import type { Column } from './table-columns.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';
import { readUnitNote } from './units.ts';

export interface SegmentFigure extends Range {
  readonly segment: string;
  readonly item: SegmentItem;
  readonly period: string;
  readonly value: Rational;
}

export interface SegmentTotal extends Range {
  readonly item: SegmentItem;
  readonly period: string;
  readonly printed: Rational;
  readonly parts: Rational;
}

export interface SegmentReading {
  readonly figures: readonly SegmentFigure[];
  /** Totals that are not the sum of the segments above them, though they are in another column. */
  readonly failures: readonly SegmentTotal[];
}

export function readSegments(reading: DocumentReading): SegmentReading {
  const figures: SegmentFigure[] = [];
  const failures: SegmentTotal[] = [];
  for (const read of reading.tables) {
    const corner = read.table.columns[0]?.headerCells.map(({ text }) => text) ?? [];
    const isSegmentTable = [...read.captions, ...corner].some((line) => segmentTopic.test(line));
    const before = figures.length;
    if (isSegmentTable) figures.push(...columnSegments(read, reading));
    if (figures.length === before) {
      const rows = rowSegments(read, reading, isSegmentTable);
      figures.push(...rows.figures);
      failures.push(...rows.failures);
    }
  }
  return { figures: withoutRepeats(figures), failures };
}

function withoutRepeats(figures: readonly SegmentFigure[]): SegmentFigure[] {
  const seen = new Set<string>();
  return figures.filter(({ segment, item, period, value }) => {
    const key = `${normaliseName(segment)}|${item}|${period}|${value.numerator}/${value.denominator}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

interface NamedRow {
  readonly name: string;
  readonly item: SegmentItem;
  readonly cells: Row['cells'];
}

/** Segments as rows. */
function rowSegments(read: ReadTable, reading: DocumentReading, isSegmentTable: boolean): SegmentReading {
  const captionText = normaliseName(read.captions.join(' '));
  let section: SegmentItem | undefined = isSegmentTable ? onlyItem(captionText) : undefined;
  let holder: string | undefined;
  let run: NamedRow[] = [];
  const figures: SegmentFigure[] = [];
  const failures: SegmentTotal[] = [];
  const flush = (isConfirmed: boolean) => {
    if (isConfirmed) figures.push(...run.flatMap((row) => figuresOf(row, read, reading)));
    run = [];
  };
  for (const { cells } of read.table.rows) {
    const label = cells[0]?.text ?? '';
    const name = normaliseName(label.replace(/\([^()]{0,80}\)/g, ' '));
    if (cells.filter((cell) => cell !== undefined).length === 1 && cells[0] !== undefined) {
      flush(isSegmentTable && section !== undefined);
      const item = wordOf(name);
      section = item ?? (isSegmentTable ? section : undefined);
      holder = item === undefined && isSegmentTable && isSegmentName(name) ? label : undefined;
      continue;
    }
    const split = splitLabel(label) ?? (isSegmentTable ? measureAndName(label) : undefined);
    if (split !== undefined) {
      figures.push(...figuresOf({ ...split, cells }, read, reading));
      continue;
    }
    const item = itemOfLabel(label);
    const total =
      item === 'revenue'
        ? 'revenue'
        : item === 'ebit' || item === 'ebitda' || item === 'adjusted_ebitda'
          ? 'result'
          : isTotal(name)
            ? section
            : undefined;
    if (
      holder !== undefined &&
      isSegmentTable &&
      (item === 'revenue' || wordOf(name) !== undefined) &&
      !isTotal(name)
    ) {
      const own = item === 'revenue' ? 'revenue' : wordOf(name)!;
      if (!excludedAnywhere.test(name)) figures.push(...figuresOf({ name: holder, item: own, cells }, read, reading));
      continue;
    }
    if (total !== undefined) {
      const kind = run[0]?.item ?? total;
      const sums = kind === total ? addUp(run, cells, read, reading) : undefined;
      if (sums !== undefined) failures.push(...sums.failures.map((failure) => ({ ...failure, item: total })));
      flush(
        (isSegmentTable && section !== undefined && run[0]?.item === total) ||
          (sums?.agrees === true && total === 'revenue' && run.length >= 2),
      );
      if (isSegmentTable && !isTotal(name) && run.length === 0) section = total;
      continue;
    }
    if (isSegmentName(name) && hasAmount(cells, reading)) {
      const own = section ?? 'revenue';
      if (isSegmentTable || own === 'revenue') run.push({ name: label, item: own, cells });
    } else if (!isSegmentTable) flush(false);
  }
  flush(isSegmentTable && section !== undefined);
  return { figures, failures };
}

function hasAmount(cells: Row['cells'], { document }: DocumentReading): boolean {
  return cells
    .slice(1)
    .some((cell) => cell !== undefined && amountCell(cell, document.decimalMark).value !== undefined);
}

function figuresOf({ name, item, cells }: NamedRow, read: ReadTable, reading: DocumentReading): SegmentFigure[] {
  return cells.flatMap((cell, index) => {
    const column = read.columns[index];
    if (index === 0 || cell === undefined || column === undefined || column.isOther || column.period === undefined)
      return [];
    const figure = figureOf(cell, name, item, column.period, scaleOf(column, read), reading);
    return figure === undefined ? [] : [figure];
  });
}

function scaleOf(column: Column, read: ReadTable): number {
  return column.zeros ?? read.zeros;
}

function figureOf(
  cell: Cell,
  name: string,
  item: SegmentItem,
  period: ColumnPeriod,
  zeros: number,
  { document, calendar }: { readonly document: DocumentReading['document']; readonly calendar: FiscalCalendar },
): SegmentFigure | undefined {
  const value = amountCell(cell, document.decimalMark).value;
  const label = labelOf(period, false, calendar);
  if (value === undefined || label === undefined || label.endsWith('E')) return undefined;
  return {
    segment: nameOf(name),
    item,
    period: label,
    value: multiply(value, rational(10n ** BigInt(zeros))),
    start: cell.start,
    end: cell.end,
  };
}

function addUp(
  run: readonly NamedRow[],
  total: Row['cells'],
  read: ReadTable,
  reading: DocumentReading,
): { agrees: boolean; failures: Omit<SegmentTotal, 'item'>[] } | undefined {
  if (run.length < 2) return undefined;
  let agreeing = 0;
  const failures: Omit<SegmentTotal, 'item'>[] = [];
  for (const [index, cell] of total.entries()) {
    const column = read.columns[index];
    if (index === 0 || cell === undefined || column === undefined || column.isOther || column.period === undefined)
      continue;
    const printed = amountCell(cell, reading.document.decimalMark).value;
    const parts = run.map(({ cells }) =>
      cells[index] === undefined ? zero : amountCell(cells[index], reading.document.decimalMark).value,
    );
    if (printed === undefined || parts.some((part) => part === undefined)) continue;
    const together = (parts as Rational[]).reduce(add, zero);
    const unit = unitOf(cell.text);
    if (compare(absolute(subtract(printed, together)), multiply(unit, rational(BigInt(run.length)))) <= 0)
      agreeing += 1;
    else {
      const period = labelOf(column.period, false, reading.calendar);
      const factor = rational(10n ** BigInt(scaleOf(column, read)));
      if (period !== undefined)
        failures.push({
          period,
          printed: multiply(printed, factor),
          parts: multiply(together, factor),
          start: cell.start,
          end: cell.end,
        });
    }
  }
  return {
    agrees: agreeing > 0 && failures.length <= agreeing,
    failures: agreeing > 0 && failures.length <= agreeing ? failures : [],
  };
}

/** One in the last printed digit. */
function unitOf(text: string): Rational {
  const decimals = /[.,](\d{1,2})\)?$/.exec(text.trim())?.[1]?.length ?? 0;
  return { numerator: 1n, denominator: 10n ** BigInt(decimals) };
}

/** Segments as columns. */
function columnSegments(read: ReadTable, reading: DocumentReading): SegmentFigure[] {
  const names = read.table.columns.map(({ headerCells }, index) =>
    index === 0
      ? ''
      : headerCells
          .map(({ text }) => text)
          .filter((text) => !isPeriodOrUnit(text))
          .join(' ')
          .trim(),
  );
  const segments = names.map((name) =>
    isSegmentName(normaliseName(name)) && !/^(?:actual|note|change|restated|audited|unaudited)/i.test(name)
      ? name
      : undefined,
  );
  if (segments.filter((name) => name !== undefined).length < 2) return [];
  let period = captionPeriod(read.captions, reading.calendar);
  const figures: SegmentFigure[] = [];
  for (const { cells } of read.table.rows) {
    const label = cells[0]?.text ?? '';
    const own = readPeriodWords(label);
    const named =
      own.year !== undefined || own.end !== undefined
        ? periodOfHeadings([label], read.captions, reading.calendar)
        : undefined;
    if (cells.filter((cell) => cell !== undefined).length <= 1) {
      period = named ?? period;
      continue;
    }
    const bare = label.replace(/\([^()]{0,80}\)|(?<!\d)(?:19|20)\d\d(?!\d)/g, ' ');
    const name = normaliseName(bare);
    const item = itemOfLabel(bare);
    const kind =
      item === 'revenue' ||
      /^(?:external|net|total|segment|aussen|third party)? ?(?:revenues?|sales|umsatz\w*|turnover|ricavi|omzet|ventas)(?: (?:from |to )?external.{0,20}| from external customers| mit (?:externen|dritten).{0,20}| (?:to |from |with )?(?:third parties|customers))?$|^(?:chiffre d affaires|ventes)(?: externes?| (?:hors groupe|externe|net))?$|^(?:ventas|ingresos)(?: a| de)?(?: clientes)? ?(?:externos|terceros)?$|^ricavi (?:verso |da )?(?:terzi|clienti esterni)?$|^omzet (?:aan )?derden$/.test(
        name,
      )
        ? 'revenue'
        : item === 'ebit' ||
            item === 'ebitda' ||
            item === 'adjusted_ebitda' ||
            item === 'adjusted_operating_income' ||
            /^(?:segment|operating|reportable segment) ?(?:result|profit|income|loss|earnings|ergebnis|ebit|ebitda|profit loss|operating profit|operating income)|^segmentergebnis|^resultat sectoriel|^risultato di settore|^segmentresultaat/.test(
              name,
            )
          ? 'result'
          : undefined;
    if (kind === undefined || excludedAnywhere.test(name)) continue;
    for (const [index, cell] of cells.entries()) {
      const segment = segments[index];
      const column = read.columns[index];
      const at = named ?? column?.period ?? period;
      if (segment === undefined || cell === undefined || at === undefined) continue;
      const figure = figureOf(
        cell,
        segment,
        kind,
        at,
        column === undefined ? read.zeros : scaleOf(column, read),
        reading,
      );
      if (figure !== undefined) figures.push(figure);
    }
  }
  return figures;
}

function isPeriodOrUnit(text: string): boolean {
  const words = readPeriodWords(text);
  return (
    words.year !== undefined ||
    words.end !== undefined ||
    words.months !== undefined ||
    words.dayMonth !== undefined ||
    (text.length < 16 && readUnitNote(text) !== undefined)
  );
}

/** The period of a table whose columns name none. */
export function captionPeriod(captions: readonly string[], calendar: FiscalCalendar): ColumnPeriod | undefined {
  for (const caption of captions.toReversed()) {
    const words = readPeriodWords(caption);
    if (words.end !== undefined || (words.year !== undefined && words.months !== undefined))
      return periodOfHeadings([caption.replace(/note \d+/gi, ' ')], captions, calendar);
  }
  const { end, months } = calendar;
  return end === undefined ? undefined : { end, isEstimate: false, ...(months === undefined ? {} : { months }) };
}
