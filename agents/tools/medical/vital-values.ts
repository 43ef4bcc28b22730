/** Values of vital signs in the units of a reading, and the day of the only visit. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { dayIn } from './clinical-dates.ts';
import { bounds, type Measure, type Sign } from './vital-shapes.ts';

export interface Reading extends Range {
  readonly sign: Sign;
  readonly value: number;
  readonly date?: string;
}

export function readingsOf(measure: Measure, match: RegExpMatchArray, range: Range): Reading[] {
  const first = numberOf(match[1]);
  if (measure === 'pressure') {
    const [systolic, diastolic] = [first, numberOf(match[2])];
    if (systolic <= diastolic) return [];
    return [...reading('systolic', systolic, range), ...reading('diastolic', diastolic, range)];
  }
  if (measure === 'temperature') return reading('temperature', celsius(first, match[2]), range);
  if (measure === 'weight') return reading('weight', kilograms(first, match[2]!), range);
  if (measure === 'systolic' || measure === 'diastolic') return reading(measure, first, range);
  if (measure === 'height') return reading('height', centimetres(first, match[2]!, match[3]), range);
  return reading(measure, first, range);
}

export function reading(sign: Sign, value: number, range: Range, date?: string): Reading[] {
  const [low, high] = bounds[sign];
  const rounded = Math.round(value * 10) / 10;
  return rounded >= low && rounded <= high
    ? [{ sign, value: rounded, ...range, ...(date === undefined ? {} : { date }) }]
    : [];
}

export const numberOf = (written: string | undefined): number => Number((written ?? '').replace(',', '.'));

export function celsius(value: number, unit: string | undefined): number {
  const isFahrenheit = /^f/i.test(unit ?? '') || (unit === undefined && value > 80);
  return isFahrenheit ? (value - 32) / 1.8 : value;
}

export function kilograms(value: number, unit: string): number {
  if (/^(?:lb|pound)/i.test(unit)) return value * 0.45359237;
  return /^g/i.test(unit) ? value / 1000 : value;
}

export function centimetres(value: number, unit: string, inches: string | undefined): number {
  if (/^(?:ft|feet|'|′|’)/i.test(unit)) return value * 30.48 + Number(inches ?? 0) * 2.54;
  if (/^in/i.test(unit)) return value * 2.54;
  return /^m/i.test(unit) ? value * 100 : value;
}

/** "Visit: 10/14/2024" at the beginning of a note, or its only day with a time: "9/23/2025 1:40 PM". */
export function visitDay(document: Document): string | undefined {
  const labelled = [
    ...document.text
      .slice(0, 1_200)
      .matchAll(
        /(?<!\p{L})(?:visit(?: date)?|date of (?:visit|service|encounter|examination|attendance|case|call|incident)|encounter(?: date)?|dos|seen on|clinic(?: date)?|date of (?:clinic|review|consult(?:ation)?)|review date|date seen|untersuchung vom|untersuchungsdatum|vorstellung am|vorgestellt am|date de (?:la )?(?:consultation|visite)|consultation du|fecha de (?:la )?(?:consulta|visita)|data (?:della )?visita|data da consulta|datum consult|consultdatum|data wizyty|datum (?:vyšetření|kontroly))[ :\t]{1,10}([^\n\t]{6,20})/giu,
      ),
  ];
  const days = labelled.flatMap((match) => dayIn(document, match[1]!) ?? []);
  if (days.length > 0) return days.length === 1 ? days[0] : undefined;
  const timed = [
    ...document.text.slice(0, 600).matchAll(/([^\d\n\t]{0,24})(?<![\d/.-])(\d[\d/.-]{6,9}),?[ ]\d{1,2}:\d\d(?!\d)/gu),
  ];
  const [only] = timed;
  if (timed.length !== 1 || aboutPaper.test(only![1]!)) return undefined;
  const day = dayIn(document, only![2]!);
  // Messages and entries of several days have each their own.
  return entryDays(document).some((other) => other !== day) ? undefined : day;
}

/** Days with a time at the beginning of a line or after the label of a message: "Sent: 04/20/2026 10:31 PM". */
function entryDays(document: Document): (string | undefined)[] {
  return [
    ...document.text.matchAll(
      /(?<=^|\n|\t)[ ]{0,8}(?:(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|wysłano)[ ]?:[ ]{0,3})?(?:(?:on|am|le) )?(\d[\d/.-]{6,9}),?[ ]{1,2}\d{1,2}:\d\d(?!\d)/giu,
    ),
  ].map((match) => dayIn(document, match[1]!));
}

const aboutPaper =
  /(?<!\p{L})(?:print|sent|uitdraai|stampa|wydruk|faxed|scan|receiv|report|signed|dictat|transcri|export|admi|discharge|entr|alta|druck|geb|dob|birth|impr|stamp)/iu;
