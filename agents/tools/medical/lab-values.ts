/** Reads laboratory values from lines and tables: name, value, unit, the laboratory's own range and flag. */
import { labelOver } from '../../document/context.ts';
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { type Analyte, analytes, type RangeOf } from './analytes.ts';
import { hasMatch } from './clinical-status.ts';
import { type LabCells, readLabCells } from './lab-tables.ts';
import { roundSignificant, roundTo } from './rounding.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';
import { relative } from './status-cues.ts';
import { findTerms, indexTerms } from './term-finder.ts';
import { inOtherUnit, normaliseUnit, toOwnUnit, unitShape } from './units.ts';

export interface LabValue extends Range {
  readonly analyte: Analyte;
  /** The words of the record that name the quantity. */
  readonly label: string;
  /** As written, with `<` or `>` before it where the laboratory gives only a bound. */
  readonly written: string;
  /** The number as written, in the unit that is written. */
  readonly writtenNumber: number;
  readonly writtenRange?: RangeOf;
  /** In the analyte's own unit. */
  readonly value: number;
  readonly bound?: '<' | '>';
  /** As written, normalised; the analyte's own where the text has none and none is needed. */
  readonly unit: string;
  readonly other?: { readonly value: number; readonly unit: string };
  /** The laboratory's reference range, in the analyte's own unit. */
  readonly givenRange?: RangeOf;
  readonly givenFlag?: 'high' | 'low' | 'abnormal' | 'critical';
  /** The text states no unit: this is the one in which the value or the printed range is plausible. */
  readonly unitIsInferred?: true;
  /** ISO, where the table gives the value's column or row a day. */
  readonly date?: string;
}

const names = indexTerms(analytes.flatMap((analyte) => analyte.names.map((name) => [name, analyte] as const)));

/** Quantities with one name: "neutrophils" are counted, or a share of the leukocytes. */
const namesakes = new Map<string, Analyte[]>();
for (const analyte of analytes) {
  for (const name of analyte.names) namesakes.set(name, [...(namesakes.get(name) ?? []), analyte]);
}

/** Short names are also words and letters: they count only with a unit of theirs. */
const needsUnit = (analyte: Analyte) => analyte.unit !== '1';

