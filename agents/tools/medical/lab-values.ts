/** Reads laboratory values from lines and tables: name, value, unit, the laboratory's own range and flag. */
import { lineAround, type Range } from '../text/span.ts';
import { type Analyte, analytes, type RangeOf } from './analytes.ts';
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
}

const names = indexTerms(analytes.flatMap((analyte) => analyte.names.map((name) => [name, analyte] as const)));

/** Short names are also words and letters: they count only with a unit of theirs. */
const needsUnit = (analyte: Analyte) => analyte.unit !== '1';

/** In the order of the text. A value without a unit is left out, unless the quantity has none. */
export function findLabValues(text: string): LabValue[] {
  const found: LabValue[] = [];
  for (const { start, end, value: analyte } of findTerms(text, names)) {
    const lineEnd = lineAround(text, end, 160).end;
    const lab = readValue(text, analyte, { start, end }, lineEnd);
    if (lab !== undefined) found.push(lab);
  }
  return found;
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

function readValue(text: string, analyte: Analyte, name: Range, lineEnd: number): LabValue | undefined {
  let at = matchEnd(separators, text, name.end) ?? name.end;
  numberShape.lastIndex = at;
  const match = numberShape.exec(text);
  if (match === null || numberShape.lastIndex > lineEnd) return undefined;
  at = numberShape.lastIndex;
  const rest = readRest(text, at, lineEnd);
  const unit = rest.unit ?? (needsUnit(analyte) ? undefined : analyte.unit);
  if (unit === undefined) return undefined;
  const number = parseValue(match[2]!, unit);
  const own = toOwnUnit(analyte, number, unit);
  if (own === undefined || !isPossible(analyte, own)) return undefined;
  const bound =
    match[1] === undefined ? undefined : match[1] === '<' || match[1] === '≤' ? ('<' as const) : ('>' as const);
  const other = inOtherUnit(analyte, own);
  const givenRange = rest.range === undefined ? undefined : convertRange(analyte, rest.range, unit);
  return {
    analyte,
    written: `${bound ?? ''}${match[2]}`,
    value: unit === analyte.unit ? roundTo(own, 4) : roundSignificant(own),
    ...(bound === undefined ? {} : { bound }),
    unit,
    ...(unit === analyte.unit && other !== undefined ? { other } : {}),
    ...(givenRange === undefined ? {} : { givenRange }),
    ...(rest.flag === undefined ? {} : { givenFlag: rest.flag }),
    start: name.start,
    end: rest.end,
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
      const number = (written: string) => Number(written.replace(',', '.'));
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

/** A comma is a decimal mark, except before three digits of a count per microlitre. */
function parseValue(written: string, unit: string): number {
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
