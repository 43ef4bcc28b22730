/** Reads medication lists: medicine, dose, route, frequency, and the resulting daily dose. */
import { labelOver } from '../../document/context.ts';
import { type Document, sentenceAt } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { type Drug, drugs } from './drugs.ts';
import { roundTo } from './rounding.ts';
import { findTerms, indexTerms } from './term-finder.ts';

export interface Medication extends Range {
  readonly drug: Drug;
  /** `listed` has a dose, a frequency or its own line; `mentioned` is in prose; the others follow from the surrounding words. */
  readonly status: 'listed' | 'mentioned' | 'stopped' | 'allergy';
  readonly dose?: { readonly value: number; readonly unit: string };
  readonly route?: string;
  /** As written. */
  readonly frequency?: string;
  readonly perDay?: number;
  readonly asNeeded: boolean;
  /** Dose times units taken times frequency per day; micrograms and grams are converted to milligrams. */
  readonly daily?: { readonly value: number; readonly unit: string };
}

const names = indexTerms(drugs.flatMap(({ names: all, ...drug }) => all.map((name) => [name, drug as Drug] as const)));

/**
 * Ordered by position in the text. The details of a medicine are in its sentence or row, before the next medicine, within 140
 * characters.
 */
export function findMedications(document: Document): Medication[] {
  const { text } = document;
  const terms = findTerms(text, names);
  return terms.map((term, index) => {
    const line = sentenceAt(document, term.start);
    const next = terms[index + 1];
    const limit = Math.min(Math.max(line.end, term.end), term.end + 140, next?.start ?? text.length);
    const end = term.end + untilOtherProduct(text.slice(term.end, limit)).length;
    const previous = terms[index - 1];
    const before = text.slice(Math.max(line.start, previous?.end ?? 0, term.start - 60), term.start);
    // "max 2 g daily" limits a dose and is not one.
    const after = text.slice(term.end, end).replace(/\bmax(?:imum|imal|imálně)?\b[^\n]*/iu, '');
    return readMedication(term.value, after, before, {
      term,
      lineBefore: `${labelOver(document, term.start).slice(0, 60)}\n${text.slice(Math.max(line.start, term.start - 160), term.start)}`,
    });
  });
}

/** "10 mg daily, Coreg 12.5 mg b.i.d.": a name with its own dose, known or not, ends the details of the previous medicine. */
function untilOtherProduct(after: string): string {
  const dose = doseShape.exec(after);
  if (dose === null) return after;
  const from = dose.index + dose[0].length;
  const other = otherProduct.exec(after.slice(from));
  return other === null ? after : after.slice(0, from + other.index);
}

const otherProduct =
  /(?:[,;\n+]|\band\b|[ \u00a0]{1,2}(?=\p{Lu}))[ \t\n]{0,4}(?:and |plus )?(?!(?:then|increas|titrat|total|up|reduc|start|follow|maximum|max|now|with|by|per|each|every|daily|twice|once|three|four|at|in|for|tab|cap|divided)\w{0,8}\b)\p{L}[\p{L}-]{2,30}(?:[ -]\p{L}{1,14}){0,2}[ \u00a0]{1,2}\d{1,5}(?:[.,]\d{1,3})?[ \u00a0]?(?:mg|g|µg|μg|mcg|ug|IU|units?|U|mmol|mEq|ml|puffs?|%)(?!\p{L})/iu;

interface Place {
  readonly term: Range;
  /** The label above it, and its sentence from the beginning to the name. */
  readonly lineBefore: string;
}

