/** Segments as columns, and segments as rows below headings of measures. */
import { monthName } from '../../document/cell-kinds.ts';
import { captionPeriod } from './caption-periods.ts';
import { isOtherColumn } from './column-kinds.ts';
import type { DocumentReading } from './document-reading.ts';
import { itemOfLabel } from './labels.ts';
import { normaliseName } from './line-items.ts';
import { readPeriodWords } from './period-words.ts';
import { periodOfHeadings } from './periods.ts';
import { absolute, add, compare, type Rational, rational, subtract, zero } from './rational.ts';
import { figureOf, type SegmentFigure, scaleOf } from './segment-figures.ts';
import { excludedAnywhere, isSegmentName, wordOf } from './segment-names.ts';
import { amountCell } from './table-rows.ts';
import type { ReadTable } from './table-state.ts';
import { readUnitNote } from './units.ts';

/** Segments as columns. */
export function columnSegments(read: ReadTable, reading: DocumentReading): SegmentFigure[] {
  const names = read.table.columns.map(({ headerCells }, index) =>
    index === 0
      ? ''
      : headerCells
          .map(({ text }) => text)
          .filter((text) => !isPeriodOrUnit(text))
          .join(' ')
          .trim(),
  );
  const segments = names.map((name, index) =>
    isSegmentName(normaliseName(name)) &&
    !isOtherColumn(name) &&
    read.columns[index]?.isOther !== true &&
    !/^(?:actual|note|change|restated|audited|unaudited)/i.test(name)
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
    const bare = label
      .replace(/\([^()]{0,80}\)|(?<!\d)(?:19|20)\d\d(?!\d)/g, ' ')
      .replace(periodInLabel, ' ')
      .trim();
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

const periodInLabel = new RegExp(
  `(?<!\\p{L})(?:${monthName} ?[-–—] ?${monthName}|(?:Q|H|Kv ?|T|S)[1-4]|[1-4](?:Q|H)|FY|9M|6M|3M)(?![\\p{L}\\d])`,
  'giu',
);

/** Segments as rows below headings of measures: "Revenue 2025 | Revenue 2024 | Operating profit 2025". */
export function measureColumns(read: ReadTable, reading: DocumentReading): SegmentFigure[] {
  const columns = read.table.columns.map(({ headerCells }, index) => {
    if (index === 0) return undefined;
    const texts = headerCells.map(({ text }) => text.replace(adjustedWords, ' '));
    if (isOtherColumn(texts.join(' ')) || ofOtherSegments.test(texts.join(' '))) return undefined;
    const item = wordOf(normaliseName(texts.join(' ')));
    const period =
      periodOfHeadings(texts, read.captions, reading.calendar) ?? captionPeriod(read.captions, reading.calendar);
    return item === undefined || period === undefined || /margin|marge/i.test(texts.join(' '))
      ? undefined
      : { item, period, zeros: read.columns[index]?.zeros ?? read.zeros };
  });
  const keys = columns.flatMap((column) =>
    column === undefined ? [] : [JSON.stringify([column.item, column.period])],
  );
  if (keys.length === 0 || new Set(keys).size < keys.length) return [];
  const sums = new Map<number, Rational>();
  return read.table.rows.flatMap(({ cells }) => {
    const label = cells[0]?.text ?? '';
    const values = cells.map((cell) =>
      cell === undefined ? undefined : amountCell(cell, reading.document.decimalMark).value,
    );
    // The company's name, or "Continuing operations", may head the total.
    const isSum = columns.every(
      (column, index) => column === undefined || values[index] === undefined || isClose(values[index], sums.get(index)),
    );
    values.forEach((value, index) => {
      if (value !== undefined) sums.set(index, add(sums.get(index) ?? zero, value));
    });
    if (isSum || !isSegmentName(normaliseName(label.replace(/\([^()]{0,80}\)/g, ' ')))) return [];
    return cells.flatMap((cell, index): SegmentFigure[] => {
      const column = columns[index];
      if (cell === undefined || column === undefined) return [];
      const figure = figureOf(cell, label, column.item, column.period, column.zeros, reading);
      return figure === undefined ? [] : [figure];
    });
  });
}

function isClose(value: Rational, sum: Rational | undefined): boolean {
  return sum !== undefined && compare(absolute(subtract(value, sum)), rational(1n)) <= 0;
}

/** Revenue with other segments of the company. */
const ofOtherSegments =
  /(?<!\p{L})(?:inter[- ]?segments?|intra[- ]?(?:group|segment)|innenum\p{L}+|interne?[rsn]?|internal|intern[oa]s?|inter ?sectoriel\p{L}*|intragrupp?o|mellan segment|interna)(?!\p{L})/iu;

const adjustedWords =
  /\b(?:adjusted|underlying|bereinigte?[rs]?|ajust[ée]e?|ajustad[oa]|rettificat[oa]|recurring|net|total|company)\b/giu;

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
