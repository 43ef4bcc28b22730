/** Reads laboratory values from lines and tables: name, value, unit, the laboratory's own range and flag. */
import { labelOver } from '../../document/context.ts';
import { type Document, sentenceAt } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { type Analyte, analytes, type RangeOf } from './analytes.ts';
import { type LabCells, readLabCells } from './lab-tables.ts';
import { roundSignificant, roundTo } from './rounding.ts';
import { findTerms, indexTerms } from './term-finder.ts';
import { inOtherUnit, normaliseUnit, toOwnUnit, unitShape } from './units.ts';

export interface LabValue extends Range {
  readonly analyte: Analyte;
  /** As written, with `<` or `>` before it where the laboratory gives only a bound. */
  readonly written: string;
  /** In the analyte's own unit. */
  readonly value: number;
  readonly bound?: '<' | '>';
  /** As written, normalised; the analyte's own where the text has none and none is needed. */
  readonly unit: string;
  readonly other?: { readonly value: number; readonly unit: string };
  /** Of the laboratory, in the analyte's own unit. */
  readonly givenRange?: RangeOf;
  readonly givenFlag?: 'high' | 'low' | 'abnormal';
  /** The text states no unit: this is the one in which the value or the printed range is plausible. */
  readonly unitIsInferred?: true;
  /** ISO, where the table gives the value's column or row a day. */
  readonly date?: string;
}

const names = indexTerms(analytes.flatMap((analyte) => analyte.names.map((name) => [name, analyte] as const)));

/** Short names are also words and letters: they count only with a unit of theirs. */
const needsUnit = (analyte: Analyte) => analyte.unit !== '1';