function readMedication(drug: Drug, after: string, before: string, { term, lineBefore }: Place): Medication {
  const dose = readDose(after);
  const route = routeShape.exec(after)?.[1]?.toLowerCase();
  const often = readFrequency(after);
  const asNeeded = asNeededShape.test(after);
  const units = unitsTaken(after);
  const status = statusOf(lineBefore, before, after, dose !== undefined || often !== undefined);
  const daily =
    dose === undefined || often === undefined || asNeeded
      ? undefined
      : inMilligrams(dose.value * units * often.perDay, dose.unit);
  return {
    drug,
    status,
    ...(dose === undefined ? {} : { dose: { value: dose.value, unit: dose.unit } }),
    ...(route === undefined ? {} : { route }),
    ...(often === undefined ? {} : { frequency: often.written, perDay: often.perDay }),
    asNeeded,
    ...(daily === undefined ? {} : { daily }),
    start: term.start,
    end: term.end + Math.max(dose?.end ?? 0, often?.end ?? 0),
  };
}

const doseShape =
  /(?<![\d.,/-])(\d{1,5}(?:[.,]\d{1,3})?)[ \u00a0]?(mg|g|µg|μg|mcg|ug|IU|IE|units?|U|mmol|ml)(?![\p{L}\d]|\/(?:kg|m2|ml|5))/u;

function readDose(after: string): { value: number; unit: string; end: number } | undefined {
  const match = doseShape.exec(after);
  if (match === null) return undefined;
  const unit = match[2]!.replace(/^(?:μg|mcg|ug)$/, 'µg').replace(/^(?:IE|units?|U)$/, 'IU');
  return { value: doseValue(match[1]!), unit, end: match.index + match[0].length };
}

/**
 * `1,000` is a thousand in every language: a dose does not have three decimals after a comma, unless it begins with zero
 * (`0,125`).
 */
function doseValue(written: string): number {
  return Number(/^[1-9]\d{0,2},\d{3}$/.test(written) ? written.replace(',', '') : written.replace(',', '.'));
}

const quantity = String.raw`(?:\d(?:[.,]5)?|½|1\/2)`;
const scheduleShape = new RegExp(
  String.raw`(?<![\d.,/-])(${quantity}) ?[-–] ?(${quantity}) ?[-–] ?(${quantity})(?: ?[-–] ?(${quantity}))?(?![\d/-]|[.,]\d)`,
);

/** Words of frequency, each with the number of times per day. */
const frequencies: readonly { readonly shape: RegExp; readonly perDay: (match: RegExpExecArray) => number }[] = [
  {
    shape: /\b(?:q|every|alle|à|á|po) ?(\d{1,2}) ?(?:h|hours?|hrs?|hodinách|hodin|stunden|heures)\b/iu,
    perDay: (match) => 24 / Number(match[1]),
  },
  {
    shape: /(?<!\d)(\d) ?[x×] ?(?:a day|per day|\/ ?(?:d|day|den|tag)\b|daily|denně|täglich|tgl|par jour|d\b)/iu,
    perDay: (match) => Number(match[1]),
  },
  {
    shape:
      /\b(?:once|1 ?[x×]) ?(?:a |per |every )?(?:week(?:ly)?|týdně|wöchentlich)\b|\bweekly\b|\btýdně\b|\bwöchentlich\b/iu,
    perDay: () => 1 / 7,
  },
  { shape: /\b(?:every other day|alternate days|obden|jeden zweiten tag)\b/iu, perDay: () => 1 / 2 },
  { shape: /\b(?:four times (?:a day|daily)|qid|qds|q\.i\.d\.?)(?!\p{L})/iu, perDay: () => 4 },
  {
    shape: /\b(?:three times (?:a day|daily)|thrice daily|tid|tds|t\.i\.d\.?|dreimal täglich|třikrát denně)(?!\p{L})/iu,
    perDay: () => 3,
  },
  {
    shape:
      /\b(?:twice (?:a day|daily)|two times (?:a day|daily)|bid|bd|b\.i\.d\.?|zweimal täglich|dvakrát denně)(?!\p{L})/iu,
    perDay: () => 2,
  },
  {
    shape:
      /\b(?:once (?:a day|daily)|od|qd|o\.d\.?|q\.d\.?|daily|every day|denně|täglich|nocte|mane|qhs|hs|at bedtime|at night|in the morning|in the evening|na noc|ráno|večer|morgens|abends)(?!\p{L})/iu,
    perDay: () => 1,
  },
];

