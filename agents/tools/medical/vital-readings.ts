/**
 * Every vital sign that a record states for the patient, from lines, prose and flowsheets, with its date if the record gives
 * one.
 */
import type { Document } from '../../document/document.ts';
import type { Certain } from '../left-out.ts';
import type { Range, Span } from '../text/span.ts';
import { certainVitals, type Doubt } from './certainty.ts';
import { hasMatch } from './clinical-status.ts';
import { isForeign } from './foreign.ts';
import { dayOfCell, dayOfReading, daysIn } from './measure-day.ts';
import { sectionAt } from './sections.ts';
import { statementsOf } from './statements.ts';
import { otherPeople, relative } from './status-cues.ts';
import { readFlowsheet } from './vital-flowsheets.ts';
import {
  bareHeight,
  barePressure,
  bareSaturation,
  bareTemperature,
  earlierWeight,
  furtherPressure,
  letters,
  type Measure,
  orderedShape,
  pairInMercury,
  type Sign,
  shapes,
} from './vital-shapes.ts';
import { celsius, numberOf, type Reading, reading, readingsOf } from './vital-values.ts';

export type { Sign } from './vital-shapes.ts';

export interface VitalReading {
  readonly sign: Sign;
  /** In mmHg, per minute, °C, per cent, kg or cm; one decimal. */
  readonly value: number;
  /** ISO. */
  readonly date?: string;
  readonly span: Span;
}

/** In the order of the text. */
export function findVitalReadings(document: Document): VitalReading[] {
  return shownOnce(document, readVitals(document));
}

/** The readings that the record confirms. */
export function certainVitalReadings(document: Document): Certain<VitalReading, Doubt> {
  const { facts, doubts } = certainVitals(document, readVitals(document));
  return { facts: shownOnce(document, facts), doubts };
}

function readVitals(document: Document): Reading[] {
  const inTables = document.tables.flatMap((table) => readFlowsheet(document, table));
  const covered = new Set(inTables.map(({ start }) => start));
  const inText = statementsOf(document)
    .flatMap((statement) => readStatement(document, statement))
    .filter(({ start }) => !covered.has(start));
  return [...inTables, ...inText]
    .filter(({ start }) => !isForeign(document, start))
    .sort((one, other) => one.start - other.start);
}

