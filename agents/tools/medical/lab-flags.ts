/** Flags laboratory values by the laboratory's own range, or by the usual range for adults. */
import type { Document } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import { indexAt } from '../text/ranges.ts';
import { lineAround, type Range, type Span } from '../text/span.ts';
import type { Analyte, RangeOf } from './analytes.ts';
import { clinicalDates, eventDates } from './clinical-dates.ts';
import { isForeign } from './foreign.ts';
import type { Sex } from './formulas.ts';
import { entryDay } from './journal.ts';
import type { LabValue } from './lab-value.ts';
import { findLabValues } from './lab-values.ts';
import { dayOfStay, dayOver, daysIn, visitDay } from './measure-day.ts';
import type { Patient } from './patient.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';

export type LabFlag = 'critically low' | 'low' | 'normal' | 'high' | 'critically high' | 'not judged';

export interface ReviewedLab {
  readonly analyte: Analyte;
  readonly lab: LabValue;
  readonly flag: LabFlag;
  readonly range: RangeOf;
  readonly rangeSource: 'document' | 'usual adult range' | 'none';
  /** ISO: the date of the value, from the words around it, or the last date before it in its message. */
  readonly date?: string;
  readonly span: Span;
}

/** Ordered by position in the text. Ranges for adults are not applied to children. */
export function reviewLabs(document: Document, patient: Patient): ReviewedLab[] {
  const child = isMinor(document, patient);
  const labs = findLabValues(document).filter(({ start }) => !isForeign(document, start));
  const printed = printedRanges(labs);
  return labs.map((lab) => {
    const { analyte } = lab;
    const givenRange = lab.givenRange ?? printed.get(analyte.key);
    const usual = child ? {} : usualRange(analyte, patient.sex?.value);
    const range = givenRange ?? usual;
    const date = lab.date ?? dateOf(document, lab);
    return {
      analyte,
      lab,
      flag: flagOf(
        lab,
        range,
        child ? {} : analyte.critical,
        lab.givenRange === undefined ? undefined : lab.writtenRange,
      ),
      range,
      rangeSource: givenRange !== undefined ? 'document' : Object.keys(usual).length > 0 ? 'usual adult range' : 'none',
      ...(date === undefined ? {} : { date }),
      span: document.spanOf(lab),
    };
  });
}

/** The only range that the document prints for a quantity also judges its values in prose. */
function printedRanges(labs: readonly LabValue[]): ReadonlyMap<string, RangeOf> {
  const ranges = new Map<string, RangeOf>();
  const different = new Set<string>();
  for (const { analyte, givenRange } of labs) {
    if (givenRange === undefined) continue;
    const { low, high } = ranges.get(analyte.key) ?? givenRange;
    if (low !== givenRange.low || high !== givenRange.high) different.add(analyte.key);
    ranges.set(analyte.key, givenRange);
  }
  for (const key of different) ranges.delete(key);
  return ranges;
}

const birthBefore =
  /(?<!\p{L})(?:dob|d\.o\.b\.?|date of birth|birth ?date|born(?: on)?|geb\.?|geboren(?: am)?|geburtsdatum|n[ée]e? le|date de naissance|fecha de nacimiento|data di nascita|geboortedatum)[ :.]{0,3}$|[*] ?$/iu;

/** By the stated age, else by the year of birth and the last year that the record names. */
function isMinor(document: Document, patient: Patient): boolean {
  if (patient.ageYears !== undefined) return patient.ageYears.value < 18;
  const all = clinicalDates(document);
  const birth = all.find(({ start }) => birthBefore.test(document.text.slice(Math.max(0, start - 24), start)));
  if (birth === undefined) return false;
  const last = all.reduce((year, { iso }) => Math.max(year, Number(iso.slice(0, 4))), 0);
  return last - Number(birth.iso.slice(0, 4)) < 18;
}

/**
 * The date in its own statement or line, else the only date of the heading above it, else the sample date of the record. A
 * value with its own time ("by discharge", "previously") does not use the date of a heading.
 */