function readFrequency(after: string): { written: string; perDay: number; end: number } | undefined {
  const schedule = scheduleShape.exec(after);
  if (schedule !== null) {
    const perDay = schedule.slice(1).reduce((sum, part) => sum + partOf(part), 0);
    if (perDay > 0) return { written: schedule[0], perDay, end: schedule.index + schedule[0].length };
  }
  let first: { written: string; perDay: number; start: number; end: number } | undefined;
  for (const { shape, perDay } of frequencies) {
    const match = shape.exec(after);
    const value = match === null ? 0 : perDay(match);
    if (match === null || !Number.isFinite(value) || value <= 0 || value > 24) continue;
    const end = match.index + match[0].length;
    // The one that is written first; of two at the same position the longer, as "every other day" and "every day".
    if (first === undefined || match.index < first.start || (match.index < first.end && end > first.end))
      first = { written: match[0].trim(), perDay: value, start: match.index, end };
  }
  return first;
}

function partOf(part: string | undefined): number {
  if (part === undefined) return 0;
  return part === '½' || part === '1/2' ? 0.5 : Number(part.replace(',', '.'));
}

const asNeededShape =
  /\b(?:prn|p\.r\.n\.?|as needed|if needed|when required|as required|při potížích|při bolesti|dle potřeby|bei bedarf|au besoin)(?!\p{L})/iu;
const routeShape =
  /\b(p\.?o\.?|per os|oral(?:ly)?|i\.?v\.?|i\.?m\.?|s\.?c\.?|subcutaneous(?:ly)?|inhaled|topical(?:ly)?|transdermal|sublingual)(?![\p{L}.])/iu;

/** "2 tablets", "1 tbl": the number taken at a time. */
function unitsTaken(after: string): number {
  const match = /(?<![\d.,/-])(\d|½) ?(?:tabs?|tablets?|tbl|caps?|capsules?|kapsle|tabletten?|cps|cpr)\b/iu.exec(after);
  return match === null ? 1 : Math.max(0.5, partOf(match[1]));
}

function statusOf(lineBefore: string, before: string, after: string, hasDose: boolean): Medication['status'] {
  if (
    /\b(?:allerg\w{0,6}|alergi\w{0,4}|intoleran\w{0,3}|hypersensitiv\w{0,4})(?![\p{L}])/iu.test(lineBefore) ||
    /^[^.;\n]{0,30}\ballergy\b/i.test(after)
  ) {
    return 'allergy';
  }
  const stop = /\b(?:stop(?:ped|s)?|discontinued?|ceased|paused|withheld|off|vysazen\p{L}{0,2}|abgesetzt|ex)\b/iu;
  if (
    stop.test(before.slice(-40)) ||
    /^[^.;\n]{0,40}\b(?:stopped|discontinued|ceased|paused|withheld|vysazen\w{0,2}|abgesetzt)(?!\p{L})/iu.test(after)
  ) {
    return 'stopped';
  }
  const ownLine = /^[\s\d.)*•|–-]{0,12}$/.test(lineBefore.slice(lineBefore.indexOf('\n')));
  return hasDose || ownLine ? 'listed' : 'mentioned';
}

function inMilligrams(value: number, unit: string): { value: number; unit: string } {
  if (unit === 'g') return { value: roundTo(value * 1000, 3), unit: 'mg' };
  if (unit === 'µg' && value >= 1000) return { value: roundTo(value / 1000, 3), unit: 'mg' };
  return { value: roundTo(value, 3), unit };
}

/** @returns the dose in milligrams; undefined for units that are not a mass */
export function milligrams(daily: { readonly value: number; readonly unit: string }): number | undefined {
  if (daily.unit === 'mg') return daily.value;
  return daily.unit === 'µg' ? daily.value / 1000 : undefined;
}