function shownOnce(document: Document, readings: readonly Reading[]): VitalReading[] {
  const seen = new Set<string>();
  return readings.flatMap(({ sign, value, date, start, end }) => {
    const key = `${sign} ${value} ${date ?? ''}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ sign, value, ...(date === undefined ? {} : { date }), span: document.spanOf({ start, end }) }];
  });
}

const notMeasured =
  /(?<!\p{L})(?:goal|target|if|call|notify|alarm|limits?|threshold|should be|keep|maintain|aim|ziel\p{L}*|objectif|normal range|above|below|greater than|less than|misread|disregard|error|ideal|idealgewicht|predicted|excess|adjusted|highest|lowest|heaviest|lost|gained|normal weight|(?<!(?:exame|esame|examen) )(?:objeti|obiettiv)\p{L}*|streef\p{L}*|doel\p{L}*|målvärde\p{L}*|mål|docelow\p{L}*|wenn|falls|hvis|jeśli|grenzwert\p{L}*|limite|mayor (?:de|que)|menor (?:de|que)|superiore? a|inferiore? a|supérieure? à|inférieure? à|moyenne|mittelwert|gemiddeld\p{L}*|media|średni\p{L}*)(?!\p{L})/iu;

function readStatement(document: Document, { start, end }: Range): Reading[] {
  if (end - start > 3_000) return [];
  const text = document.text.slice(start, end);
  if (!/\d\d|\d ?(?:ft|feet|foot|['′’])/.test(text) || sectionAt(document, start).kind === 'limits') return [];
  const subject = rowStart(document, start) + text.slice(0, 40);
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
  if (mistaken.test(text.slice(0, first - start))) return [];
  const days = daysIn(document, { start, end });
  const date = days.find(({ at }) => at < Math.min(first, start + leadMax))?.day ?? dateOfStatement(document, start);
  const isOfSeveral = new Set(days.map(({ day }) => day)).size > 1;
  return all.map((each) => {
    const own = isOfSeveral ? days.findLast(({ at }) => at < each.start)?.day : date;
    return own === undefined ? each : { date: own, ...each };
  });
}

const leadMax = 40;

/** "Error de anotación: eran las constantes de la 117-A (TA 171/94)". */
const mistaken =
  /(?<!\p{L})(?:(?:documentation|charting|entry|transcription) error|entered in error|wrong patient|error de (?:anotación|registro|transcripción)|eintragungsfehler|falscher patient|irrtümlich|erreur de (?:saisie|transcription)|errore di (?:trascrizione|registrazione)|verkeerde patiënt|foutief|błędny wpis)(?!\p{L})/iu;

/** The first cell of the row tells whose the values of all its cells are. */
function rowStart({ text }: Document, at: number): string {
  const from = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(from, Math.min(at, from + 40));
  return before.includes('\t') ? before : '';
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
  if (found.length > 0) return found;
  if (!own.some(({ sign }) => sign === 'systolic')) found.push(...inMercury(text, start));
  if (own.length === 0) return found;
  const has = (sign: Sign) => [...own, ...found].some((each) => each.sign === sign);
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

/** "couché 152/88 mmHg", but not a pressure of the lungs or a limit. */
function inMercury(text: string, start: number): Reading[] {
  return [...text.matchAll(pairInMercury)].flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    if (notMeasured.test(before) || otherPressure.test(before)) return [];
    return readingsOf('pressure', match, { start: start + match.index, end: start + match.index + match[0].length });
  });
}

const otherPressure =
  /(?<!\p{L})(?:pap|pulm\p{L}*|rv|lv|aort\p{L}*|ventri\p{L}*|gradient\p{L}*|ao|pcwp|wedge|catheter\p{L}*)(?!\p{L})/iu;

/** "5'9\" (175 cm)", "14 st 2 lb (89.8 kg)": the record's own conversion is what it states. */
function convertedOf(measure: Measure, shown: string, range: Range): Reading[] {
  const unit = measure === 'height' ? 'cm' : measure === 'weight' ? 'kg' : undefined;
  if (unit === undefined) return [];
  const match = /(?:lbs?|st|["”″]|'|in|ft|pounds?)\.? ?\((\d{2,3}(?:[.,]\d{1,2})?) ?(cm|kg)\)/iu.exec(shown);
  return match === null || match[2]!.toLowerCase() !== unit ? [] : reading(measure as Sign, numberOf(match[1]), range);
}

/** A patient's height needs no label: no other measure of a record is in feet and inches. */
function heightsOf(own: readonly Reading[], text: string, start: number): Reading[] {
  if (own.some(({ sign }) => sign === 'height')) return [];
  return [...text.matchAll(bareHeight)].flatMap((match) => {
    const range = { start: start + match.index, end: start + match.index + match[0].length };
    const converted = convertedOf('height', text.slice(match.index, match.index + match[0].length + 24), range);
    return converted.length > 0 ? converted : readingsOf('height', match, range);
  });
}

const anotherSign =
  /(?<!\p{L})(?:BP|HR|SpO2|O2 sat|sats?|temp|RR|wt|RR|TA|FC|HF|vitals?|obs)(?!\p{L})|(?<!\d)\d{2,3}\/\d{2,3}(?![\d/])/iu;

/** The date of the row, of the heading or label above it, or of the only visit. */
function dateOfStatement(document: Document, at: number): string | undefined {
  const { text } = document;
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at + 1);
  const first = line.includes('\t') ? line.split('\t', 1)[0]! : undefined;
  const row = first === undefined ? undefined : dayOfCell(document, first);
  return row ?? dayOfReading(document, at);
}

/** What each value of a measure contains, for a quick test. */
const needs: Readonly<Partial<Record<Measure, RegExp>>> = {
  pressure: /\d ?(?:\/|x|×|over|över|på|sur|su|zu|na) ?\d/i,
  weight: /\d[ \u00a0]?(?:kg|kilogram|lb|pounds|g)/i,
  height: /\d[ \u00a0]?(?:c?m|f[te]|['′’]|in)/i,
};

function matchesOf(
  document: Document,
  measure: Measure,
  shape: RegExp,
  { start, text }: { start: number; text: string },
): Reading[] {
  // Most statements have none: a test costs less than the iterator of all matches.
  if (needs[measure]?.test(text) === false || !hasMatch(shape, text)) return [];
  return [...text.matchAll(shape)].flatMap((match) => {
    const before = text.slice(Math.max(0, match.index - 30), match.index);
    if (notMeasured.test(before) || (/^rr/i.test(match[0]) && measure === 'pressure' && isEnglish(document))) return [];
    const range = { start: start + match.index, end: start + match.index + match[0].length };
    const converted = convertedOf(measure, text.slice(match.index, match.index + match[0].length + 24), range);
    const readings = converted.length > 0 ? converted : readingsOf(measure, match, range);
    if (readings.length === 0) return readings;
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 60);
    const earlier = measure === 'weight' ? earlierWeight.exec(rest) : null;
    if (earlier !== null && !/goal|target|ideal|ziel/i.test(earlier[0])) {
      // Without a day of its own, it does not have that of the sentence.
      const date = earlier[3] === undefined ? undefined : dayOfCell(document, earlier[3]);
      return [...readings, ...readingsOf(measure, earlier, range).map((each) => ({ ...each, date }))];
    }
    if (measure !== 'pressure') return readings;
    const next = furtherPressure.exec(text.slice(match.index + match[0].length, match.index + match[0].length + 80));
    return next === null ? readings : [...readings, ...readingsOf(measure, next, range)];
  });
}

function isEnglish({ decimalMark, text }: Document): boolean {
  return decimalMark === '.' && !/(?<!\p{L})(?:und|der|mit)(?!\p{L})/u.test(text.slice(0, 4_000));
}