function dateOf(document: Document, lab: LabValue): string | undefined {
  const { text } = document;
  const statement = statementAt(document, lab.start);
  const all = daysOf(document);
  const here = indexAt(all, lab.start) ?? 0;
  const days = all.slice(Math.max(0, here - 6), here + 8);
  const line = lineAround(text, lab.start, 160);
  const own = days.filter(
    ({ start }) =>
      !earlierResults.test(text.slice(Math.max(0, start - 40), start)) &&
      ((start >= statement.start && start < statement.end) ||
        (start >= line.start && start < line.end && isOfLine(text, line, start))),
  );
  const inside = own.find((date) => date.start > lab.start && date.end <= lab.end);
  if (inside !== undefined) return inside.iso;
  const after = own.find((date) => date.start >= lab.end && isOfValue(text, lab, date));
  if (after !== undefined) return after.iso;
  const before = own.filter(({ end }) => end <= lab.start).at(-1);
  const lead = daysIn(document, { start: Math.max(line.start, before?.end ?? 0), end: lab.start }).findLast(
    ({ at }) =>
      !earlierResults.test(text.slice(Math.max(0, at - 40), at)) && (at >= statement.start || isOfLine(text, line, at)),
  );
  if (lead !== undefined) return lead.day;
  if (before !== undefined) return hasShortDay(text.slice(before.end, lab.start)) ? undefined : before.iso;
  if (today.test(text.slice(lab.start, lab.end))) return visitDay(document);
  const above = days.filter(({ start, end }) => end <= line.start && isInHeadingAbove(text, line.start, start));
  if (above.length === 1) return above[0]!.iso;
  const words = text.slice(Math.max(statement.start, lab.start - 120), lab.end);
  if (ownTime.test(words)) return undefined;
  const section = sectionAt(document, lab.start);
  const caption = dayOver(document, lab.start);
  if (caption !== undefined) return caption;
  if (today.test(section.title)) return visitDay(document);
  const entry = entryDay(document, lab.start);
  // Results in a section of their own are not a part of the last entry.
  const isOwnSection = section.kind === 'laboratory' && text[section.start - 1] === '\n';
  if (entry !== undefined && !isOwnSection) return entry;
  const first = indexAt(all, section.start) ?? 0;
  const heading = all
    .slice(first, first + 4)
    .filter(({ start }) => start >= section.start && start <= section.start + section.title.length + 40);
  const headingEnd = text.indexOf('\n', section.start + section.title.length);
  const inHeading = heading.find(
    ({ start }) => headingEnd === -1 || start < headingEnd || headingEnd < section.start + 3,
  );
  if (inHeading !== undefined) return section.kind === 'laboratory' ? inHeading.iso : undefined;
  return (section.kind === 'laboratory' ? dayOfStay(document, section.title) : undefined) ?? sampleDay(document);
}