/** In the order of the text: rows of tables by their columns, else what follows a name in its sentence. */
export function findLabValues(document: Document): LabValue[] {
  const inTables = readLabTables(document);
  const rows = new Set(inTables.map(({ row }) => row));
  const found: LabValue[] = inTables.map(({ value }) => value);
  for (const { start, end, value: analyte } of findTerms(document.text, names)) {
    const sentence = sentenceAt(document, start);
    const isOther = otherFluid.test(
      document.text.slice(Math.max(sentence.start, start - 14), Math.min(sentence.end, end + 10)),
    );
    if (rows.has(sentence.start) || isOther) continue;
    // "Labs: Na 131, K 5.8": under such a label numbers need no unit to be laboratory values.
    const isLab = laboratoryLabel.test(labelOver(document, start));
    const lab = readValue(
      document.text,
      analyte,
      { start, end },
      { lineEnd: Math.min(sentence.end, end + 160), isLab },
    );
    if (lab !== undefined) found.push(lab);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Values of tables with the row that each stands in, by the offset of the row. */
function readLabTables({ tables, dateOrder }: Document): { row: number; value: LabValue }[] {
  return tables.flatMap((table) =>
    readLabCells(table, dateOrder, analyteOf).flatMap((cells) => {
      const value = readCells(cells);
      return value === undefined ? [] : [{ row: cells.row, value }];
    }),
  );
}

const laboratoryLabel =
  /\b(?:labs?|laborator(?:y|ies)|labor(?:werte)?|blood (?:work|tests?|results)|chemistr(?:y|ies)|metabolic panel|bmp|cmp|cbc|haematology|hematology|laboratoř)\b/i;

const otherFluid = /\b(?:urine|urinary|csf|stool|pleural|ascit\w{0,3})\b/i;

/** The quantity that a label names; what is not measured in blood is another quantity. */
function analyteOf(label: string): Analyte | undefined {
  if (label.length > 80 || otherFluid.test(label) || /\b(?:ratio|clearance|fluid)\b/i.test(label)) return undefined;
  const [first] = findTerms(label, names);
  return first !== undefined && first.start <= 20 ? first.value : undefined;
}

function readCells({
  analyte,
  label,
  value,
  unit: unitCell,
  range: rangeCell,
  flag: flagCell,
  date,
  start,
  end,
}: LabCells): LabValue | undefined {
  numberShape.lastIndex = 0;
  const match = numberShape.exec(value);
  if (match === null || match.index !== 0) return undefined;
  const rest = readRest(value, numberShape.lastIndex, value.length);
  const written = rest.unit ?? unitIn(unitCell) ?? unitIn(/[([]([^()[\]]{1,20})[)\]]/.exec(label)?.[1]);
  const range = rest.range ?? rangeIn(rangeCell, written);
  const unit =
    written ?? (needsUnit(analyte) ? inferUnit(analyte, Number(match[2]!.replace(',', '.')), range) : analyte.unit);
  if (unit === undefined) return undefined;
  return labOf(analyte, match, {
    unit,
    range,
    flag: rest.flag ?? flagIn(flagCell),
    start,
    end,
    extra: {
      ...(written === undefined && needsUnit(analyte) ? { unitIsInferred: true as const } : {}),
      ...(date === undefined ? {} : { date }),
    },
  });
}

function unitIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  unitShape.lastIndex = 0;
  const match = unitShape.exec(text.trim());
  return match === null ? undefined : normaliseUnit(match[0]);
}

function rangeIn(text: string | undefined, unit = ''): RangeOf | undefined {
  return text === undefined ? undefined : nextPart(text.trim(), 0, { end: 0, unit, flag: 'abnormal' })?.range;
}

function flagIn(text: string | undefined): Rest['flag'] {
  return text === undefined ? undefined : nextPart(text.trim(), 0, { end: 0, unit: '', range: {} })?.flag;
}

/** The only unit of the quantity in which the printed range, or else the value, is near the usual range; undefined where several are. */
function inferUnit(analyte: Analyte, value: number, range: RangeOf | undefined): string | undefined {
  const usual = analyte.range.male;
  const near = (one: number | undefined, other: number | undefined, factor: number) =>
    one !== undefined && other !== undefined && other > 0 && one >= other / factor && one <= other * factor;
  const fits = [analyte.unit, ...Object.keys(analyte.units)].filter((unit) => {
    const own = (number: number | undefined) => (number === undefined ? undefined : toOwnUnit(analyte, number, unit));
    if (range !== undefined) return near(own(range.high), usual.high, 2) || near(own(range.low), usual.low, 2);
    return near(own(value), usual.high ?? usual.low, 6);
  });
  const distinct = new Set(fits.map((unit) => toOwnUnit(analyte, 1, unit)));
  return distinct.size === 1 ? fits[0] : undefined;
}

const separators =
  /(?:[ \u00a0\t|:=;,*]|\([^()\n]{0,24}\)|\[[^[\]\n]{0,24}\]|(?<!\p{L})(?:level|levels|count|was|is|of|at|value|currently|now|today|fasting|random|serum|plasma|result|hladina|nalačno|nüchtern)(?!\p{L})){0,60}/uy;
const numberShape =
  /([<>≤≥])?[ \u00a0]?(\d{1,3}(?:[, \u00a0]\d{3}){1,2}(?![\d.,])|\d{1,6}(?:[.,]\d{1,4})?)(?![\d]|[.,/-]\d|\p{L}{2})/uy;
const gapShape = /[ \u00a0\t|]{0,40}/y;
const flagShape =
  /[([]?(?:(HH?|high|hoch|↑{1,2}|\+{1,2})|(LL?|low|niedrig|↓{1,2}|-{1,2}(?= |$))|(\*{1,2}|abnormal|!))[)\]]?(?![\p{L}\d])/uy;
const rangeShape =
  /[([]?(?:(?:ref|norm|normal|n|reference range|reference|referenz|nr|rr)\.?:?[ \u00a0]{0,2})?(?:(\d{1,6}(?:[.,]\d{1,4})?)[ \u00a0]?(?:-|–|—|to|bis|až)[ \u00a0]?(\d{1,6}(?:[.,]\d{1,4})?)|([<>≤≥])[ \u00a0]?(\d{1,6}(?:[.,]\d{1,4})?))(?![\d]|[.,]\d)[)\]]?/iuy;

function readValue(
  text: string,
  analyte: Analyte,
  name: Range,
  { lineEnd, isLab }: { readonly lineEnd: number; readonly isLab: boolean },
): LabValue | undefined {
  let at = matchEnd(separators, text, name.end) ?? name.end;
  numberShape.lastIndex = at;
  const match = numberShape.exec(text);
  if (match === null || numberShape.lastIndex > lineEnd) return undefined;
  at = numberShape.lastIndex;
  const rest = readRest(text, at, lineEnd);
  const inferred =
    isLab && needsUnit(analyte) ? inferUnit(analyte, Number(match[2]!.replace(',', '.')), rest.range) : undefined;
  const unit = rest.unit ?? (needsUnit(analyte) ? inferred : analyte.unit);
  if (unit === undefined) return undefined;
  const extra = rest.unit === undefined && needsUnit(analyte) ? { unitIsInferred: true as const } : {};
  return labOf(analyte, match, { unit, range: rest.range, flag: rest.flag, start: name.start, end: rest.end, extra });
}

interface Reading extends Range {
  readonly unit: string;
  readonly range: RangeOf | undefined;
  readonly flag: Rest['flag'] | undefined;
  readonly extra?: Pick<LabValue, 'unitIsInferred' | 'date'>;
}

/** @param match of `numberShape` · @returns undefined where the unit does not fit or the value is not possible */
function labOf(
  analyte: Analyte,
  match: RegExpExecArray,
  { unit, range, flag, start, end, extra = {} }: Reading,
): LabValue | undefined {
  const number = parseValue(match[2]!, unit);
  const own = toOwnUnit(analyte, number, unit);
  if (own === undefined || !isPossible(analyte, own)) return undefined;
  const bound =
    match[1] === undefined ? undefined : match[1] === '<' || match[1] === '≤' ? ('<' as const) : ('>' as const);
  const other = inOtherUnit(analyte, own);
  const givenRange = range === undefined ? undefined : convertRange(analyte, range, unit);
  return {
    analyte,
    written: `${bound ?? ''}${match[2]}`,
    value: unit === analyte.unit ? roundTo(own, 4) : roundSignificant(own),
    ...(bound === undefined ? {} : { bound }),
    unit,
    ...(unit === analyte.unit && other !== undefined ? { other } : {}),
    ...(givenRange === undefined ? {} : { givenRange }),
    ...(flag === undefined ? {} : { givenFlag: flag }),
    ...extra,
    start,
    end,
  };
}

interface Rest {
  readonly unit?: string;
  readonly range?: RangeOf;
  readonly flag?: 'high' | 'low' | 'abnormal';
  readonly end: number;
}

/** Unit, flag and range in any order: laboratories differ. At most five parts. */
function readRest(text: string, from: number, lineEnd: number): Rest {
  let rest: Rest = { end: from };
  for (let count = 0; count < 5; count += 1) {
    const at = matchEnd(gapShape, text, rest.end) ?? rest.end;
    if (at >= lineEnd) break;
    const next = nextPart(text, at, rest);
    if (next === undefined) break;
    rest = next;
  }
  return rest;
}

function nextPart(text: string, at: number, rest: Rest): Rest | undefined {
  if (rest.unit === undefined) {
    unitShape.lastIndex = at;
    const unit = unitShape.exec(text);
    if (unit !== null) return { ...rest, unit: normaliseUnit(unit[0]), end: unitShape.lastIndex };
  }
  if (rest.range === undefined) {
    rangeShape.lastIndex = at;
    const range = rangeShape.exec(text);
    if (range !== null) {
      const number = (written: string) => parseValue(written, rest.unit ?? '');
      const read: RangeOf =
        range[1] !== undefined
          ? { low: number(range[1]), high: number(range[2]!) }
          : range[3] === '<' || range[3] === '≤'
            ? { high: number(range[4]!) }
            : { low: number(range[4]!) };
      return { ...rest, range: read, end: rangeShape.lastIndex };
    }
  }
  if (rest.flag === undefined) {
    flagShape.lastIndex = at;
    const flag = flagShape.exec(text);
    if (flag !== null) {
      const read = flag[1] !== undefined ? 'high' : flag[2] !== undefined ? 'low' : 'abnormal';
      return { ...rest, flag: read, end: flagShape.lastIndex };
    }
  }
  return undefined;
}

/** A comma is a decimal mark, except before three digits of a count per microlitre, which a point may separate as well. */
function parseValue(written: string, unit: string): number {
  if (unit === '/µl' && /^[1-9]\d{0,2}[.,]\d{3}$/.test(written)) return Number(written.replace(/[.,]/, ''));
  if (
    /[, \u00a0]\d{3}/.test(written) &&
    (unit === '/µl' || /[ \u00a0]/.test(written) || written.split(',').length > 2)
  ) {
    return Number(written.replace(/[, \u00a0]/g, ''));
  }
  return Number(written.replace(',', '.'));
}

function convertRange(analyte: Analyte, { low, high }: RangeOf, unit: string): RangeOf | undefined {
  const convert = (value: number | undefined) => (value === undefined ? undefined : toOwnUnit(analyte, value, unit));
  const [from, to] = [convert(low), convert(high)];
  if (from !== undefined && to !== undefined && from >= to) return undefined;
  return {
    ...(from === undefined ? {} : { low: roundTo(from, 4) }),
    ...(to === undefined ? {} : { high: roundTo(to, 4) }),
  };
}

/** A thousand times the upper limit is a misreading, not a measurement. */
function isPossible({ range, critical }: Analyte, value: number): boolean {
  const high = critical.high ?? range.male.high ?? range.male.low ?? 1;
  return Number.isFinite(value) && value >= 0 && value <= high * 1000;
}

function matchEnd(shape: RegExp, text: string, at: number): number | undefined {
  shape.lastIndex = at;
  return shape.test(text) ? shape.lastIndex : undefined;
}
