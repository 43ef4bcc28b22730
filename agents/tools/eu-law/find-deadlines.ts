/** Finds periods in texts, combines them with the events that start them, and computes them under Regulation 1182/71. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { boundedBytes, place, toFindings } from '../findings.ts';
import { type FoundDate, findDates } from '../text/dates.ts';
import type { FoundDuration } from '../text/durations.ts';
import { splitLines } from '../text/lines.ts';
import { allWithin } from '../text/ranges.ts';
import { bounded, excerpt, type Range, type Span } from '../text/span.ts';
import { findFixedDates } from './fixed-dates.ts';
import { holidayNumbers, type PeriodEnd, type PeriodUnit, reckonPeriod } from './periods.ts';

export interface Deadline {
  readonly length: string;
  readonly backwards: boolean;
  readonly sentence: Range;
  readonly span: Span;
  /** The date from which the period was computed, and how it was found. */
  readonly event?: {
    readonly date: string;
    readonly basis: 'same sentence' | 'earlier sentence';
    readonly span: Span;
  };
  readonly end?: PeriodEnd;
  readonly notComputable?: string;
}

export const euDeadlines: AgentTool = {
  name: 'eu_deadlines',
  version: '2',
  purpose:
    'Computes periods under Regulation 1182/71. Text: states event and period, as in: Notified on 5 March 2026, to be answered within one month of notification.',
  inputs: {
    holidays: {
      description: 'Public holidays of the Member State or institution, as 2026-12-25.',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      valuesMax: 60,
      toText: (days) => `Holidays: ${days.join(', ')}`,
    },
  },
  run(documents) {
    const holidays = findHolidays(documents);
    const deadlines = findDeadlines(documents, holidays);
    const calendar = holidayNumbers(holidays);
    const fixed = documents.map(readDocument).flatMap(({ text, dates, spanOf }) =>
      findFixedDates(text, dates, calendar).map(({ start, end, ...date }) => ({
        ...date,
        span: spanOf({ start, end }),
      })),
    );
    const computed = deadlines.filter(({ end }) => end !== undefined);
    const notes = [
      'Computed under Regulation (EEC, Euratom) No 1182/71; national periods can have other rules.',
      holidays.length === 0
        ? 'No list of public holidays is given: only Saturdays and Sundays were considered. A line "Holidays: 2026-12-25, …" supplies one.'
        : `${holidays.length} public holidays of the text were considered${holidays.length === holidaysMax ? ', the first of its list; more are left out' : ''}.`,
    ];
    const digest = [
      ...computed.slice(0, 20).map(computedLine),
      ...fixed
        .slice(0, 10)
        .map(({ date, weekday, rule, span }) => `FIXED DATE ${date} (${weekday}): ${rule} ${place(span)}`),
      ...deadlines
        .filter(({ end }) => end === undefined)
        .slice(0, 12)
        .map(({ length, notComputable, span }) => `PERIOD ${length}: ${notComputable} ${place(span)}`),
    ];
    const texts = new Map(documents.map(readDocument).map(({ message, text }) => [message, text]));
    // Excerpts are extracted only for the deadlines that are shown.
    const { items, more } = bounded(deadlines, 100);
    const shown = items.map(({ sentence, ...deadline }) => ({
      ...deadline,
      text: excerpt(texts.get(deadline.span.message)!, sentence),
    }));
    const listed = boundedBytes(shown, 44_000);
    const result = {
      holidays: bounded(holidays, 60),
      deadlines: { ...listed, more: listed.more + more },
      fixedDates: bounded(fixed, 30),
      notes,
    };
    return toFindings(result, digest.length === 0 ? [] : [...digest, ...notes]);
  },
};

/**
 * Dates after "Holidays:", "Public holidays:", "Feiertage:", "Jours fériés:" or "Svátky:" at the beginning of a line, up to the
 * next empty line. Sorted, without duplicates, at most 500: ten years of any country.
 */
export function findHolidays(documents: readonly AgentDocument[]): string[] {
  const days = new Set<string>();
  for (const { text } of documents.map(readDocument)) {
    const lines = splitLines(text);
    for (const [index, line] of lines.entries()) {
      if (!holidayLine.test(text.slice(line.start, line.start + 80))) continue;
      let last = index;
      while (last + 1 < lines.length && last - index < 40 && lines[last + 1]!.end > lines[last + 1]!.start) last += 1;
      for (const { iso } of findDates(text.slice(line.start, lines[last]!.end))) {
        if (iso.length === 10 && days.size < holidaysMax) days.add(iso);
      }
    }
  }
  return [...days].sort();
}

