/**
 * The inputs of notice and severance, as a text gives them, and what follows from them by arithmetic.
 *
 * @see Directive (EU) 2019/1152, article 8 (probation of at most six months as a rule); Directive 2003/88/EC, article 7 (four
 *   weeks of paid annual leave). Notice and severance themselves are national law.
 */
import { findAmounts } from '../text/amounts.ts';
import { findDates } from '../text/dates.ts';
import { type FoundDuration, findDurations } from '../text/durations.ts';
import { findPhrases } from '../text/phrases.ts';
import { allWithin, firstWithin, readText, sentenceAt, type TextReading } from '../text/reading.ts';
import type { Range } from '../text/span.ts';
import { severanceRule } from './severance.ts';
import { type Term, type TermKind, termCues } from './term-cues.ts';

/** Terms of one kind listed at most, and cues of one kind looked at. */
export const termsPerKindMax = 12;
const cuesPerKindMax = 400;

/** In the order of the text; each value once per kind and place. */
export function findTerms(document: { readonly message: number; readonly text: string }): Term[] {
  const reading = readText(document);
  const durations = findDurations(reading.text, reading.words);
  const dates = findDates(reading.text, reading.words).filter(({ iso }) => iso.length === 10);
  const amounts = findAmounts(reading.text);
  const terms: Term[] = [];
  const counts = new Map<TermKind, number>();
  const cuesSeen = new Map<TermKind, number>();
  const seen = new Set<string>();
  for (const { label: kind, start, end } of findPhrases(reading.words, termCues)) {
    const looked = (cuesSeen.get(kind) ?? 0) + 1;
    cuesSeen.set(kind, looked);
    if (looked > cuesPerKindMax || (counts.get(kind) ?? 0) >= termsPerKindMax) continue;
    const around = clip(sentenceAt(reading, start), start);
    const term = read(kind, reading, { start, end }, around, { durations, dates, amounts });
    const key = `${kind} ${term?.start}`;
    if (term === undefined || seen.has(key)) continue;
    seen.add(key);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    terms.push(term);
  }
  return terms;
}

/** Long sentences are cut to what stands near the cue. */
function clip({ start, end }: Range, at: number): Range {
  return { start: Math.max(start, at - 300), end: Math.min(end, at + 400) };
}

interface Facts {
  readonly durations: readonly FoundDuration[];
  readonly dates: ReturnType<typeof findDates>;
  readonly amounts: ReturnType<typeof findAmounts>;
}

/** Where a term is looked for: behind its cue first, then in its whole sentence. */
interface Place {
  readonly text: string;
  readonly cue: Range;
  readonly around: Range;
  readonly after: Range;
}

function read(kind: TermKind, { text }: TextReading, cue: Range, around: Range, facts: Facts): Term | undefined {
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
        start: cue.start,
        end: cue.end,
      };
  }
}

function readDuration(kind: TermKind, { text, around, after }: Place, { durations }: Facts): Term | undefined {
  const duration = firstWithin(durations, after) ?? firstWithin(durations, around);
  if (duration === undefined) return undefined;
  const term = { kind, value: duration.iso, start: duration.start, end: duration.end };
  if (kind !== 'annual_leave') return { ...term, ...durationCaution(kind, duration) };
  if (duration.unit !== 'day' && duration.unit !== 'week') return undefined;
  const sixDays = /\b(?:six|6)[- ]day|Werktage/iu.test(text.slice(around.start, around.end));
  return { ...term, ...leaveCaution(duration, sixDays) };
}

function readWeeklyHours({ text, cue, around }: Place, { durations }: Facts): Term | undefined {
  const duration = allWithin(durations, around).find(({ unit }) => unit === 'hour');
  const before = text.slice(Math.max(around.start, cue.start - 40), cue.start);
  if (duration === undefined || /overtime|überst|mehrarbeit|přesčas|supplémentaire/iu.test(before)) return undefined;
  const above = Number(duration.count) > 48;
  const caution = above ? { caution: 'above the average of 48 hours of article 6 of Directive 2003/88/EC' } : {};
  return { kind: 'weekly_hours', value: duration.iso, ...caution, start: duration.start, end: duration.end };
}

function readDate(kind: TermKind, { around, after }: Place, { dates }: Facts): Term | undefined {
  const date = firstWithin(dates, after) ?? (kind === 'notice_given' ? firstWithin(dates, around) : undefined);
  if (date === undefined) return undefined;
  const caution = date.ambiguous ? { caution: 'day and month could be exchanged: read as day first' } : {};
  return { kind, value: date.iso, ...caution, start: date.start, end: date.end };
}

function readSalary({ text, cue, around, after }: Place, { amounts }: Facts): Term | undefined {
  const amount = firstWithin(amounts, after);
  if (amount === undefined) return undefined;
  const near = text.slice(Math.max(around.start, cue.start - 30), Math.min(around.end, amount.end + 40));
  const value = `${amount.currency ?? amount.currencyMark} ${amount.value} per ${payPeriod(near) ?? 'period not stated'}`;
  return { kind: 'salary', value, start: amount.start, end: amount.end };
}

function durationCaution(kind: TermKind, { unit, count }: FoundDuration): { caution?: string } {
  const months =
    unit === 'month'
      ? Number(count)
      : unit === 'year'
        ? Number(count) * 12
        : unit === 'week'
          ? Number(count) / 4.345
          : 0;
  return kind === 'probation' && months > 6
    ? { caution: 'longer than the six months of article 8(1) of Directive (EU) 2019/1152, save its exceptions' }
    : {};
}

function leaveCaution({ unit, count }: FoundDuration, sixDays: boolean): { caution?: string } {
  const weeks = unit === 'week' ? Number(count) : Number(count) / (sixDays ? 6 : 5);
  if (weeks >= 4) return {};
  return {
    caution: `less than four weeks (article 7 of Directive 2003/88/EC) at ${sixDays ? 'six' : 'five'} working days a week`,
  };
}

function payPeriod(near: string): 'hour' | 'month' | 'year' | undefined {
  if (/\b(?:per|an|each) hour|\bhourly|pro Stunde|za hodinu/iu.test(near)) return 'hour';
  if (/\b(?:per|a|each) month|\bmonthly|\/ ?month|p\.m\.|monatlich|Monatsgehalt|měsíčn|mensuel|par mois/iu.test(near))
    return 'month';
  if (
    /\b(?:per|a|each) year|\bper annum|\bannual|\byearly|p\.a\.|jährlich|Jahresgehalt|ročn|annuel|par an\b/iu.test(near)
  )
    return 'year';
  return undefined;
}
