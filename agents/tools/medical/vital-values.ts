/** Values of vital signs in the units of a reading. */
import type { Range } from '../text/span.ts';
import { bounds, type Measure, type Sign } from './vital-shapes.ts';

export interface Reading extends Range {
  readonly sign: Sign;
  readonly value: number;
  readonly date?: string | undefined;
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
