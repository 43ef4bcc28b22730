/** Reads facts about the patient: age, sex, weight, height, vital signs, ECG. Omits facts that contradict each other. */
import type { AgentDocument } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import type { Range, Span } from '../text/span.ts';
import type { Sex } from './formulas.ts';

export interface Fact<Value> {
  readonly value: Value;
  readonly span: Span;
}

export interface Patient {
  readonly ageYears?: Fact<number>;
  readonly sex?: Fact<Sex>;
  readonly weightKg?: Fact<number>;
  readonly heightCm?: Fact<number>;
  readonly systolicMmHg?: Fact<number>;
  readonly diastolicMmHg?: Fact<number>;
  readonly heartRate?: Fact<number>;
  /** Stated within 80 characters of the QT. */
  readonly ecgRate?: Fact<number>;
  readonly qtMs?: Fact<number>;
  /** Corrected by the device or the author. */
  readonly statedQtcMs?: Fact<number>;
  readonly saturationPercent?: Fact<number>;
  readonly temperatureC?: Fact<number>;
  readonly respiratoryRate?: Fact<number>;
}

/** The first plausible value of each, in the order of the messages. Sex is omitted if the texts state both. */
export function findPatient(sources: readonly AgentDocument[]): Patient {
  const documents = sources.map(readDocument);
  const number = (key: keyof typeof shapes) => factOf(firstNumber(documents, shapes[key]));
  const qt = firstNumber(documents, shapes.qt);
  const facts: { [key in keyof Patient]: Patient[key] | undefined } = {
    ageYears: number('age'),
    sex: findSex(documents),
    weightKg: number('weight') ?? number('anyWeight'),
    heightCm: number('height') ?? number('heightInMetres') ?? number('anyHeight'),
    systolicMmHg: number('systolic'),
    diastolicMmHg: number('diastolic'),
    heartRate: number('heartRate'),
    ecgRate: qt === undefined ? undefined : rateBeside(qt),
    qtMs: factOf(qt),
    statedQtcMs: number('statedQtc'),
    saturationPercent: number('saturation'),
    temperatureC: number('temperature'),
    respiratoryRate: number('respiratoryRate'),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as Patient;
}

/** The value is the first group that matched; a value outside the bounds is something else. */
interface NumberShape {
  readonly shape: RegExp;
  readonly low: number;
  readonly high: number;
  /** Factor from the unit in the text to that of the fact. */
  readonly scale?: number;
}

const shapes = {
  age: {
    shape:
      /(?:\bage[ \t:=]{1,3}|\baged |\bvěk[ \t:=]{1,3}|\balter[ \t:=]{1,3})(\d{1,3})\b|(?<![\d.,])(\d{1,3})[- ]?(?:years?|yrs?|year|jahre|let)[- ](?:old|alt(?:e[rs]?)?|of age)\b|(?:âgée? de )(\d{1,3}) ans\b|(?:de )(\d{1,3}) años\b|(?<![\d.,])(\d{1,3})[- ]?jarige?(?!\p{L})|\bedad[ \t:=]{1,3}(\d{1,3})\b|(?<![\d.,])(\d{1,3}) ?y\/?o\b|(?<![\d.,])(\d{1,3})[- ]?jährige?r?(?!\p{L})|(?<![\d.,])(\d{1,3})let[áý](?!\p{L})/giu,
    low: 0,
    high: 120,
  },
  weight: {
    shape: /\b(?:weight|weighs|gewicht|hmotnost|poids|bw)[ \t:=]{0,3}(?:is |was )?(\d{1,3}(?:[.,]\d)?) ?kg\b/giu,
    low: 2,
    high: 400,
  },
  anyWeight: { shape: /(?<![\d.,])(\d{2,3}(?:[.,]\d)?) ?kg\b/giu, low: 25, high: 300 },
  height: {
    shape: /\b(?:height|größe|výška|taille|tall)[ \t:=]{0,3}(?:is |was )?(\d{2,3}(?:[.,]\d)?) ?cm\b/giu,
    low: 40,
    high: 250,
  },
  heightInMetres: {
    shape: /\b(?:height|größe|výška|taille)[ \t:=]{0,3}(\d[.,]\d{1,2}) ?m\b/giu,
    low: 0.4,
    high: 2.5,
    scale: 100,
  },
  anyHeight: { shape: /(?<![\d.,])(1\d{2}) ?cm\b(?! (?:mass|lesion|tumou?r|nodule))/giu, low: 120, high: 220 },
  systolic: {
    shape:
      /\b(?:bp|blood pressure|rr|tk|krevní tlak|blutdruck)[ \t:=]{0,3}(?:is |was |of )?(\d{2,3}) ?\/ ?\d{2,3}\b/giu,
    low: 50,
    high: 300,
  },
  diastolic: {
    shape:
      /\b(?:bp|blood pressure|rr|tk|krevní tlak|blutdruck)[ \t:=]{0,3}(?:is |was |of )?\d{2,3} ?\/ ?(\d{2,3})\b/giu,
    low: 20,
    high: 200,
  },
  heartRate: {
    shape:
      /\b(?:hr|heart rate|pulse|rate|tf|herzfrequenz|puls)[ \t:=]{0,3}(?:is |was |of )?(\d{2,3})(?! ?\/ ?\d)(?= ?(?:bpm|\/min|per min|min|,|;|\.|\n|\||$))/giu,
    low: 20,
    high: 300,
  },
  qt: { shape: /\bqt(?:[ -]interval)?[ \t:=]{0,3}(?:is |was |of )?(\d{3}) ?ms\b/giu, low: 200, high: 800 },
  statedQtc: {
    shape:
      /\bqtc[a-z]{0,2}(?:[ -]interval)?[ \t:=]{0,3}(?:\([^()\n]{0,16}\))?[ \t:=]{0,3}(?:is |was |of )?(\d{3}) ?ms\b/giu,
    low: 200,
    high: 800,
  },
  saturation: {
    shape: /\b(?:spo2|sao2|o2 sat|saturation)[ \t:=]{0,3}(?:is |was |of )?(\d{2,3}) ?%/giu,
    low: 40,
    high: 100,
  },
  temperature: {
    shape:
      /\b(?:temp|temperature|teplota|temperatur)\.?[ \t:=]{0,3}(?:is |was |of )?(\d{2}(?:[.,]\d)?) ?(?:°|º)?C\b/giu,
    low: 25,
    high: 45,
  },
  respiratoryRate: {
    shape:
      /\b(?:resp(?:iratory)? rate|rr|df|af)[ \t:=]{0,3}(?:is |was |of )?(\d{1,2})(?= ?(?:\/min|per min|,|;|\.|\n|$))/giu,
    low: 4,
    high: 80,
  },
} as const satisfies Readonly<Record<string, NumberShape>>;

interface Place {
  readonly value: number;
  readonly document: Document;
  readonly range: Range;
}

function factOf(place: Place | undefined): Fact<number> | undefined {
  return place === undefined ? undefined : { value: place.value, span: place.document.spanOf(place.range) };
}

function firstNumber(documents: readonly Document[], { shape, low, high, scale = 1 }: NumberShape): Place | undefined {
  for (const document of documents) {
    for (const match of document.text.matchAll(shape)) {
      const digits = match.slice(1).find((group) => group !== undefined) ?? '';
      const value = Number(digits.replace(',', '.'));
      if (value < low || value > high) continue;
      // The product with a power of ten has floating-point noise: 1.76 · 100 is 176.00000000000003.
      const scaled = Math.round(value * scale * 10) / 10;
      return { value: scaled, document, range: { start: match.index, end: match.index + match[0].length } };
    }
  }
  return undefined;
}

/** The heart rate of the ECG: QT is corrected by the rate at which it was measured, not by that of the examination. */
function rateBeside({ document, range: qt }: Place): Fact<number> | undefined {
  const from = Math.max(0, qt.start - rateDistance);
  const [rate] = [...document.text.slice(from, qt.end + rateDistance).matchAll(shapes.heartRate.shape)]
    .map((match) => ({ value: Number(match[1]), start: from + match.index, end: from + match.index + match[0].length }))
    .filter(({ value }) => value >= shapes.heartRate.low && value <= shapes.heartRate.high)
    .sort((one, other) => Math.abs(one.start - qt.start) - Math.abs(other.start - qt.start));
  return rate === undefined ? undefined : factOf({ value: rate.value, document, range: rate });
}

const rateDistance = 80;

const sexShape =
  /\b(?:sex|gender|geschlecht|pohlaví)[ \t:=]{1,3}(female|f|weiblich|w|žena|ž|männlich|male|muž|m)(?!\p{L})|\b(?:years?[- ]old|y\/?o) (female|woman|lady|male|man|gentleman)\b|(?<![\d.,])\d{1,3} ?y\/?o ?(f|m)(?!\p{L})|jährige[r]? (frau|patientin|mann|patient)(?!\p{L})|\d{1,3}(letá|letý)(?!\p{L})|(?<!\p{L})(?:(mrs|ms|miss|madame|frau|paní)|(mr|monsieur|herr|pan))\.?[ \u00a0]\p{Lu}/giu;

/** Titles and stated sexes; undefined if both are found, since the texts may mention two people. */
function findSex(documents: readonly Document[]): Fact<Sex> | undefined {
  let first: Fact<Sex> | undefined;
  for (const { text, spanOf } of documents) {
    for (const match of text.matchAll(sexShape)) {
      const word = (match.slice(1).find((group) => group !== undefined) ?? '').toLowerCase();
      const value: Sex = /^(?:f|female|w|weiblich|ž|žena|woman|lady|frau|patientin|letá|mrs|ms|miss|madame|paní)$/.test(
        word,
      )
        ? 'female'
        : 'male';
      const fact = { value, span: spanOf({ start: match.index, end: match.index + match[0].length }) };
      const stated = match[1] !== undefined;
      // "Sex: F" decides at once.
      if (stated) return fact;
      if (first !== undefined && first.value !== value) return undefined;
      first ??= fact;
    }
  }
  return first;
}
