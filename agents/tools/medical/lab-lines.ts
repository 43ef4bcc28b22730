/**
 * Reads lines of results under a line of headings by their horizontal positions, in any division into columns: which number
 * belongs to which sample, and which is an earlier result.
 */
import type { Document } from '../../document/document.ts';
import { rangeAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { dayIn } from './clinical-dates.ts';
import { isFlagCell, isRangeCell, isResultCell, isUnitCell, type LabCells, type Naming } from './lab-tables.ts';
import { dayOfClock, dayOfStay } from './measure-day.ts';
import { isClock, isSample } from './sample-titles.ts';
import { shortDayIn } from './short-days.ts';

/** A part of a line between gaps, with its place in the line as written. */
interface Part extends Range {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface ResultColumn {
  readonly from: number;
  readonly to: number;
  /** An earlier result without a day is not reported. */
  readonly kind: 'dated' | 'current' | 'earlier' | 'other';
  readonly date?: string;
}

/** A line of results uses the headings at most this many lines above it. */
const headingLinesMax = 80;
const lineCharactersMax = 240;
const partsMax = 16;

/** One entry per value, in the order of the text. @param nameOf the quantity that a label names */
export function readLabLines(document: Document, nameOf: Naming): LabCells[] {
  const lines = linesOf(document);
  const found: LabCells[] = [];
  let columns: readonly ResultColumn[] = [];
  let headingAt = 0;
  let headingTable: Range | undefined;
  for (const [index, line] of lines.entries()) {
    const parts = partsOf(document, line);
    if (parts === undefined) continue;
    const isResult = parts[0] !== undefined && nameOf(parts[0].text) !== undefined;
    const next = lines[index + 1];
    const below = next === undefined ? undefined : partsOf(document, next);
    const headings = isResult ? undefined : headingsOf(document, parts, below);
    const table = rangeAt(document.tables, line.start);
    if (headings !== undefined) {
      columns = withLineBelow(document, headings, below);
      headingAt = index;
      headingTable = table;
    } else if (
      columns.length > 0 &&
      index - headingAt <= headingLinesMax &&
      (headingTable === undefined || headingTable === table)
    ) {
      for (const cells of valuesOf(parts, columns, line, nameOf)) found.push(cells);
    }
  }
  return found;
}

function linesOf({ text }: Document): Range[] {
  const lines: Range[] = [];
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

const partShape = /[^\s](?:[^\t\n ]| (?! ))*/gu;

/** @returns undefined for a line that cannot be one of headings or results */
function partsOf({ text, spanOf }: Document, { start, end }: Range): Part[] | undefined {
  if (end - start > lineCharactersMax || end - start < 4) return undefined;
  const line = text.slice(start, end);
  if (!/\d|\p{L}(?:\t| {2})/u.test(line)) return undefined;
  const found = [...line.matchAll(partShape)];
  if (found.length > partsMax) return undefined;
  // A newline before the line is one of the source, so that the indentation counts.
  const origin = start === 0 ? 0 : spanOf({ start: start - 1, end: start }).start + 1;
  return found.map((match) => {
    const shown = match[0].trimEnd();
    const range = { start: start + match.index, end: start + match.index + shown.length };
    const span = spanOf(range);
    return { ...range, text: shown, from: span.start - origin, to: span.end - origin };
  });
}

const currentTitle =
  /^(?:results?|value|values?|current|today|ergebnis(?:se)?|wert(?:e)?|messwert|aktuell|résultats?|valeurs?|actuel|resultados?|valor(?:es)?|actual|atual|risultat[oi]|valore|attuale|uitslag|waarde|resultaat|výsledek|hodnota|wynik|resultat|värde|tulos)(?: \(?[\p{L}.]{1,12}\)?)?$/iu;
const earlierTitle =
  /^(?:(?:prev(?:ious)?|prior|last|earlier|old|baseline|vor(?:wert|befund|herig\p{L}*)|letzter wert|antérieure?s?|antériorité|précédente?s?|anteriore?s?|previo|precedent[ei]|vorige|eerdere?|předchozí|minulý|poprzedni\p{L}*|föregående|tidigare|edellinen)\.?)(?: (?:results?|values?|wert|résultats?|resultado|valor|risultato|uitslag|hodnota|wynik))?(?: ?\(?([\d./ -]{6,12})\)?)?$/iu;
const dayTitle =
  /^\(?(?:[\p{L}.]{2,14}:? ){0,2}\(?(?:\d{1,4}[./-] ?\d{1,2}(?:[./-] ?(?:\d{2,4})?)?|\d{1,2}\.? \p{L}{3,9}\.?(?: \d{4})?)(?:,? (?:kl\.? |ore |um )?\d{1,2}[:.]\d\d(?: uhr| h)?)?\)?$/iu;

/** The titles of a table, without columns if fewer than two have results. @returns undefined for another line */
function headingsOf(
  document: Document,
  parts: readonly Part[],
  below: readonly Part[] | undefined,
): ResultColumn[] | undefined {
  if (parts.length < 2) return undefined;
  // Over the labels of the rows, a line of titles may be blank.
  const isIndented = below?.[0] !== undefined && below.length > parts.length && below[0].to <= parts[0]!.from;
  const columns = parts.map(({ text, from, to }, at): ResultColumn => {
    const index = isIndented ? at + 1 : at;
    if (index > 0 && dayTitle.test(text)) {
      const date = dayOf(document, text);
      return { from, to, kind: 'dated', ...(date === undefined ? {} : { date }) };
    }
    if (index > 0 && (currentTitle.test(text) || isSample(text))) {
      const date = dayOfStay(document, text) ?? (isClock(text) ? dayOfClock(document, text) : undefined);
      return { from, to, kind: 'current', ...(date === undefined ? {} : { date }) };
    }
    const earlier = index > 0 ? earlierTitle.exec(text) : null;
    if (earlier === null) return { from, to, kind: 'other' };
    const date = earlier[1] === undefined ? undefined : dayOf(document, earlier[1].trim());
    return { from, to, kind: 'earlier', ...(date === undefined ? {} : { date }) };
  });
  const results = columns.filter(({ kind }) => kind !== 'other');
  // A row of results has numbers that are no days.
  const hasNumber = parts.some(
    ({ text }) => /^[<>]?\d{1,5}(?:[.,]\d{1,4})?(?: \S{1,2})?$/.test(text) && !dayTitle.test(text) && !isClock(text),
  );
  if (hasNumber || results.length === 0) return undefined;
  if (results.length >= 2) {
    const day = dayIn(document, /\d[\d./-]{5,9}\d/.exec(parts[0]!.text)?.[0] ?? '');
    return day === undefined
      ? columns
      : columns.map((column) => (column.kind === 'current' ? { ...column, date: day } : column));
  }
  return parts.some(({ text }) => otherTitle.test(text)) ? [] : undefined;
}

const otherTitle =
  /^(?:v\.? ?[rn]\.?|vv\.? ?nn\.?|valor\p{L}{0,2} (?:di|de) (?:riferimento|referencia|referência)|u\.? ?m\.?|j\.? ?m\.?|jedn\p{L}*\.?|enhet|enhed|unidade|rango|intervallo|wartości .{1,20}|vr|unités?|unidad(?:es)?|unidades|unità|eenhe\p{L}+|jednotk\p{L}|flag|ref\p{L}*\.?|reference .{1,20}|range|norm\p{L}*|low|high|val\. ref\p{L}*|h\/l|intervall\p{L}?)$/iu;

function dayOf(document: Document, text: string): string | undefined {
  const plain = text.replace(/^\(|\)$/g, '').replace(/^(?:[\p{L}.]{2,14}:? ){1,2}\(?(?=\d)/u, '');
  return dayIn(document, plain) ?? shortDayIn(document, plain);
}

/** "ANTERIOR" over "(10-07-2025)". */
function withLineBelow(
  document: Document,
  columns: readonly ResultColumn[],
  below: readonly Part[] | undefined,
): readonly ResultColumn[] {
  if (below === undefined || below.length === 0 || !below.every(({ text }) => /^\(?[^\p{L}]{5,14}\)?$/u.test(text)))
    return columns;
  const days = below.map((part) => ({ part, day: dayOf(document, part.text) }));
  if (days.some(({ day }) => day === undefined)) return columns;
  return columns.map((column) => {
    const under = days.find(({ part }) => columns[nearestIndex(columns, part)] === column);
    return under?.day === undefined || column.kind === 'other' ? column : { ...column, date: under.day };
  });
}

const placeholder =
  /^(?:[-–—/.]{1,3}|n\. ?[bdem]\.|n\/?[ad]|nd|s\. ?u\.|ausst(?:eht|ehend)|pending|folgt|non dosée?s?|no realizado|nicht bestimmt|not done|en cours|pendiente|in corso|volgt|nepro?vedeno|k\. ?a\.)$/iu;
const footnote = /^(?:\(\d{1,2}\)|[¹²³]|[a-d]\))$/u;
/** "desejável < 190", "target 2.0 – 3.0", "inf. a 6,5". */
const limitWords = /^(?:\p{L}{2,14}[.:]? (?:\p{L}{1,10} )?)(?=[<>≤≥]? ?\d)/u;

interface Values {
  readonly at: number;
  readonly part: Part;
  flag?: string;
}

function valuesOf(parts: readonly Part[], columns: readonly ResultColumn[], line: Range, nameOf: Naming): LabCells[] {
  const [label, ...rest] = parts;
  if (label === undefined || rest.length === 0 || /^\d/.test(label.text)) return [];
  const analyte = nameOf(label.text);
  if (analyte === undefined) return [];
  const values: Values[] = [];
  let unit: string | undefined;
  let range: string | undefined;
  for (const part of rest) {
    const at = nearestIndex(columns, part);
    const last = values.at(-1);
    if (isUnitCell(part.text)) unit ??= part.text;
    else if (isRangeCell(part.text) || (limitWords.test(part.text) && !isResultCell(part.text))) range ??= part.text;
    else if (isResultCell(part.text)) values.push({ at, part });
    else if (last !== undefined && last.at === at && last.flag === undefined && isFlagCell(part.text))
      last.flag = part.text;
    else if (!placeholder.test(part.text) && !footnote.test(part.text) && !isFlagCell(part.text)) return [];
  }
  const isComplete = !rest.some(({ text }) => placeholder.test(text));
  const placed = placedIn(columns, values, isComplete);
  if (placed === undefined) return [];
  return placed.flatMap(({ column: { kind, date }, part, flag }): LabCells[] => {
    if (kind !== 'current' && date === undefined) return [];
    return [
      {
        analyte,
        label: label.text,
        value: part.text,
        ...(unit === undefined ? {} : { unit }),
        ...(range === undefined ? {} : { range }),
        ...(flag === undefined ? {} : { flag }),
        ...(date === undefined ? {} : { date }),
        start: part.start,
        end: part.end,
        row: line.start,
      },
    ];
  });
}

/**
 * By position, else, in a table without positions such as CSV, in order if there are as many values as columns of results.
 * @param isComplete whether no result of the row is missing, as "not done" says
 */
function placedIn(
  columns: readonly ResultColumn[],
  values: readonly Values[],
  isComplete: boolean,
): (Values & { readonly column: ResultColumn })[] | undefined {
  const results = columns.filter(({ kind }) => kind !== 'other');
  const isPlaced =
    new Set(values.map(({ at }) => at)).size === values.length &&
    values.every(({ at }) => columns[at]!.kind !== 'other');
  if (isPlaced) return values.map((value) => ({ ...value, column: columns[value.at]! }));
  // "Maximum" between two samples: what stands under another title is no result.
  const isUnderTitles =
    new Set(values.map(({ at }) => at)).size === values.length &&
    values.every(({ at, part }) => gap(columns[at]!, part) <= 0);
  if (isUnderTitles)
    return values
      .map((value) => ({ ...value, column: columns[value.at]! }))
      .filter(({ column }) => column.kind !== 'other');
  return isComplete && values.length === results.length
    ? values.map((value, index) => ({ ...value, column: results[index]! }))
    : undefined;
}

function nearestIndex(columns: readonly ResultColumn[], part: Pick<Part, 'from' | 'to'>): number {
  let best = 0;
  for (let at = 1; at < columns.length; at += 1) if (gap(columns[at]!, part) < gap(columns[best]!, part)) best = at;
  return best;
}

/** Between the ranges of characters; negative where they overlap. */
function gap(column: Pick<ResultColumn, 'from' | 'to'>, part: Pick<Part, 'from' | 'to'>): number {
  return Math.max(column.from, part.from) - Math.min(column.to, part.to);
}
