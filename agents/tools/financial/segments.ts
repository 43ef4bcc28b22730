/** Revenue and results of segments, regions and product groups: rows or columns of segment notes, and lines that add up to revenue. */
import type { Row } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { withoutRivals } from './disclosure-certainty.ts';
import type { DocumentReading } from './document-reading.ts';
import { itemOfLabel } from './labels.ts';
import { normaliseName } from './line-items.ts';
import type { LongTableReading } from './long-facts.ts';
import { labelOf } from './periods.ts';
import { absolute, add, compare, multiply, type Rational, rational, subtract, zero } from './rational.ts';
import { columnSegments, measureColumns } from './segment-columns.ts';
import { figureOf, type SegmentFigure, scaleOf } from './segment-figures.ts';
import {
  excludedAnywhere,
  isSegmentName,
  isTotal,
  itemOfCaptions,
  measureAndName,
  nameOf,
  type SegmentItem,
  segmentTopic,
  splitLabel,
  wordOf,
} from './segment-names.ts';
import { confirmedSegments } from './segment-sums.ts';
import { captionsOfSection } from './table-captions.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';

export interface SegmentTotal extends Range {
  readonly item: SegmentItem;
  readonly period: string;
  readonly printed: Rational;
  readonly parts: Rational;
}

export interface SegmentReading {
  readonly figures: readonly SegmentFigure[];
  /** Number of figures left out because they do not add up to a printed amount. */
  readonly leftOut: number;
  /** Totals that differ from the sum of the segments above them, although they agree in another column. */
  readonly failures: readonly SegmentTotal[];
}

export function readSegments(reading: DocumentReading): SegmentReading {
  const figures: SegmentFigure[] = [];
  const failures: SegmentTotal[] = [];
  for (const read of reading.tables) {
    const corner = read.table.columns[0]?.headerCells.map(({ text }) => text) ?? [];
    const isSegmentTable = [...captionsOfSection(read.captions), ...corner].some((line) => segmentTopic.test(line));
    const before = figures.length;
    if (read.long !== undefined) {
      figures.push(...factSegments(read.long));
      continue;
    }
    if (isSegmentTable) figures.push(...columnSegments(read, reading));
    if (isSegmentTable && figures.length === before) figures.push(...measureColumns(read, reading));
    if (figures.length === before) {
      const rows = rowSegments(read, reading, isSegmentTable);
      figures.push(...rows.figures);
      failures.push(...rows.failures);
    }
  }
  const all = withoutRepeats(figures);
  // Of a segment with two amounts, one is that of another measure, such as its revenue with other segments.
  const { facts } = withoutRivals(confirmedSegments(all, reading), {
    keyOf: ({ segment, item, period }) => `${normaliseName(segment)}|${item}|${period}`,
    amountsOf: ({ value }) => [value],
  });
  return { figures: facts, leftOut: all.length - facts.length, failures };
}

/** Facts of one member of a dimension: "ProductOrService=Footwear". */
function factSegments({ ofSegments }: LongTableReading): SegmentFigure[] {
  return ofSegments.flatMap(({ item, label, value, segments, start, end }): SegmentFigure[] => {
    if (item !== 'revenue' && item !== 'ebit') return [];
    const segment = nameOf(segments[0]!.replace(/^.*[=:]/, '').replace(/Member$/, ''));
    return [{ segment, item: item === 'revenue' ? 'revenue' : 'result', period: label, value, start, end }];
  });
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
function rowSegments(
  read: ReadTable,
  reading: DocumentReading,
  isSegmentTable: boolean,
): Pick<SegmentReading, 'figures' | 'failures'> {
  const isOfOther = [
    ...captionsOfSection(read.captions).slice(-2),
    read.table.columns[0]?.headerCells.at(-1)?.text ?? '',
  ].some(
    (line) => line.length <= captionLineMax && otherMeasure.test(line) && wordOf(normaliseName(line)) === undefined,
  );
  if (isOfOther) return { figures: [], failures: [] };
  let section: SegmentItem | undefined = isSegmentTable ? itemOfCaptions(read.captions) : undefined;
  const above = read.captions.at(-1) ?? '';
  let holder: string | undefined =
    isSegmentTable && read.table.headerRows.length === 0 && isSegmentName(normaliseName(above)) ? above : undefined;
  /** "Group", with its revenue and result below. */
  let isTotalGroup = false;
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
      isTotalGroup = isTotal(name);
      continue;
    }
    if (isTotalGroup) continue;
    const split = splitLabel(label) ?? (isSegmentTable ? measureAndName(label) : undefined);
    if (split !== undefined) {
      figures.push(...figuresOf({ ...split, cells }, read, reading));
      continue;
    }
    if (isTotal(name) && !isTotalOfSegments(name)) {
      flush(false);
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
      if (sums?.failures.length === 0 && !sums.agrees) failures.push(...printedFailure(sums.differing, total, reading));
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

/** Longer lines are sentences. */
const captionLineMax = 80;

/** Tables that show something else of the segments. */
const otherMeasure =
  /(?<!\p{L})(?:order (?:intake|book|backlog)|orders|backlog|bookings|segment assets|assets|headcount|employees|volumes?|units sold|shipments|auftrags\p{L}+|mitarbeiter|beschäftigte\p{L}*|segmentvermögen|commandes|carnet|effectifs?|pedidos|cartera|plantilla|ordini|portafoglio|dipendenti|orders? ontvangen|orderportefeuille|medewerkers|orderingång\p{L}*|orderstock\p{L}*|medarbetare|anställda|ordre\p{L}*|medarbejdere|ansatte|zamówie\p{L}+|encomendas)(?!\p{L})/iu;

/** "Total", "Total segments", "Group revenue", not "Total overheads". */
function isTotalOfSegments(name: string): boolean {
  const rest = name.split(' ').slice(1).join(' ');
  return rest === '' || wordOf(rest) !== undefined || itemOfLabel(name) !== undefined || totalOf.test(name);
}

const totalOf =
  /\b(?:segments?|segmente\w*|divisions?|regions?|group|company|konzern\w*|koncern\w*|reportable|operations?|external|continuing|countries|products?|markets?|net|general|groupe|gruppo|grupo|alt|total|consolid\w*|geschaftsfelder|bereiche|secteurs|settori|segmentos)\b/;

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

function addUp(
  run: readonly NamedRow[],
  total: Row['cells'],
  read: ReadTable,
  reading: DocumentReading,
): { agrees: boolean; failures: Omit<SegmentTotal, 'item'>[]; differing: Omit<SegmentTotal, 'item'>[] } | undefined {
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
    differing: failures,
  };
}

/** A total that the statements print, too, of a table with one column: only the segments are wrong. */
function printedFailure(
  differing: readonly Omit<SegmentTotal, 'item'>[],
  item: SegmentItem,
  { figures }: DocumentReading,
): SegmentTotal[] {
  const [failure] = differing;
  if (failure === undefined || differing.length > 1 || item !== 'revenue') return [];
  const isPrinted = figures.some(
    (figure) =>
      figure.item === 'revenue' && figure.period === failure.period && compare(figure.value, failure.printed) === 0,
  );
  const difference = absolute(subtract(failure.printed, failure.parts));
  return isPrinted && compare(multiply(difference, rational(20n)), absolute(failure.printed)) <= 0
    ? [{ ...failure, item }]
    : [];
}

/** A difference of one in the last printed digit. */
function unitOf(text: string): Rational {
  const decimals = /[.,](\d{1,2})\)?$/.exec(text.trim())?.[1]?.length ?? 0;
  return { numerator: 1n, denominator: 10n ** BigInt(decimals) };
}
