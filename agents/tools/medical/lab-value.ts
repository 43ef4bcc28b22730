/**
 * Builds a laboratory value from its parts: the quantity that matches the unit, the value in the quantity's own unit, and its
 * plausibility.
 */
import type { Range } from '../text/span.ts';
import { type Analyte, analytes, type RangeOf } from './analytes.ts';
import { type DecimalMark, parseValue, type Rest } from './lab-parts.ts';
import { roundSignificant, roundTo } from './rounding.ts';
import { inOtherUnit, toOwnUnit } from './units.ts';

export interface LabValue extends Range {
  readonly analyte: Analyte;
  /** The words of the record that name the quantity. */
  readonly label: string;
  /** As written, with `<` or `>` before it if the laboratory gives only a bound. */
  readonly written: string;
  /** The number in the written unit. */
  readonly writtenNumber: number;
  readonly writtenRange?: RangeOf;
  /** In the analyte's own unit. */
  readonly value: number;
  readonly bound?: '<' | '>';
  /** As written, normalised; the analyte's own unit if the text has none and none is needed. */
  readonly unit: string;
  readonly other?: { readonly value: number; readonly unit: string };
  /** The laboratory's reference range, in the analyte's own unit. */
  readonly givenRange?: RangeOf;
  readonly givenFlag?: 'high' | 'low' | 'abnormal' | 'critical';
  /** Whether the text states no unit, and this is the one in which the value or the printed range is plausible. */
  readonly unitIsInferred?: true;
  /** ISO, if the table gives a date for the value's column or row. */
  readonly date?: string;
}

/** Quantities with the same name: "neutrophils" are a count or a share of the leukocytes. */
const namesakes = new Map<string, Analyte[]>();
for (const analyte of analytes) {
  for (const name of analyte.names) namesakes.set(name, [...(namesakes.get(name) ?? []), analyte]);
}

interface Reading extends Range {
  readonly label: string;
  readonly mark: DecimalMark;
  readonly unit: string;
  readonly range: RangeOf | undefined;
  readonly flag: Rest['flag'] | undefined;
  readonly extra?: Pick<LabValue, 'unitIsInferred' | 'date'>;
}

/** @param match of `numberShape` · @returns undefined if the unit does not match or the value is impossible */
export function labOf(named: Analyte, match: RegExpExecArray, reading: Reading): LabValue | undefined {
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

function convertRange(analyte: Analyte, { low, high }: RangeOf, unit: string): RangeOf | undefined {
  const convert = (value: number | undefined) => (value === undefined ? undefined : toOwnUnit(analyte, value, unit));
  const [from, to] = [convert(low), convert(high)];
  if (from !== undefined && to !== undefined && from >= to) return undefined;
  return {
    ...(from === undefined ? {} : { low: roundTo(from, 4) }),
    ...(to === undefined ? {} : { high: roundTo(to, 4) }),
  };
}

/** A value of a thousand times the upper limit is misread. */
function isPossible({ range, critical }: Analyte, value: number): boolean {
  const high = critical.high ?? range.male.high ?? range.male.low ?? 1;
  return Number.isFinite(value) && value >= 0 && value <= high * 1000;
}

/** The only unit of the quantity in which the printed range, or else the value, is plausible; undefined if there are several. */
export function inferUnit(analyte: Analyte, value: number, range: RangeOf | undefined): string | undefined {
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
  const fits = withoutRare(analyte, value, range, close.length > 0 ? close : fitting(2));
  const distinct = new Set(fits.map((unit) => toOwnUnit(analyte, 1, unit)));
  return distinct.size === 1 ? fits[0] : undefined;
}

/** Units that are rare where a record leaves the unit out: haemoglobin in mmol/L, lactate in mg/dL, gases in the other unit. */
function withoutRare(
  analyte: Analyte,
  value: number,
  range: RangeOf | undefined,
  units: readonly string[],
): readonly string[] {
  if (range !== undefined || units.length < 2) return units;
  const gas = value > 25 ? 'kpa' : 'mmhg';
  const rare = { haemoglobin: 'mmol/l', lactate: 'mg/dl', bun: 'mmol/l', po2: gas, pco2: gas }[analyte.key];
  return units.filter((unit) => unit !== rare);
}

/** Short names are also words and letters, so they count only with one of their units. */
export const needsUnit = (analyte: Analyte) => analyte.unit !== '1';
