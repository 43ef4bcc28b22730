/**
 * Every vital sign that a record states for the patient, from lines, prose and flowsheets, with its date if the record gives
 * one.
 */
import type { Document } from '../../document/document.ts';
import { fullRows, type Table } from '../../document/table.ts';
import type { Range, Span } from '../text/span.ts';
import { dayIn } from './clinical-dates.ts';
import { hasMatch } from './clinical-status.ts';
import { sectionAt } from './sections.ts';
import { statementsOf } from './statements.ts';
import { otherPeople, relative } from './status-cues.ts';
import {
  bareHeight,
  barePressure,
  bareSaturation,
  bareTemperature,
  bounds,
  earlierWeight,
  furtherPressure,
  labels,
  letters,
  type Measure,
  orderedShape,
  type Sign,
  shapes,
} from './vital-shapes.ts';

export type { Sign } from './vital-shapes.ts';

export interface VitalReading {
  readonly sign: Sign;
  /** In mmHg, per minute, °C, per cent, kg or cm; one decimal. */
  readonly value: number;
  /** ISO. */
  readonly date?: string;
  readonly span: Span;
}

interface Reading extends Range {
  readonly sign: Sign;
  readonly value: number;
  readonly date?: string;
}

/** In the order of the text. */
export function findVitalReadings(document: Document): VitalReading[] {
  const inTables = document.tables.flatMap((table) => readFlowsheet(document, table));
  const covered = new Set(inTables.map(({ start }) => start));
  const inText = statementsOf(document)
    .flatMap((statement) => readStatement(document, statement))
    .filter(({ start }) => !covered.has(start));
  const seen = new Set<string>();
  return [...inTables, ...inText]
    .sort((one, other) => one.start - other.start)
    .flatMap(({ sign, value, date, start, end }) => {
      const key = `${sign} ${value} ${date ?? ''}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ sign, value, ...(date === undefined ? {} : { date }), span: document.spanOf({ start, end }) }];
    });
}

const notMeasured =
  /(?<!\p{L})(?:goal|target|if|call|notify|alarm|limits?|threshold|should be|keep|maintain|aim|ziel\p{L}*|objectif|normal range|above|below|greater than|less than|misread|disregard|error|ideal|idealgewicht|predicted|excess|adjusted|highest|lowest|heaviest|lost|gained|normal weight)(?!\p{L})/iu;

function readStatement(document: Document, { start, end }: Range): Reading[] {
  if (end - start > 3_000) return [];
  const text = document.text.slice(start, end);
  if (!/\d\d|\d ?(?:ft|feet|foot|['′’])/.test(text) || sectionAt(document, start).kind === 'limits') return [];
  const subject = text.slice(0, 40);
  const { kind } = sectionAt(document, start);
  if (kind === 'family' || kind === 'literature' || hasMatch(relative, subject) || otherPeople.test(subject)) return [];
  if (
    /(?<!\p{L})(?:mean|median|average|cohort|mittlerer?) (?:\p{L}+ )?(?:blood|heart|systolic|diastolic|weight|pressure|temperature)/iu.test(
      text,
    )
  )
    return [];
  const found = shapes.flatMap(({ measure, shape }) => matchesOf(document, measure, shape, { start, text }));
  const around = document.text.slice(Math.max(0, start - 100), end + 100);
  const own = anotherSign.test(around)
    ? [...found, ...letters.flatMap(({ measure, shape }) => matchesOf(document, measure, shape, { start, text }))]
    : found;
  const all = [...own, ...unlabelled(own, text, start), ...heightsOf(own, text, start)];
  if (all.length === 0) return all;
  const first = Math.min(...all.map((each) => each.start));
  const date =
    dayIn(document, (/[\d][\d./-]{5,9}\d/.exec(text.slice(0, Math.min(first - start, 30)))?.[0] ?? '').trim()) ??
    dateOfStatement(document, start);
  return date === undefined ? all : all.map((each) => ({ date, ...each }));
}

function unlabelled(own: readonly Reading[], text: string, start: number): Reading[] {
  const found: Reading[] = [];
  for (const match of text.matchAll(orderedShape)) {
    const range = { start: start + match.index, end: start + match.index + match[0].length };
    const [, systolic, diastolic, pulse, breaths, temperature, unit, saturation] = match;
    if (numberOf(systolic) > numberOf(diastolic))
      found.push(
        ...reading('systolic', numberOf(systolic), range),
        ...reading('diastolic', numberOf(diastolic), range),
      );
    found.push(...reading('pulse', numberOf(pulse), range), ...reading('respiratory-rate', numberOf(breaths), range));
    found.push(
      ...reading('temperature', celsius(numberOf(temperature), unit), range),
      ...reading('spo2', numberOf(saturation), range),
    );
  }
  if (found.length > 0 || own.length === 0) return found;
  const has = (sign: Sign) => own.some((each) => each.sign === sign);
  for (const match of has('systolic') ? [] : text.matchAll(barePressure)) {
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    if (notMeasured.test(before) || numberOf(match[1]) < 60 || numberOf(match[2]) < 30) continue;
    found.push(
      ...readingsOf('pressure', match, { start: start + match.index, end: start + match.index + match[0].length }),
    );
  }
  for (const match of has('temperature') ? [] : text.matchAll(bareTemperature)) {
    if (notMeasured.test(text.slice(Math.max(0, match.index - 30), match.index))) continue;
    found.push(
      ...readingsOf('temperature', match, { start: start + match.index, end: start + match.index + match[0].length }),
    );
  }
  for (const match of has('spo2') ? [] : text.matchAll(bareSaturation)) {
    if (notMeasured.test(text.slice(Math.max(0, match.index - 30), match.index))) continue;
    const range = { start: start + match.index, end: start + match.index + match[0].length };
    found.push(...readingsOf('spo2', match, range));
  }
  return found;
}

/** A patient's height needs no label: no other measure of a record is in feet and inches. */
function heightsOf(own: readonly Reading[], text: string, start: number): Reading[] {
  if (own.some(({ sign }) => sign === 'height')) return [];
  return [...text.matchAll(bareHeight)].flatMap((match) => {
    const range = { start: start + match.index, end: start + match.index + match[0].length };
    return readingsOf('height', match, range);
  });
}

const anotherSign =
  /(?<!\p{L})(?:BP|HR|SpO2|O2 sat|sats?|temp|RR|wt|RR|TA|FC|HF|vitals?|obs)(?!\p{L})|(?<!\d)\d{2,3}\/\d{2,3}(?![\d/])/iu;

/** The date of the row, of the heading or label above it, or of the only visit. */
function dateOfStatement(document: Document, at: number): string | undefined {
  const { text } = document;
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at + 1);
  const row = line.includes('\t') ? dayIn(document, line.split('\t', 1)[0]!) : undefined;
  const section = sectionAt(document, at);
  const heading = text.slice(section.start, Math.min(section.start + section.title.length + 40, at));
  const ofHeading =
    section.kind !== 'vitals'
      ? undefined
      : dayIn(document, heading.split('\n').find((part) => part.trim() !== '') ?? '');
  return row ?? ofHeading ?? visitDay(document);
}

/** "Visit: 10/14/2024" at the beginning of a note. */
function visitDay(document: Document): string | undefined {
  const matches = [
    ...document.text
      .slice(0, 1_200)
      .matchAll(
        /(?<!\p{L})(?:visit(?: date)?|date of (?:visit|service|encounter|examination)|encounter(?: date)?|dos|seen on|clinic date|date seen)[ :]{1,3}([^\n\t]{6,20})/giu,
      ),
  ];
  return matches.length === 1 ? dayIn(document, matches[0]![1]!) : undefined;
}

function matchesOf(
  document: Document,
  measure: Measure,
  shape: RegExp,
  { start, text }: { start: number; text: string },
): Reading[] {
  return [...text.matchAll(shape)].flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    if (notMeasured.test(before) || (/^rr/i.test(match[0]) && measure === 'pressure' && isEnglish(document))) return [];
    const range = { start: start + match.index, end: start + match.index + match[0].length };
    const readings = readingsOf(measure, match, range);
    if (readings.length === 0) return readings;
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 60);
    const earlier = measure === 'weight' ? earlierWeight.exec(rest) : null;
    if (earlier !== null && !/goal|target|ideal|ziel/i.test(earlier[0])) {
      const day = earlier[3] === undefined ? undefined : dayIn(document, earlier[3]);
      return [
        ...readings,
        ...readingsOf(measure, earlier, range).map((each) => ({
          ...each,
          ...(day === undefined ? {} : { date: day }),
        })),
      ];
    }
    if (measure !== 'pressure') return readings;
    const next = furtherPressure.exec(text.slice(match.index + match[0].length, match.index + match[0].length + 80));
    return next === null ? readings : [...readings, ...readingsOf(measure, next, range)];
  });
}

function isEnglish({ decimalMark, text }: Document): boolean {
  return decimalMark === '.' && !/(?<!\p{L})(?:und|der|mit)(?!\p{L})/u.test(text.slice(0, 4_000));
}

function readingsOf(measure: Measure, match: RegExpMatchArray, range: Range): Reading[] {
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

function reading(sign: Sign, value: number, range: Range, date?: string): Reading[] {
  const [low, high] = bounds[sign];
  const rounded = Math.round(value * 10) / 10;
  return rounded >= low && rounded <= high
    ? [{ sign, value: rounded, ...range, ...(date === undefined ? {} : { date }) }]
    : [];
}

const numberOf = (written: string | undefined): number => Number((written ?? '').replace(',', '.'));

function celsius(value: number, unit: string | undefined): number {
  const isFahrenheit = /^f/i.test(unit ?? '') || (unit === undefined && value > 80);
  return isFahrenheit ? (value - 32) / 1.8 : value;
}

function kilograms(value: number, unit: string): number {
  if (/^(?:lb|pound)/i.test(unit)) return value * 0.45359237;
  return /^g/i.test(unit) ? value / 1000 : value;
}

function centimetres(value: number, unit: string, inches: string | undefined): number {
  if (/^(?:ft|feet|'|′)/i.test(unit)) return value * 30.48 + Number(inches ?? 0) * 2.54;
  if (/^in/i.test(unit)) return value * 2.54;
  return /^m/i.test(unit) ? value * 100 : value;
}

const headerShapes: readonly (readonly [Measure, RegExp])[] = (Object.keys(labels) as Measure[]).map((measure) => [
  measure,
  new RegExp(
    String.raw`^(?:${labels[measure]}|${{ pulse: 'p', temperature: 't', 'respiratory-rate': 'r' }[measure as string] ?? 'no label'})(?:[ .:]|$)[^\d]{0,30}$`,
    'iu',
  ),
]);

function measureOf(label: string, known: Map<string, Measure | undefined>): Measure | undefined {
  if (label === '' || label.length > 40) return undefined;
  if (!known.has(label)) known.set(label, measureOfLabel(label));
  return known.get(label);
}

function measureOfLabel(label: string): Measure | undefined {
  const plain = label
    .replace(/spo2/i, 'spo₂')
    .replace(/[([].*$/, '')
    .replace(/[,/].*$/, (rest) => (/^\/dia/.test(rest) ? rest : ''))
    .trim();
  return plain.length > 30 ? undefined : headerShapes.find(([, shape]) => shape.test(plain))?.[0];
}

/** Signs as columns and times as rows, or the reverse. */
function readFlowsheet(document: Document, table: Table): Reading[] {
  const found: Reading[] = [];
  const known = new Map<string, Measure | undefined>();
  let columns: (Measure | undefined)[] = [];
  let titles: readonly string[] = [];
  let dates: (string | undefined)[] = [];
  let date: string | undefined;
  if (!/\d\d/.test(document.text.slice(table.start, table.end))) return found;
  for (const cells of fullRows(table)) {
    const texts = cells.map(({ text }) => text);
    const measures = texts.map((text) => measureOf(text, known));
    if (measures.filter((measure) => measure !== undefined).length >= 2) {
      [columns, titles, dates, date] = [measures, texts, [], undefined];
      continue;
    }
    const days = texts.map((text) => (text.length > 5 ? dayIn(document, text) : undefined));
    if (days.filter((day) => day !== undefined).length >= 2) dates = days;
    date = days.slice(0, 2).find((day) => day !== undefined) ?? date;
    const own = measures[0];
    for (const [column, cell] of cells.entries()) {
      const measure = columns[column] ?? (column > 0 && dates.length > 0 ? own : undefined);
      if (measure === undefined || cell.text === '') continue;
      const unit = columns[column] === undefined ? texts[0]! : (titles[column] ?? '');
      found.push(...readCell(measure, cell, unit, columns[column] === undefined ? dates[column] : date));
    }
  }
  return found;
}

function readCell(
  measure: Measure,
  cell: Range & { readonly text: string },
  label: string,
  date: string | undefined,
): Reading[] {
  const range = { start: cell.start, end: cell.end };
  const dated = (list: Reading[]) => (date === undefined ? list : list.map((each) => ({ ...each, date })));
  if (measure === 'pressure') {
    const match = /^(\d{2,3}) ?\/ ?(\d{2,3})(?!\d)/.exec(cell.text);
    if (match !== null) return dated(readingsOf('pressure', match, range));
    if (!/^rr/i.test(label)) return [];
  }
  const match = /^(\d{1,3}(?:[.,]\d{1,2})?)(?![\d/])[ \u00a0]?([^\d\s]{0,6})/.exec(cell.text);
  if (match === null) return [];
  const value = numberOf(match[1]);
  const unit = match[2] === '' ? '' : match[2]!;
  if (measure === 'temperature')
    return dated(
      reading(
        'temperature',
        celsius(value, /f/i.test(unit) || /\bF\b|°F/.test(label) ? 'F' : value > 80 ? 'F' : 'C'),
        range,
      ),
    );
  if (measure === 'weight')
    return dated(reading('weight', kilograms(value, /lb/i.test(unit + label) ? 'lb' : 'kg'), range));
  if (measure === 'height')
    return dated(reading('height', centimetres(value, value < 3 ? 'm' : 'cm', undefined), range));
  return dated(reading(measure === 'pressure' ? 'respiratory-rate' : measure, value, range));
}
