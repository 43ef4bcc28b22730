/** Laboratory values in prose: what follows the name of a quantity in its statement, with the unit that the record leaves out. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import type { Analyte } from './analytes.ts';
import {
  type DecimalMark,
  matchEnd,
  nextPart,
  numberShape,
  parseValue,
  type Rest,
  readRest,
  separators,
} from './lab-parts.ts';
import { inferUnit, type LabValue, labOf, needsUnit } from './lab-value.ts';

interface ProseContext {
  readonly lineEnd: number;
  readonly isLab: boolean;
  /** The unit in which the document states the quantity in another place. */
  readonly usedUnit: string | undefined;
}

/** Quantities that notes write without a unit. */
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

export function readValue(
  document: Document,
  analyte: Analyte,
  name: Range,
  { lineEnd, isLab, usedUnit }: ProseContext,
): LabValue | undefined {
  const { text, decimalMark: mark } = document;
  // "Elevation of PSA (13.08 ng/ml)": the value in brackets, with its unit.
  const bracket = bracketed.exec(text.slice(name.end, name.end + 40));
  let at = bracket === null ? (matchEnd(separators, text, name.end) ?? name.end) : name.end + bracket[1]!.length;
  numberShape.lastIndex = at;
  const match = numberShape.exec(text);
  if (match === null || numberShape.lastIndex > lineEnd || isLimit(text, match, numberShape.lastIndex))
    return undefined;
  at = numberShape.lastIndex;
  const rest = withLateRange(text, readRest(text, at, lineEnd, mark), mark);
  if (bracket !== null && rest.unit === undefined) return undefined;
  const number = parseValue(match[2]!, rest.unit ?? '', mark);
  if (number === undefined) return undefined;
  const label = text.slice(name.start, name.end);
  // A bound without a unit, a range or a list of results around it is a limit: "HbA1c < 53".
  if (match[1] !== undefined && rest.unit === undefined && rest.range === undefined && !isLab) return undefined;
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

/** Of which the first group leads to the number. */
export const bracketed = /^( ?\( ?)\d{1,6}(?:[.,]\d{1,4})? ?[\p{L}%µ][\p{L}\d/.µ²³^]{0,12}\.?\)/u;

/** "creatinine ≥ 133 µmol/L" is a criterion and "TSH 0.1 - 2.5 mU/L" a range; a result below the limit of detection has "<". */
function isLimit(text: string, match: RegExpExecArray, end: number): boolean {
  return /[≥≤]/.test(match[1] ?? '') || /^ [-–—] ?\d{1,6}(?:[.,]\d{1,4})?(?![\d/.-])/.test(text.slice(end, end + 14));
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

/**
 * Whether what follows is not a unit of a medicine or a time, and the value is plausible in the unit that the record uses, or
 * in only one.
 */
function unitWithout(
  text: string,
  analyte: Analyte,
  number: number,
  { rest, label, isLab, usedUnit }: { rest: Rest; label: string; isLab: boolean; usedUnit: string | undefined },
): string | undefined {
  const after = text.slice(rest.end, rest.end + 10);
  if (
    /^[ ]?(?:[-–/]\d|\p{L}{1,3}\/|(?:mg|g|mcg|tab|units?|U|IU|days?|weeks?|months?|years?|yrs?|yo|y\/o|hours?|h|x|of|times)(?!\p{L}))/iu.test(
      after,
    )
  )
    return undefined;
  const isShort =
    shorthand.has(analyte.key) &&
    (label.length > 3 || /^\p{Lu}/u.test(label)) &&
    /[.,]\d$/.test(text.slice(0, rest.end).slice(-4).trim());
  if (usedUnit !== undefined && label.length > 2) return usedUnit;
  // "AST 51 (H)": the flag of a laboratory.
  const isFlagged =
    rest.flag === 'high' || rest.flag === 'low' ? /[([*]/.test(text.slice(rest.end - 4, rest.end)) : false;
  // Below 20, glycated haemoglobin is in per cent.
  const isPercent =
    analyte.key === 'hba1c' && /a1c/i.test(label) && number >= 4 && number < 20 && /^(?:[.;,)]|\s|$)/.test(after);
  if (isPercent) return '%';
  const isRate = analyte.key === 'egfr' && /\p{Lu}/u.test(label);
  return isLab || isShort || isFlagged || isRate || rest.range !== undefined
    ? inferUnit(analyte, number, rest.range)
    : undefined;
}

/** "INR was 2.4 on 11 November and 4.9 on 18 November": the second value has its own date. */
export function furtherValue({ text }: Document, lab: LabValue, lineEnd: number): LabValue | undefined {
  const rest = text.slice(lab.end, Math.min(lineEnd, lab.end + 60));
  const match =
    /^[^.;\n]{0,36}?(?:\band(?: (?:had |has |was )?(?:fallen|risen|rose|fell|dropped|increased|decreased|improved|down|up)(?: to)?)?|\bthen|→|->|\bund|\bpuis|\bet|\by|\be|\ben|\boch|\bog|\bi)\s(\d{1,4}(?:[.,]\d{1,2})?)(\s[\p{L}µ]{1,5}\/[\p{L}]{1,3}|\s?%)?\s(?=(?:on|by|am|le|dne|el|il|op|em|den|dnia)\s\d)/iu.exec(
      rest,
    );
  if (match === null) return undefined;
  const start = lab.end + match[0].trimEnd().lastIndexOf(match[1]!);
  const number = /^([<>])?[ ]?(\d+(?:[.,]\d+)?)/.exec(match[1]!)!;
  return labOf(lab.analyte, number, {
    label: lab.label,
    mark: undefined,
    unit: lab.unit,
    range: undefined,
    flag: undefined,
    start,
    end: start + match[1]!.length + (match[2]?.length ?? 0),
    extra: lab.unitIsInferred ? { unitIsInferred: true } : {},
  });
}
