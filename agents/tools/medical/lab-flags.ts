/** Judges laboratory values by the laboratory's own range, or by the usual one of adults. */
import type { Document } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import { indexAt } from '../text/ranges.ts';
import { lineAround, type Span } from '../text/span.ts';
import type { Analyte, RangeOf } from './analytes.ts';
import type { Sex } from './formulas.ts';
import { findLabValues, type LabValue } from './lab-values.ts';
import type { Patient } from './patient.ts';

export type LabFlag = 'critically low' | 'low' | 'normal' | 'high' | 'critically high' | 'not judged';

export interface ReviewedLab {
  readonly analyte: Analyte;
  readonly lab: LabValue;
  readonly flag: LabFlag;
  readonly range: RangeOf;
  readonly rangeSource: 'document' | 'usual adult range' | 'none';
  /** ISO: the day of the value, as the words around it say, or the last before it in its message. */
  readonly date?: string;
  readonly span: Span;
}

/** In the order of the text. Children get no judgement by the ranges of adults. */
export function reviewLabs(document: Document, patient: Patient): ReviewedLab[] {
  const days = document.dates.filter(({ iso }) => iso.length === 10);
  return findLabValues(document).map((lab) => {
    const { analyte, givenRange } = lab;
    const child = patient.ageYears !== undefined && patient.ageYears.value < 18;
    const usual = child ? {} : usualRange(analyte, patient.sex?.value);
    const range = givenRange ?? usual;
    const date = lab.date ?? dateOf(document.text, lab, days);
    return {
      analyte,
      lab,
      flag: flagOf(lab, range, child ? {} : analyte.critical),
      range,
      rangeSource: givenRange !== undefined ? 'document' : Object.keys(usual).length > 0 ? 'usual adult range' : 'none',
      ...(date === undefined ? {} : { date }),
      span: document.spanOf(lab),
    };
  });
}

/** The day that its line names after it ("… on 12 January 2026"), else the last day before it. */
function dateOf(text: string, lab: LabValue, days: readonly FoundDate[]): string | undefined {
  const before = indexAt(days, lab.start);
  const next = days[before === undefined ? 0 : before + 1];
  if (next !== undefined && next.start < lineAround(text, lab.end, 120).end) {
    const words = text.slice(Math.max(lab.end, next.start - 8), next.start);
    if (/(?<!\p{L})(?:on|of|from|dne|ze dne|z|am|vom|le|du)\s$/iu.test(words)) return next.iso;
  }
  return before === undefined ? undefined : days[before]!.iso;
}

/** Where the sex is not known, what is normal for either. */
function usualRange({ range: { female, male } }: Analyte, sex: Sex | undefined): RangeOf {
  if (sex === 'female') return female;
  if (sex === 'male') return male;
  const low = smaller(female.low, male.low);
  const high =
    female.high === undefined || male.high === undefined
      ? (female.high ?? male.high)
      : Math.max(female.high, male.high);
  return { ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) };
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** A bound ("< 0.5") is judged only where it decides. */
function flagOf({ value, bound }: LabValue, range: RangeOf, critical: RangeOf): LabFlag {
  if (range.low === undefined && range.high === undefined) return 'not judged';
  const below = (limit: number | undefined) =>
    limit !== undefined && (bound === '<' ? value <= limit : bound === '>' ? false : value < limit);
  const above = (limit: number | undefined) =>
    limit !== undefined && (bound === '>' ? value >= limit : bound === '<' ? false : value > limit);
  if (below(range.low)) return below(critical.low) ? 'critically low' : 'low';
  if (above(range.high)) return above(critical.high) ? 'critically high' : 'high';
  return bound === undefined ||
    (bound === '<' && range.low === undefined) ||
    (bound === '>' && range.high === undefined)
    ? 'normal'
    : 'not judged';
}
