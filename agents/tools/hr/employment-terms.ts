/**
 * The inputs of notice and severance as a text states them, and what follows from them by arithmetic.
 * @see Directive (EU) 2019/1152, article 8 (probation of at most six months as a rule); Directive 2003/88/EC, article 7 (four
 *   weeks of paid annual leave). Notice and severance themselves are national law.
 */

import { type Document, readDocument, sentenceAt } from '../../document/document.ts';
import type { FoundAmount } from '../text/amounts.ts';
import type { FoundDate } from '../text/dates.ts';
import type { FoundDuration } from '../text/durations.ts';
import { findPhrases } from '../text/phrases.ts';
import { allWithin, firstWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { benefitWords } from './benefit-words.ts';
import { familyLeave } from './clause-leave.ts';
import { isLimit, periodNear } from './clause-pay.ts';
import { isAmerican } from './jurisdiction.ts';
import { otherVoices, supersededCells } from './other-voices.ts';
import { ownText } from './own-parts.ts';
import { isNextToProbation, isNotProbation } from './probation-length.ts';
import { severanceRule } from './severance.ts';
import { type Term, type TermKind, termCues } from './term-cues.ts';

/** Maximum number of terms of one kind in the result, and of cues of one kind that are examined. */
export const termsPerKindMax = 12;
const cuesPerKindMax = 400;

/** Ordered by position in the text; each value once per kind and position. */
export function findTerms(document: { readonly message: number; readonly text: string }): Term[] {
  const reading = readDocument(document);
  const { amounts } = reading;
  const dates = reading.dates.filter(({ iso }) => iso.length === 10);
  const cues = [...findPhrases(reading.words, termCues), ...labelledNotice(reading)].sort((a, b) => a.start - b.start);
  const owners = ownersOf(reading, cues);
  const byKind = new Map<TermKind, readonly FoundDuration[]>();
  const durationsOf = (kind: TermKind) => {
    const known = byKind.get(kind) ?? reading.durations.filter((each) => (owners.get(each) ?? kind) === kind);
    byKind.set(kind, known);
    return known;
  };
  const notStated = [...otherVoices(reading), ...supersededCells(reading)];
  const terms: Term[] = [];
  const counts = new Map<TermKind, number>();
  const cuesSeen = new Map<TermKind, number>();
  const seen = new Set<string>();
  for (const { label: kind, start, end } of cues) {
    const looked = (cuesSeen.get(kind) ?? 0) + 1;
    cuesSeen.set(kind, looked);
    if (looked > cuesPerKindMax || (counts.get(kind) ?? 0) >= termsPerKindMax) continue;
    const around = clip(sentenceAt(reading, start), start);
    const term = read(kind, reading, { start, end }, around, {
      durations: durationsOf(kind),
      dates,
      amounts,
    });
    const key = `${kind} ${term?.start}`;
    if (term === undefined || seen.has(key) || !isOwn(reading.text, around, term)) continue;
    if (notStated.some((range) => term.start >= range.start && term.end <= range.end)) continue;
    seen.add(key);
    const isWithoutLaw = isAmerican(reading.text) && (kind === 'annual_leave' || kind === 'probation');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    terms.push(isWithoutLaw ? withoutCaution(term) : term);
  }
  return terms;
}

/** Terms of other people, and law that is only quoted, are not terms of the employee. */
function isOwn(text: string, around: Range, { start, end }: Range): boolean {
  const sentence = ownText(text.slice(around.start, around.end).replace(/\s/gu, ' '));
  return sentence.slice(start - around.start, end - around.start).trim() !== '';
}

/** The cautions are about directives of the European Union. */
function withoutCaution({ kind, value, start, end }: Term): Term {
  return { kind, value, start, end };
}

type Cue = Range & { readonly label: TermKind };

/** "Notice: 4 weeks". */
function labelledNotice({ blocks, text }: Document): Cue[] {
  return blocks.flatMap((block): Cue[] => {
    if (block.kind !== 'field' || !/^notice$/i.test(text.slice(block.label.start, block.label.end))) return [];
    return [{ label: 'notice_period', start: block.label.start, end: block.label.end }];
  });
}

const durationKinds: ReadonlySet<TermKind> = new Set([
  'notice_period',
  'probation',
  'non_compete',
  'garden_leave',
  'annual_leave',
]);

/** "During probation", "after the trial period": the time in which another term applies. */
const modifier =
  /\b(?:during|after|within|in|while|throughout|following|completion of|end of|expiry of|während|nach|innerhalb|in|ve|během|po|pendant|après)\s{1,3}(?:(?:the|a|an|his|her|its|this|such|der|den|die|dem|la|le)\s{1,3})?$/iu;

/** Maximum number of cues examined per duration, and their maximum distance in characters. */
const perSentenceMax = 24;
const nearMax = 400;

/**
 * Assigns each duration to one kind of term, that of the cue that governs it. In "After probation the period of notice is three
 * months", the three months belong to the notice.
 */
function ownersOf(reading: Document, cues: readonly Cue[]): ReadonlyMap<FoundDuration, TermKind> {
  const owners = new Map<FoundDuration, TermKind>();
  const own = cues.filter(({ label }) => durationKinds.has(label));
  if (own.length === 0) return owners;
  for (const duration of reading.durations) {
    const sentence = sentenceAt(reading, duration.start);
    const here = allWithin(own, {
      start: Math.max(sentence.start, duration.start - nearMax),
      end: Math.min(sentence.end, duration.end + nearMax),
    }).slice(0, perSentenceMax);
    let best: { kind: TermKind; distance: number } | undefined;
    for (const { label, start, end } of here) {
      const distance = distanceOf(reading.text, { start, end }, duration, sentence);
      if (best === undefined || distance < best.distance) best = { kind: label, distance };
    }
    if (best !== undefined) owners.set(duration, best.kind);
  }
  return owners;
}

/**
 * Distance in characters; a cue that only states a time, one across a comma or in another clause, and one after the duration
 * count as farther away.
 */
function distanceOf(text: string, cue: Range, duration: Range, sentence: Range): number {
  const follows = cue.start >= duration.end;
  const between = (follows ? text.slice(duration.end, cue.start) : text.slice(cue.end, duration.start)).slice(0, 400);
  const governs =
    !follows &&
    /^\s{1,3}(?:period\s{1,3}|time\s{1,3})?(?:of|is|are|lasts|shall be|will be|amounts to|von|beträgt|dauert|činí|trvá|est de|de)\s{1,3}(?:up to |at least |at most |a |the )?$/iu.test(
      between,
    );
  const isModifier = !governs && modifier.test(text.slice(Math.max(sentence.start, cue.start - 40), cue.start));
  const directly = follows && /^['’]?s?\s{0,3}(?:of |as |a |the )?(?:prior |written )?$/i.test(between);
  return between.length + (isModifier ? 2_000 : 0) + (follows && !directly ? 60 : 0) + (/[;,]/.test(between) ? 80 : 0);
}

/** Long sentences are truncated to the text near the cue. */
function clip({ start, end }: Range, at: number): Range {
  return { start: Math.max(start, at - 300), end: Math.min(end, at + 400) };
}

interface Facts {
  readonly durations: readonly FoundDuration[];
  readonly dates: readonly FoundDate[];
  readonly amounts: readonly FoundAmount[];
}

/** Where to search for a term: first after its cue, then in its whole sentence. */
interface Place {
  readonly text: string;
  readonly cue: Range;
  readonly around: Range;
  readonly after: Range;
}

function read(kind: TermKind, { text }: Document, cue: Range, around: Range, facts: Facts): Term | undefined {
  const place: Place = { text, cue, around, after: { start: cue.start, end: around.end } };
  switch (kind) {
    case 'notice_period':
    case 'probation':
    case 'non_compete':
    case 'garden_leave':
    case 'annual_leave':
      return readDuration(kind, place, facts);
    case 'weekly_hours':
      return readWeeklyHours(place, facts);
    case 'start_date':
    case 'end_date':
    case 'notice_given':
      return readDate(kind, place, facts);
    case 'salary':
      return readSalary(place, facts);
    case 'severance_rule': {
      const rule = severanceRule(text.slice(around.start, around.end));
      return rule === undefined ? undefined : { kind, value: rule, start: around.start, end: around.end };
    }
    case 'opt_out':
      return {
        kind,
        value: text.slice(cue.start, Math.min(cue.end, cue.start + 60)),
        caution: 'article 22 of Directive 2003/88/EC: the worker’s agreement, no detriment for refusing, records',
        severity: 'info',
        start: cue.start,
        end: cue.end,
      };
  }
}

function readDuration(kind: TermKind, { text, around, after }: Place, { durations }: Facts): Term | undefined {
  const whole = durations.filter(({ unit }) => unit !== 'hour' && unit !== 'minute');
  const duration = firstWithin(whole, after) ?? firstWithin(whole, around);
  if (duration === undefined || isOther(kind, text.slice(around.start, around.end))) return undefined;
  if (kind === 'probation' && isProbationOther(text, { around, after }, duration)) return undefined;
  const term = { kind, value: duration.iso, start: duration.start, end: duration.end };
  if (kind !== 'annual_leave') return { ...term, ...durationCaution(kind, duration) };
  if ((duration.unit !== 'day' && duration.unit !== 'week') || familyLeave.test(text.slice(around.start, around.end)))
    return undefined;
  // Leave earned per month is not the leave of a year.
  const isPartOfYear = /^\P{Lu}{0,40}?(?:per|a|each|par|pro|im|je|al|por|per) (?:month|mois|monat|mese|mes|maand)/iu;
  if (
    Number(duration.count) < (duration.unit === 'day' ? 5 : 1) ||
    isPartOfYear.test(text.slice(duration.end, around.end))
  )
    return undefined;
  const sixDays = /\b(?:six|6)[- ]day|Werktage/iu.test(text.slice(around.start, around.end));
  return { ...term, ...leaveCaution(duration, sixDays) };
}

/** "One day of holiday per month during probation". */
function isProbationOther(text: string, { around, after }: Pick<Place, 'around' | 'after'>, found: Range): boolean {
  const sentence = text.slice(around.start, around.end).replace(/\s/gu, ' ');
  const [start, end] = [found.start - around.start, found.end - around.start];
  return (
    isNotProbation(sentence, after.start - around.start, { start, end }) ||
    !isNextToProbation(sentence.slice(Math.max(0, start - 60), start), sentence.slice(end, end + 70))
  );
}

const legalLimit =
  /\b(?:may not|must not|shall not|cannot|never|no more than|not more than|may work more than|exceed\w{0,3}|maximum|limit\w{0,2}|reference period|opt(?:ed)?[ -]?out|overtime above|darf nicht|höchstens|überschreit\w{0,4}|au maximum|dépass\w{0,4}|como máximo|massimo|ten hoogste)\b/iu;

/** Notice that is not required, already served, or concerns another person or something other than the employment. */
const otherNotice =
  /\b(?:as a courtesy|do not require|not required|served|opt[ -]?(?:out|in)|withdraw\w{0,3} (?:an?|it|this|your|the)|in lieu of notice of|not (?:relevant|applicable)|managers of|executives|senior (?:managers|staff)|holiday request)\b/iu;
/** A covenant or a probation that does not apply. */
const released =
  /\b(?:shall not apply|does not apply|do not apply|no longer applies|is released|are released|released from|is waived|not binding|entfällt|findet keine anwendung|ne s['’]applique pas|no se aplica|sans objet|aucune (?:clause|période) d['’]essai|keine probezeit)\b/iu;
/** The trial of another arrangement, for example of flexible working. */
const otherTrial = /\barrangement\b|\bprevious pattern\b/iu;
const sickPay = /\b(?:sick pay|sickness|full pay|krankheit|maladie|incapacidad)\b/iu;

/** Whether the sentence cancels the term, or assigns the duration to something else. */
function isOther(kind: TermKind, sentence: string): boolean {
  if (kind === 'notice_period') return otherNotice.test(sentence);
  if (kind === 'non_compete') return released.test(sentence);
  return kind === 'probation' && (sickPay.test(sentence) || released.test(sentence) || otherTrial.test(sentence));
}

function readWeeklyHours({ text, cue, around }: Place, { durations }: Facts): Term | undefined {
  const duration = allWithin(durations, around).find(({ unit }) => unit === 'hour');
  const before = text.slice(Math.max(around.start, cue.start - 40), cue.start);
  if (duration === undefined || /overtime|überst|mehrarbeit|přesčas|supplémentaire/iu.test(before)) return undefined;
  // A statutory limit or reference period is not an agreed term.
  const sentence = text.slice(around.start, around.end);
  if (legalLimit.test(sentence)) return undefined;
  const above = Number(duration.count) > 48;
  const caution = above
    ? { caution: 'above the average of 48 hours of article 6 of Directive 2003/88/EC', severity: 'high' as const }
    : {};
  return { kind: 'weekly_hours', value: duration.iso, ...caution, start: duration.start, end: duration.end };
}

function readDate(kind: TermKind, { text, cue, around, after }: Place, { dates }: Facts): Term | undefined {
  // Continuous employment may have begun with an earlier employer.
  if (kind === 'start_date' && /\bcontinuous $/i.test(text.slice(Math.max(0, cue.start - 12), cue.start)))
    return undefined;
  const date = firstWithin(dates, after) ?? (kind === 'notice_given' ? firstWithin(dates, around) : undefined);
  if (date === undefined) return undefined;
  const caution = date.ambiguous
    ? { caution: 'day and month are ambiguous: read as day first', severity: 'low' as const }
    : {};
  return { kind, value: date.iso, ...caution, start: date.start, end: date.end };
}

function readSalary({ text, cue, around, after }: Place, { amounts }: Facts): Term | undefined {
  const amount = firstWithin(amounts, after);
  if (amount === undefined || isOfOther(text.slice(cue.end, amount.start)) || isLimit(text, amount.start))
    return undefined;
  if (minimumBefore.test(text.slice(Math.max(0, cue.start - 12), cue.end))) return undefined;
  const near = text.slice(Math.max(around.start, cue.start - 30), Math.min(around.end, amount.end + 45));
  const from = Math.max(around.start, cue.start - 30);
  const period =
    periodNear(near.replace(/\s/gu, ' '), amount.start - from, amount.end - from) ??
    periodOfCue(near) ??
    'period not stated';
  const value = `${amount.currency ?? amount.currencyMark} ${amount.value} per ${period}`;
  return { kind: 'salary', value, start: amount.start, end: amount.end };
}

/** "National minimum wage": what the law requires, and no pay of a person. */
const minimumBefore = /\bminimum $|\bminimum (?:wage|salary|pay)s?$/iu;

/** Whether the words between a cue for the salary and an amount say that the amount is of something else. */
function isOfOther(between: string): boolean {
  return (
    between.length > 90 ||
    /[.;:]\s+\p{Lu}[\p{L} ]{1,30}:/u.test(between) ||
    benefitWords.some(([benefit, shape]) => benefit !== 'extra-month' && shape.test(between))
  );
}

type Caution = Pick<Term, 'caution' | 'severity'>;

function durationCaution(kind: TermKind, { unit, count }: FoundDuration): Caution {
  const months =
    unit === 'month'
      ? Number(count)
      : unit === 'year'
        ? Number(count) * 12
        : unit === 'week'
          ? Number(count) / 4.345
          : 0;
  return kind === 'probation' && months > 6
    ? {
        caution: 'longer than the six months of article 8(1) of Directive (EU) 2019/1152, subject to its exceptions',
        severity: 'medium',
      }
    : {};
}

function leaveCaution({ unit, count }: FoundDuration, sixDays: boolean): Caution {
  const weeks = unit === 'week' ? Number(count) : Number(count) / (sixDays ? 6 : 5);
  if (weeks >= 4) return {};
  return {
    caution: `less than four weeks (article 7 of Directive 2003/88/EC) at ${sixDays ? 'six' : 'five'} working days a week`,
    severity: 'high',
  };
}

/** Czech names of periods, and pay that its name gives a period. */
function periodOfCue(near: string): 'hour' | 'month' | 'year' | undefined {
  if (/za hodinu/iu.test(near)) return 'hour';
  if (/Monatsgehalt|měsíčn/iu.test(near)) return 'month';
  return /Jahresgehalt|ročn/iu.test(near) ? 'year' : undefined;
}