const holidaysMax = 500;

const holidayLine =
  /^[ \t#*-]{0,6}(?:(?:public|bank|official) )?(?:holidays|feiertage|gesetzliche feiertage|jours fériés|svátky|státní svátky)(?: [^:\n]{0,40})?:/i;

export function findDeadlines(documents: readonly AgentDocument[], holidays: readonly string[]): Deadline[] {
  const found: Deadline[] = [];
  for (const document of documents.map(readDocument)) {
    const { text, durations } = document;
    if (durations.length === 0) continue;
    const { dates } = document;
    // The last date that a sentence identifies as the day of a receipt, a notification or a similar event.
    let lastEvent: FoundDate | undefined;
    for (const sentence of document.sentences) {
      const here = allWithin(dates, sentence);
      const wording = text.slice(sentence.start, Math.min(sentence.end, sentence.start + 2000));
      const periods = allWithin(durations, sentence);
      for (const [index, duration] of periods.entries()) {
        const deadline = deadlineOf(document, sentence, duration, here, lastEvent, holidays);
        const isPart = isJoined(text, periods[index - 1], duration) || isJoined(text, duration, periods[index + 1]);
        if (deadline !== undefined) found.push(isPart ? asPart(deadline) : deadline);
      }
      const event = eventOf(wording, here);
      if (event !== undefined) lastEvent = event;
    }
  }
  return found;
}

/** "Two months and ten days" is one period, so neither part ends separately. */
function isJoined(text: string, one: FoundDuration | undefined, next: FoundDuration | undefined): boolean {
  if (one === undefined || next === undefined || one.unit === next.unit) return false;
  return /^\s{1,3}(?:and|und|et|a|e|y)\s{1,3}$/i.test(text.slice(one.end, next.start));
}

function asPart({ end: _, ...deadline }: Deadline): Deadline {
  return {
    ...deadline,
    notComputable: 'not computable: part of a period that is stated in two units, for which the Regulation has no rule',
  };
}

/** Words before or after a duration that make it a time limit. */
const limitBefore =
  /(?:within|no later than|not later than|at the latest|at most|at least|no more than|not exceed(?:ing)?|period of|time[- ]limit of|deadline (?:is|of)|after|binnen|innerhalb (?:von|einer frist von)?|frist von|spätestens|nach|dans un délai de|dans les|délai de|au plus tard|ve lhůtě|do|lhůta|nejpozději|entro|dentro de|en el plazo de)\s{1,3}(?:(?:a|the|an|einer|einem|eines|den|le|la|les)\s{1,3})?(?:(?:period|frist|délai|lhůtě)\s{1,3}(?:of|von|de)\s{1,3})?(?:further\s)?$/i;
const limitAfter =
  /^[\s,]{0,3}(?:at the latest|after|of|from|following|before|prior to|since|nach|ab|vor|seit|à compter|après|avant|ode dne|od|po|před|from the date)\b/i;
const backwardsAfter = /^[\s,]{0,3}(?:before|prior to|in advance of|vor|avant|před|prima)\b/i;
/** "Below the age of 16 years", "at least 16 years old": an age and not a period. */
function isAge(before: string, after: string): boolean {
  return (
    /\b(?:ages?|aged|older than|younger than|under the age of|alter von|im alter|věk\p{L}{0,4}|âge de|âgée?s? de)\b[^.;,]{0,24}$/iu.test(
      before,
    ) || /^[\s-]{0,2}(?:old|of age|alt|d['’]âge)\b/i.test(after)
  );
}

/** How long something is kept, stored or valid, or a power is conferred: a state that lasts and not a time limit for an act. */
function isRetention(before: string, after: string): boolean {
  return lastsBefore.test(before) || lastsAfter.test(after);
}

const lastsBefore =
  /(?<!\p{L})(?:kept|keeps?|retain(?:s|ed)?|retention|stored?|storage|archived?|preserved?|(?:be|is|are|remains?) valid|conferred|aufbewahrt|aufzubewahren|aufbewahrung\p{L}{0,8}|gespeichert|gültig|übertragen|conserv(?:ée?s?|ation|er)|valables?|conférée?s?|uchováv\p{L}{1,6}|archivov\p{L}{1,5}|bewaard|conservad[oa]s?|conservat[oaie]|przechowyw\p{L}{1,5})(?!\p{L})[^.;:,]{0,40}$/iu;
const lastsAfter = /^[^.;:,]{0,20}(?<!\p{L})(?:aufbewahrt|aufzubewahren|gespeichert|gültig|bewaard)(?!\p{L})/iu;

const isEvent =
  /\b(?:receiv\w{0,3}|receipt|notif\w{0,7}|serv(?:ed|ice)|published|publication|aware|occurr\w{0,4}|event|delivered|dated|submitted|lodged|detected|zugestellt|zustellung|eingegangen|erhalten|veröffentlicht|reçue?|notifiée?|publiée?|doručen\w{0,3}|obdržen\w{0,2}|vyhlášen\w{0,2})(?![\p{L}])/iu;

function eventOf(wording: string, dates: readonly FoundDate[]): FoundDate | undefined {
  const days = dates.filter(({ iso }) => iso.length === 10);
  return days.length > 0 && isEvent.test(wording) ? days[0] : undefined;
}

function deadlineOf(
  { text, spanOf }: Document,
  sentence: Range,
  duration: FoundDuration,
  datesHere: readonly FoundDate[],
  lastEvent: FoundDate | undefined,
  holidays: readonly string[],
): Deadline | undefined {
  const before = text.slice(Math.max(sentence.start, duration.start - 60), duration.start);
  const after = text.slice(duration.end, Math.min(sentence.end, duration.end + 40));
  // Legal periods are not stated in minutes.
  if (duration.unit === 'minute' || (!limitBefore.test(before) && !limitAfter.test(after))) return undefined;
  if (isAge(before, after) || isRetention(before, after)) return undefined;
  const backwards = backwardsAfter.test(after);
  const inSentence = datesHere.find(({ iso }) => iso.length === 10);
  const event = inSentence ?? lastEvent;
  const shown = {
    length: `${duration.count} ${unitOf(duration) ?? duration.unit}${duration.count === '1' ? '' : 's'}`,
    backwards,
    sentence,
    span: spanOf(duration),
  };
  const unit = unitOf(duration);
  if (unit === undefined)
    return { ...shown, notComputable: 'not computable: the Regulation has no rule for this unit' };
  if (event === undefined) return { ...shown, notComputable: 'not computable: the date of the event is missing' };
  const date = unit === 'hour' ? event.iso + timeNear(text, event) : event.iso;
  const end = reckonPeriod({ event: date, count: Number(duration.count), unit, holidays, backwards });
  const basis = inSentence === undefined ? ('earlier sentence' as const) : ('same sentence' as const);
  const shownEvent = { date, basis, span: spanOf(event) };
  return 'error' in end
    ? { ...shown, event: shownEvent, notComputable: end.error }
    : { ...shown, event: shownEvent, end };
}

function unitOf({ unit, business }: FoundDuration): PeriodUnit | undefined {
  if (unit === 'day') return business ? 'working day' : 'day';
  return unit === 'hour' || unit === 'week' || unit === 'month' || unit === 'year' ? unit : undefined;
}

/** @returns `T14:20` if a time of day is within 30 characters of the date, else an empty string */
function timeNear(text: string, { start, end }: Range): string {
  const after = /(?<![\d:.])([01]?\d|2[0-3])(?::|\.|h| Uhr )([0-5]\d)(?![\d:.]\d)/.exec(text.slice(end, end + 30));
  const before = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])/.exec(text.slice(Math.max(0, start - 30), start));
  const match = after ?? before;
  return match === null ? '' : `T${match[1]!.padStart(2, '0')}:${match[2]}`;
}

function computedLine({ length, backwards, event, end, span }: Deadline): string {
  const moved = end!.lastDay === end!.lastDayBeforeExtension ? '' : `, moved from ${end!.lastDayBeforeExtension}`;
  const direction = backwards ? 'before' : 'after';
  const last = length.includes('hour')
    ? `ends ${end!.ends} (${end!.lastWeekday})`
    : `${backwards ? 'at the latest on' : 'ends with'} ${end!.lastDay} (${end!.lastWeekday})`;
  const basis = event!.basis === 'same sentence' ? '' : '; event taken from an earlier sentence';
  return `DEADLINE ${length} ${direction} ${event!.date}: ${last}${moved}${basis} ${place(span)}`;
}
