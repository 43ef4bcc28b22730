/** The values that a score is computed from: each with its day and place, and the names of those that are missing. */
import type { Span } from '../text/span.ts';
import { type Condition, conditionOf } from './conditions.ts';
import type { ReviewedLab } from './lab-flags.ts';
import type { Patient } from './patient.ts';
import type { MedicalRecord } from './record.ts';
import { roundTo } from './rounding.ts';
import type { VitalReading } from './vital-readings.ts';

/** The inputs of a score, each with its position. */
export interface Input {
  readonly name: string;
  readonly value: string;
  /** ISO: the day of the value. */
  readonly date?: string;
  readonly span?: Span;
}

/** The values of a score by their names, and the names of those that the document lacks. */
export class Inputs {
  readonly inputs: Input[] = [];
  readonly missing: string[] = [];
  readonly #record: MedicalRecord;

  constructor(record: MedicalRecord) {
    this.#record = record;
  }

  /** @param day of which the value has to be; without it, the latest value counts */
  lab(
    key: string,
    { scale = 1, unit = '', day }: { scale?: number; unit?: string; day?: string | undefined } = {},
  ): number {
    const lab = labOf(this.#record, key, day);
    if (lab === undefined || lab.lab.bound !== undefined) {
      this.missing.push(lab?.analyte.name ?? key);
      return Number.NaN;
    }
    const value = roundTo(lab.lab.value * scale, 4);
    const { date, span } = lab;
    this.inputs.push({
      name: lab.analyte.name,
      value: withUnit(value, unit),
      ...(date === undefined ? {} : { date }),
      span,
    });
    return value;
  }

  /** The weight that was measured nearest to a day. Undated weights that differ leave open which one that is. */
  weight(day: string | undefined): number {
    const weights = this.#record.vitals.filter(({ sign }) => sign === 'weight');
    const nearest = nearestTo(weights, day);
    if (nearest === undefined) {
      const [first, ...others] = new Set(weights.map(({ value }) => value));
      const isOpen = others.length > 0 && first !== undefined;
      if (!isOpen) return this.fact('weightKg', 'weight', 'kg') ?? Number.NaN;
      this.missing.push(`the date of one of the weights (${[first, ...others].join(', ')} kg)`);
      return Number.NaN;
    }
    const { value, date, span } = nearest;
    this.inputs.push({ name: 'weight', value: withUnit(value, 'kg'), ...(date === undefined ? {} : { date }), span });
    return value;
  }

  fact<Key extends keyof Patient>(key: Key, name: string, unit = ''): NonNullable<Patient[Key]>['value'] | undefined {
    const fact = this.#record.patient[key];
    if (fact === undefined) {
      this.missing.push(name);
      return undefined;
    }
    this.inputs.push({ name, value: withUnit(fact.value, unit), span: fact.span });
    return fact.value;
  }

  /** Items that no text affirms count as absent, and the result lists them. */
  condition(condition: Condition): boolean {
    const mention = conditionOf(this.#record.conditions, condition);
    const value = mention === undefined ? 'not mentioned, counted as absent' : mention.denied ? 'denied' : 'present';
    this.inputs.push({ name: condition, value, ...(mention === undefined ? {} : { span: mention.span }) });
    return mention !== undefined && !mention.denied;
  }
}

const withUnit = (value: number | string, unit: string): string => `${value}${unit === '' ? '' : ` ${unit}`}`;

function labOf(record: MedicalRecord, key: string, day: string | undefined): ReviewedLab | undefined {
  return day === undefined
    ? record.latestLabs.get(key)
    : record.labs.findLast(({ analyte, date }) => analyte.key === key && date === day);
}

/** @returns undefined if no reading has a date, or if there is no day to compare with */
function nearestTo(readings: readonly VitalReading[], day: string | undefined): VitalReading | undefined {
  if (day === undefined) return undefined;
  const distance = ({ date }: VitalReading) => Math.abs(Date.parse(date!) - Date.parse(day));
  return readings
    .filter(({ date }) => date !== undefined && !Number.isNaN(Date.parse(date)))
    .toSorted((one, other) => distance(one) - distance(other))[0];
}

/** The last day on which all of these were measured; undefined if the text dates none of them, or no day has all. */
export function lastCommonDay(record: MedicalRecord, keys: readonly string[]): string | undefined {
  const [first, ...others] = keys.map(
    (key) =>
      new Set(record.labs.flatMap(({ analyte, date }) => (analyte.key === key && date !== undefined ? [date] : []))),
  );
  return [...(first ?? [])]
    .filter((day) => others.every((days) => days.has(day)))
    .toSorted()
    .at(-1);
}

/** Values of different days say nothing about each other. */
export function requireOneDay({ inputs, missing }: Inputs): void {
  const days = new Set(inputs.flatMap(({ date }) => date ?? []));
  if (days.size > 1) missing.push('values of one day');
}
