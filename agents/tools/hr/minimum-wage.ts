/**
 * Minimum wages per hour that the pay of an adult may not be below. A minimum never falls, so that pay below an earlier one is below
 * the present one too.
 * @see National Minimum Wage Regulations 2015 (regulation 4, from 21 years), MiLoG § 1 and MiLoV, Code du travail L3231-2, Wet
 *   minimumloon (from 21 years), National Minimum Wage Orders of Ireland (from 20 years)
 */
import type { Clause, ClauseFact } from './clauses.ts';

interface MinimumWage {
  readonly currency: string;
  /** Younger employees have lower minimums; undefined if their age does not matter. */
  readonly fromAge?: number;
  /** By the first day, ascending. */
  readonly hourly: readonly (readonly [string, number])[];
}

const minimumWages: Readonly<Record<string, MinimumWage>> = {
  gb: {
    currency: 'gbp',
    fromAge: 21,
    hourly: [
      ['2024-04-01', 11.44],
      ['2025-04-01', 12.21],
      ['2026-04-01', 12.71],
    ],
  },
  de: {
    currency: 'eur',
    hourly: [
      ['2024-01-01', 12.41],
      ['2025-01-01', 12.82],
      ['2026-01-01', 13.9],
    ],
  },
  fr: { currency: 'eur', hourly: [['2024-11-01', 11.88]] },
  nl: { currency: 'eur', fromAge: 21, hourly: [['2025-01-01', 14.06]] },
  ie: { currency: 'eur', fromAge: 20, hourly: [['2025-01-01', 13.5]] },
};

/** Apprentices and trainees have minimums of their own. */
const learner = /apprentic|trainee|intern\b|auszubild|praktik|apprenti|stagiaire|leerling|minderjährig|under 1[68]/iu;
const age =
  /\b(?:aged? |alter:? |leeftijd:? )(\d{2})\b|\b(\d{2}) (?:years old|years of age|jahre alt|jaar oud|ans\b)/iu;

/** The pay by the hour that is below the minimum wage on the first day of the employment; undefined unless that is certain. */
export function payBelowMinimum(
  clauses: readonly Clause[],
  facts: readonly ClauseFact[],
  country: string,
): ClauseFact | undefined {
  const rule = minimumWages[country];
  const start = facts.find(({ value }) => value.part === 'employment' && value.start !== undefined)?.value.start;
  if (rule === undefined || typeof start !== 'string' || clauses.some(({ text }) => learner.test(text)))
    return undefined;
  const years = clauses.map(({ text }) => age.exec(text)).find((match) => match !== null);
  if (rule.fromAge !== undefined && Number(years?.[1] ?? years?.[2] ?? 0) < rule.fromAge) return undefined;
  const least = rule.hourly.findLast(([from]) => from <= start)?.[1];
  return facts.find(
    ({ kind, value }) =>
      kind === 'pay' &&
      value.per === 'hour' &&
      value.currency === rule.currency &&
      least !== undefined &&
      Number(value.amount) < least,
  );
}