/** "(Vorwerte vom 02.05.2026 in Klammern)": the day of other values. */
const earlierResults =
  /\((?:\p{L}+ ){0,2}?(?:previous|prior|earlier|last|vorwert\p{L}*|vorbefund\p{L}*|antérieur\p{L}*|précédent\p{L}*|anterior\p{L}*|previ[oa]s?|precedent[ei]|vorige|eerdere?|tidigare|föregående|tidligere|poprzedni\p{L}*)(?: \p{L}+){0,3} $/iu;

/** "Labs on 05/05/2026. Your potassium on 04/15 was 4.9": the nearer day counts, although it has no year. */
function hasShortDay(words: string): boolean {
  const found = [...words.matchAll(/(?<![\d.,/])(\d{1,2})(?:\/(\d{1,2})(?![\d/])|\.(\d{1,2})\.(?!\d))/g)];
  return found.some(([, one, slashed, pointed]) => {
    const parts = [Number(one), Number(slashed ?? pointed)];
    return Math.min(...parts) >= 1 && Math.min(...parts) <= 12 && Math.max(...parts) <= 31;
  });
}

const today = /(?<!\p{L})(?:today|heute|aujourd['’]hui|hoy|oggi|vandaag|dziś|dzisiaj)(?!\p{L})/iu;

/** A line of results begins with its date, has cells, or names the laboratory before it; in prose another sentence has its own date. */
function isOfLine(text: string, line: Range, at: number): boolean {
  const before = text.slice(line.start, at);
  return (
    text.slice(line.start, line.end).includes('\t') ||
    before.trim().length <= 12 ||
    /(?<!\p{L})(?:labs?|lab\p{L}{2,8}|bloods?|collected|drawn|sample|results?|chemistr\p{L}+|biologie|bilan|entnahme|abnahme|anal[íy]\p{L}+|bmp|cmp|cbc|panel|visit|seen|admi\p{L}+)(?!\p{L})/iu.test(
      before.slice(-60),
    )
  );
}

/** "Chemistry of 20.05.2034:" in the line above. */
function isInHeadingAbove(text: string, lineStart: number, at: number): boolean {
  const above = text.slice(Math.max(0, lineStart - 100), lineStart).replace(/\s+$/, '');
  return above.endsWith(':') && at > Math.max(0, lineStart - 100) + above.lastIndexOf('\n');
}

/** "… 14.1 g/dL (06/11/2025)", "… on 12 January 2026": without another value between them. */
function isOfValue(text: string, lab: LabValue, date: FoundDate): boolean {
  const words = text.slice(lab.end, date.start);
  return (
    words.length <= 30 &&
    // The label of the next line has the day of its own values.
    !/\n[^\p{L}]*\p{Lu}/u.test(words) &&
    /^[\s,]{0,3}(?:\p{L}{2,10}[ ]){0,2}[(,]?\s?(?:on|of|from|dne|ze dne|z(?: dnia)?|am|vom|le|du|drawn|taken|d[aeo]l?|em|il|op|van|den|av|fra|från)?\s?$/iu.test(
      words,
    ) &&
    !/(?:repeat|recheck|next|again|kontrolle|contrôle)/iu.test(words)
  );
}

const ownTime =
  /(?<!\p{L})(?:by discharge|earlier(?= ?:)|at discharge|on discharge|previous(?:ly)?|prior|last (?:year|month)|later|day \d|subsequently|improved|come down|fell to|rose to|baseline|bei entlassung|à la sortie)(?!\p{L})/iu;

const samples = new WeakMap<Document, { readonly day: string | undefined }>();
const days = new WeakMap<Document, readonly FoundDate[]>();

function daysOf(document: Document): readonly FoundDate[] {
  const read = days.get(document) ?? eventDates(document).filter(({ iso }) => iso.length >= 7);
  days.set(document, read);
  return read;
}

/** "Collected: 05/06/2025": if a report names one sample date. */
function sampleDay(document: Document): string | undefined {
  const read = samples.get(document);
  if (read !== undefined) return read.day;
  const { text } = document;
  const found = daysOf(document).filter(({ start }) =>
    /(?<!\p{L})(?:collected|collection (?:date|time)|date collected|specimen (?:date|collected)|sample (?:date|taken)|drawn|taken|entnahme(?:datum)?|abnahme(?:datum)?|probenentnahme|prélevé|prélèvement|date de prélèvement|odběr|odebráno|bloods|labs|labor vom|biologie du|colheita|data da colheita|toma de muestra|fecha de (?:extracción|toma|muestra)|extracción|muestra|prelievo|data prelievo|campione|afname(?:datum)?|afgenomen|pobrano|data pobrania|pobranie|materiał pobrano|provtagning(?:sdatum)?|prøvetaking|prøvetagning|prøvedato|abnahmezeitpunkt|entnommen|blutentnahme|datum odběru|results? (?:on file|of|from)|sample received on|recogida)(?!\p{L})[^\p{L}\n]{0,16}(?:(?:on|am|le|du|vom|date|dne|effectué|de|del|em|il|op|dnia|datum)[^\p{L}\n]{0,3}){0,2}$/iu.test(
      text.slice(Math.max(0, start - 40), start),
    ),
  );
  const distinct = new Set(found.map(({ iso }) => iso));
  const day = distinct.size === 1 ? found[0]!.iso : undefined;
  samples.set(document, { day });
  return day;
}

/** If the sex is unknown, the range that is normal for either sex. */
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

/** A bound ("< 0.5") is flagged only if it is decisive. */
function flagOf(
  { value, writtenNumber, bound }: LabValue,
  range: RangeOf,
  critical: RangeOf,
  writtenRange: RangeOf | undefined,
): LabFlag {
  if (range.low === undefined && range.high === undefined) return 'not judged';
  const below = (limit: number | undefined, number = value) =>
    limit !== undefined && (bound === '<' ? number <= limit : bound === '>' ? false : number < limit);
  const above = (limit: number | undefined, number = value) =>
    limit !== undefined && (bound === '>' ? number >= limit : bound === '<' ? false : number > limit);
  // As printed, because conversion rounds: 1.3 mg/dL is within 0.7 to 1.3.
  const [isLow, isHigh] =
    writtenRange === undefined
      ? [below(range.low), above(range.high)]
      : [below(writtenRange.low, writtenNumber), above(writtenRange.high, writtenNumber)];
  if (isLow) return below(critical.low) ? 'critically low' : 'low';
  if (isHigh) return above(critical.high) ? 'critically high' : 'high';
  return bound === undefined ||
    (bound === '<' && range.low === undefined) ||
    (bound === '>' && range.high === undefined)
    ? 'normal'
    : 'not judged';
}