/** In the order of the text: rows of tables by their columns, else what follows a name in its sentence. */
export function findLabValues(document: Document): LabValue[] {
  const inTables = readLabTables(document);
  const rows = new Set(inTables.map(({ row }) => row));
  const found: LabValue[] = inTables.map(({ value }) => value);
  const byUnit = new Map<string, string>();
  for (const { analyte, unit, unitIsInferred } of found) if (!unitIsInferred) byUnit.set(analyte.key, unit);
  let candidates = 0;
  for (const { start, end, value: analyte } of findTerms(document.text, names)) {
    if (!hasNumberAfter(document.text, end)) continue;
    candidates += 1;
    if (candidates > candidatesMax) break;
    const sentence = statementAt(document, start);
    if (isInRow(rows, document.text, start) || isNoResult(document, sentence, { start, end })) continue;
    // "Labs: Na 131, K 5.8": under such a label numbers need no unit to be laboratory values.
    const isLab = laboratoryLabel.test(labelOver(document, start)) || sectionAt(document, start).kind === 'laboratory';
    const context = {
      lineEnd: Math.min(Math.max(cellsEnd(document.text, sentence), end), end + 180),
      isLab,
      usedUnit: byUnit.get(analyte.key),
    };
    const lab = readValue(document, analyte, { start, end }, context);
    if (lab === undefined) continue;
    found.push(lab);
    if (!lab.unitIsInferred) byUnit.set(analyte.key, lab.unit);
    const further = furtherValue(document, lab, context.lineEnd);
    if (further !== undefined) found.push(further);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Names with a number behind them that are looked at outside of tables. */
const candidatesMax = 3_000;

function hasNumberAfter(text: string, end: number): boolean {
  numberShape.lastIndex = matchEnd(separators, text, end) ?? end;
  return numberShape.test(text);
}

/** A value may stand in the cell after its name. */
function cellsEnd(text: string, { end }: Range): number {
  if (text[end - 1] !== '\t') return end;
  const line = text.indexOf('\n', end);
  return line === -1 ? text.length : line;
}

/** Offsets of lines whose values are read by their columns. */
function isInRow(rows: ReadonlySet<number>, text: string, at: number): boolean {
  for (let start = at; at - start < 2_000; start -= 1) {
    if (rows.has(start)) return true;
    if (start === 0 || text[start - 1] === '\n') return false;
  }
  return false;
}

/** Thresholds, goals, other fluids, medicines and relatives. */
function isNoResult(document: Document, sentence: Range, { start, end }: Range): boolean {
  const { text } = document;
  const before = text.slice(Math.max(sentence.start, start - 40), start);
  const around = text.slice(Math.max(sentence.start, start - 14), Math.min(Math.max(sentence.end, end), end + 10));
  if (
    otherFluid.test(around) ||
    threshold.test(before) ||
    /^[ ](?:goal|target|threshold)/i.test(text.slice(end, end + 12))
  )
    return true;
  const kind = sectionAt(document, start).kind;
  return (
    kind === 'family' ||
    kind === 'limits' ||
    hasMatch(relative, text.slice(sentence.start, Math.min(start, sentence.start + 40)))
  );
}

const threshold =
  /(?<!\p{L})(?:if|when|until|unless|goal|target|call for|hold for|hold if|keep|maintain|aim(?: for)?|only if|results below|results above|falls?|wenn|falls|si|ziel\p{L}*|objectif)[^.;,]{0,24}$/iu;

/** "INR was 2.4 on 11 November and 4.9 on 18 November": the second value has a day of its own. */
function furtherValue({ text }: Document, lab: LabValue, lineEnd: number): LabValue | undefined {
  const rest = text.slice(lab.end, Math.min(lineEnd, lab.end + 60));
  const match =
    /^[^.;\n]{0,36}?(?:\band|\bthen|→|->|\bund|\bpuis|\bet)\s(\d{1,4}(?:[.,]\d{1,2})?)\s(?=(?:on|am|le|dne)\s\d)/iu.exec(
      rest,
    );
  if (match === null) return undefined;
  const start = lab.end + match[0].lastIndexOf(match[1]!);
  const number = /^([<>])?[ ]?(\d+(?:[.,]\d+)?)/.exec(match[1]!)!;
  return labOf(lab.analyte, number, {
    label: lab.label,
    mark: undefined,
    unit: lab.unit,
    range: undefined,
    flag: undefined,
    start,
    end: start + match[1]!.length,
    extra: lab.unitIsInferred ? { unitIsInferred: true } : {},
  });
}

/** Values of tables with the row that each stands in, by the offset of the row. */
function readLabTables(document: Document): { row: number; value: LabValue }[] {
  return document.tables.flatMap((table) =>
    readLabCells(document, table, analyteOf).flatMap((cells) => {
      const value = readCells(cells, document.decimalMark);
      return value === undefined ? [] : [{ row: cells.row, value }];
    }),
  );
}

const laboratoryLabel =
  /\b(?:labs?|laborator(?:y|ies)|labor(?:werte)?|blood (?:work|tests?|results)|chemistr(?:y|ies)|metabolic panel|bmp|cmp|cbc|haematology|hematology|laboratoř)\b/i;

const otherFluid = /\b(?:urine|urinary|csf|stool|pleural|ascit\w{0,3})\b/i;

/** The quantity that a label names; what is not measured in blood is another quantity. */
function analyteOf(label: string): Analyte | undefined {
  if (label.length > 80) return undefined;
  const [first] = findTerms(label, names);
  const isOther = otherFluid.test(label) || /\b(?:ratio|clearance|fluid)\b/i.test(label);
  if (isOther && first?.value.key !== 'uacr') return undefined;
  return first !== undefined && first.start <= 20 ? first.value : undefined;
}

function readCells(
  { analyte, label, value, unit: unitCell, range: rangeCell, flag: flagCell, date, start, end }: LabCells,
  mark: DecimalMark,
): LabValue | undefined {
  numberShape.lastIndex = 0;
  const match = numberShape.exec(value);
  if (match === null || match.index !== 0) return undefined;
  const rest = readRest(value, numberShape.lastIndex, value.length, mark);
  const written = rest.unit ?? unitIn(unitCell) ?? unitIn(/[([]([^()[\]]{1,20})[)\]]/.exec(label)?.[1]);
  const range = rest.range ?? rangeIn(rangeCell, mark, written);
  const unit =
    written ??
    (needsUnit(analyte) ? inferUnit(analyte, parseValue(match[2]!, '', mark) ?? Number.NaN, range) : analyte.unit);
  if (unit === undefined) return undefined;
  const [named] = findTerms(label, names);
  return labOf(analyte, match, {
    label: named === undefined ? label : label.slice(named.start, named.end),
    mark,
    unit,
    range,
    flag: strongest(rest.flag, flagIn(flagCell)),
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

function rangeIn(text: string | undefined, mark: DecimalMark, unit = ''): RangeOf | undefined {
  return text === undefined ? undefined : nextPart(text.trim(), 0, { end: 0, unit, flag: 'abnormal' }, mark)?.range;
}

function strongest(one: Rest['flag'], other: Rest['flag']): Rest['flag'] {
  return one === 'critical' || other === undefined ? one : other === 'critical' ? other : (one ?? other);
}

function flagIn(text: string | undefined): Rest['flag'] {
  return text === undefined
    ? undefined
    : nextPart(text.trim().replace(/^\*+ ?|(?<=\p{L}) ?\*+$/gu, ''), 0, { end: 0, unit: '', range: {} }, undefined)
        ?.flag;
}

/** The only unit of the quantity in which the printed range, or else the value, is near the usual range; undefined where several are. */
function inferUnit(analyte: Analyte, value: number, range: RangeOf | undefined): string | undefined {
  const usual = analyte.range.male;
  const near = (one: number | undefined, other: number | undefined, factor: number) =>
    one !== undefined && other !== undefined && other > 0 && one >= other / factor && one <= other * factor;
  const fitting = (factor: number) =>
    [analyte.unit, ...Object.keys(analyte.units)].filter((unit) => {
      const own = (number: number | undefined) => (number === undefined ? undefined : toOwnUnit(analyte, number, unit));
      if (range !== undefined)
        return near(own(range.high), usual.high, factor) || near(own(range.low), usual.low, factor);
      return near(own(value), usual.high ?? usual.low, 6);
    });
  const close = fitting(1.35);
  const fits = close.length > 0 ? close : fitting(2);
  const distinct = new Set(fits.map((unit) => toOwnUnit(analyte, 1, unit)));
  return distinct.size === 1 ? fits[0] : undefined;
}

const separators =
  /(?:[ \u00a0\t|:=;,*~]|\n[ ]{0,12}|\([^()\n]{0,24}\)|\[[^[\]\n]{0,24}\]|(?<!\p{L})(?:level|levels|count|activity|concentration|was|is|were|of|at|value|currently|now|today|fasting|random|serum|plasma|result|came|come|back|had|has|down|up|to|rose|risen|fell|fallen|increased|decreased|dropped|improved|peaked|remained|stable|elevated|low|high|normal|estimated|estimé|estimée|à|est|de|était|lag|war|ist|bei|betrug|auf|von|hladina|nalačno|nüchtern|on|admission|discharge|initial|repeat|latest|last|approximately|about|only|measured|reported|as)(?!\p{L})){0,60}/uy;
const numberShape =
  /([<>≤≥])?[ \u00a0]?(\d{1,3}(?:[, \u00a0]\d{3}){1,2}(?![\d.,])|\d{1,6}(?:[.,]\d{1,4})?)(?![\d]|[.,/-]\d|\p{L}{2})/uy;
const gapShape = /(?:[ \u00a0\t|]|\n(?!\n)){0,40}/y;
const flagShape =
  /[([]?\*{0,3}(?:(critical(?:ly)?(?: (?:high|low))?|crit|kritisch|critique|panic|HH|LL|HHH|LLL|H\*|L\*|↑↑|↓↓)|(H|high|hoch|haut|élevé|erhöht|↑|\+{1,3})|(L|low|niedrig|bas|vermindert|erniedrigt|↓|-{1,2}(?= |$))|(\*{1,3}|abnormal|A(?=\)|$)|!))\*{0,3}[)\]]?(?![\p{L}\d])/iuy;
const rangeShape =
  /[([]?(?:(?:ref(?:erence)?|norm|normal|normes?|n|reference range|reference interval|referenz(?:bereich)?|ref\. range|nr|rr|vn|valeurs normales|normale|nb)[.,]?:?[ \u00a0]{0,2})?(?:(\d{1,6}(?:[.,]\d{1,4})?)[ \u00a0]?(?:-|–|—|to|bis|až|à)[ \u00a0\n]{0,12}(\d{1,6}(?:[.,]\d{1,4})?)|([<>≤≥]|below |under |up to |less than |bis |unter |inférieur à |above |over |more than |über |supérieur à )[ \u00a0=]{0,2}(\d{1,6}(?:[.,]\d{1,4})?))(?![\d]|[.,]\d)[)\]]?/iuy;

type DecimalMark = Document['decimalMark'];

interface ProseContext {
  readonly lineEnd: number;
  readonly isLab: boolean;
  /** In which the document gives the quantity elsewhere. */
  readonly usedUnit: string | undefined;
}

/** Written without a unit in every note. */
const shorthand = new Set([
  'sodium',
  'potassium',
  'haemoglobin',
  'leukocytes',
  'platelets',
  'creatinine',
  'crp',
  'lactate',
  'magnesium',
]);

function readValue(
  document: Document,
  analyte: Analyte,
  name: Range,
  { lineEnd, isLab, usedUnit }: ProseContext,
): LabValue | undefined {
  const { text, decimalMark: mark } = document;
  let at = matchEnd(separators, text, name.end) ?? name.end;
  numberShape.lastIndex = at;
  const match = numberShape.exec(text);
  if (match === null || numberShape.lastIndex > lineEnd) return undefined;
  at = numberShape.lastIndex;
  const rest = withLateRange(text, readRest(text, at, lineEnd, mark), mark);
  const number = parseValue(match[2]!, rest.unit ?? '', mark);
  if (number === undefined) return undefined;
  const label = text.slice(name.start, name.end);
  const unit =
    rest.unit ??
    (needsUnit(analyte) ? unitWithout(text, analyte, number, { rest, label, isLab, usedUnit }) : analyte.unit);
  if (unit === undefined) return undefined;
  const extra = rest.unit === undefined && needsUnit(analyte) ? { unitIsInferred: true as const } : {};
  return labOf(analyte, match, {
    label,
    mark,
    unit,
    range: rest.range,
    flag: rest.flag,
    start: name.start,
    end: rest.end,
    extra,
  });
}

/** "1.1 mg/dL on 09/20/2025 (0.7-1.3)". */
function withLateRange(text: string, rest: Rest, mark: DecimalMark): Rest {
  if (rest.range !== undefined) return rest;
  const date = /^[ ,]{0,2}(?:on |am |le |dne |vom )?\(?\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\)?[ ]?(?=[([])/.exec(
    text.slice(rest.end, rest.end + 30),
  );
  if (date === null) return rest;
  const range = nextPart(text, rest.end + date[0].length, { ...rest, flag: rest.flag ?? 'abnormal' }, mark)?.range;
  return range === undefined ? rest : { ...rest, range };
}

/** What follows is no unit of a medicine or a time, and the value fits the unit that the record uses, or one alone. */
function unitWithout(
  text: string,
  analyte: Analyte,
  number: number,
  { rest, label, isLab, usedUnit }: { rest: Rest; label: string; isLab: boolean; usedUnit: string | undefined },
): string | undefined {
  const after = text.slice(rest.end, rest.end + 10);
  if (
    /^[ ]?(?:[-–/]\d|\p{L}{1,3}\/|(?:mg|g|mcg|tab|units?|U|IU|days?|weeks?|months?|years?|hours?|h|x|of|times)(?!\p{L}))/iu.test(
      after,
    )
  )
    return undefined;
  const isShort =
    shorthand.has(analyte.key) &&
    (label.length > 3 || /^\p{Lu}/u.test(label)) &&
    /[.,]\d$/.test(text.slice(0, rest.end).slice(-4).trim());
  if (usedUnit !== undefined && label.length > 2) return usedUnit;
  return isLab || isShort || rest.range !== undefined ? inferUnit(analyte, number, rest.range) : undefined;
}

interface Reading extends Range {
  readonly label: string;
  readonly mark: DecimalMark;
  readonly unit: string;
  readonly range: RangeOf | undefined;
  readonly flag: Rest['flag'] | undefined;
  readonly extra?: Pick<LabValue, 'unitIsInferred' | 'date'>;
}

/** @param match of `numberShape` · @returns undefined where the unit does not fit or the value is not possible */
function labOf(named: Analyte, match: RegExpExecArray, reading: Reading): LabValue | undefined {
  const { label, mark, unit, range, flag, start, end, extra = {} } = reading;
  const number = parseValue(match[2]!, unit, mark);
  if (number === undefined) return undefined;
  const analyte = [named, ...named.names.flatMap((name) => namesakes.get(name) ?? [])].find(
    (each) => toOwnUnit(each, number, unit) !== undefined,
  );
  if (analyte === undefined) return undefined;
  const own = toOwnUnit(analyte, number, unit);
  if (own === undefined || !isPossible(analyte, own)) return undefined;
  const bound =
    match[1] === undefined ? undefined : match[1] === '<' || match[1] === '≤' ? ('<' as const) : ('>' as const);
  const other = inOtherUnit(analyte, own);
  const givenRange = range === undefined ? undefined : convertRange(analyte, range, unit);
  return {
    analyte,
    label,
    writtenNumber: number,
    ...(range === undefined ? {} : { writtenRange: range }),
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
  readonly flag?: 'high' | 'low' | 'abnormal' | 'critical';
  readonly end: number;
}

/** Unit, flag and range in any order: laboratories differ. At most five parts. */
function readRest(text: string, from: number, lineEnd: number, mark: DecimalMark): Rest {
  let rest: Rest = { end: from };
  for (let count = 0; count < 5; count += 1) {
    const at = matchEnd(gapShape, text, rest.end) ?? rest.end;
    if (at >= lineEnd) break;
    const next = nextPart(text, at, rest, mark);
    if (next === undefined) break;
    rest = next;
  }
  return rest;
}

function nextPart(text: string, at: number, rest: Rest, mark: DecimalMark): Rest | undefined {
  if (rest.unit === undefined) {
    unitShape.lastIndex = at;
    const unit = unitShape.exec(text);
    if (unit !== null) return { ...rest, unit: normaliseUnit(unit[0]), end: unitShape.lastIndex };
  }
  if (rest.range === undefined) {
    rangeShape.lastIndex = at;
    const range = rangeShape.exec(text);
    if (range !== null) {
      const number = (written: string | undefined) =>
        written === undefined ? undefined : parseValue(written, rest.unit ?? '', mark);
      const [low, high, bound] = [number(range[1]), number(range[2]), number(range[4])];
      const isUpper = range[3] !== undefined && !/^(?:>|≥|above|over|more|über|sup)/i.test(range[3]);
      const read: RangeOf =
        bound === undefined
          ? { ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }
          : isUpper
            ? { high: bound }
            : { low: bound };
      return { ...rest, range: read, end: rangeShape.lastIndex };
    }
  }
  if (rest.flag === undefined) {
    flagShape.lastIndex = at;
    const flag = flagShape.exec(text);
    if (flag !== null) {
      const read =
        flag[1] !== undefined
          ? 'critical'
          : flag[2] !== undefined
            ? 'high'
            : flag[3] !== undefined
              ? 'low'
              : 'abnormal';
      return { ...rest, flag: read, end: flagShape.lastIndex };
    }
  }
  return undefined;
}

/**
 * A mark before exactly three digits separates thousands where the document's decimal mark is the other one, and in counts per
 * microlitre; where nothing decides, the number is not certain, and undefined.
 */
function parseValue(written: string, unit: string, mark: DecimalMark): number | undefined {
  if (/[ \u00a0]/.test(written)) return Number(written.replace(/[, \u00a0]/g, ''));
  if ((written.match(/[.,]/g) ?? []).length > 1) return Number(written.replace(/[.,]/g, ''));
  const three = /^[1-9]\d{0,2}([.,])\d{3}$/.exec(written);
  if (three !== null) {
    if (unit === '/µl') return Number(written.replace(/[.,]/, ''));
    if (mark === undefined && three[1] === ',') return undefined;
    if (mark !== undefined && three[1] !== mark) return Number(written.replace(/[.,]/, ''));
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
