/** Time limits in texts, joined with the events that start them and computed by Regulation 1182/71. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { boundedBytes, place, toFindings } from '../findings.ts';
import { type Certain, leftOut, leftOutLines } from '../left-out.ts';
import type { FoundDuration } from '../text/durations.ts';
import { bounded, excerpt, type Range, type Span } from '../text/span.ts';
import { type Doubt, daysDoubt, doubtReasons } from './certainty.ts';
import { EventDates } from './event-dates.ts';
import { findFixedDates } from './fixed-dates.ts';
import { holidaysMax, findHolidays as holidaysOf } from './holidays.ts';
import { holidayNumbers, type PeriodEnd, type PeriodUnit, reckonPeriod } from './periods.ts';
import { type LawText, readLaw } from './read-law.ts';
import { findTimeLimits, type TimeLimit } from './time-limits.ts';

export interface Deadline {
  readonly length: string;
  readonly backwards: boolean;
  /** The interval of a recurring duty. */
  readonly recurs?: true;
  readonly sentence: Span;
  readonly span: Span;
  readonly event?: {
    /** The document's words for the event. */
    readonly words?: string;
    /** ISO, and how it was found. */
    readonly date?: string;
    readonly basis?: 'same sentence' | 'earlier sentence';
    readonly span: Span;
  };
  readonly end?: PeriodEnd;
  readonly notComputable?: string;
  /** The sentence. */
  readonly text: string;
}

export const euDeadlines: AgentTool = {
  name: 'eu_deadlines',
  version: '3',
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
    const { facts: deadlines, doubts } = certainDeadlines(documents, holidays);
    const calendar = holidayNumbers(holidays);
    const found = lawsOf(documents).map((law) => ({ law, ...findFixedDates(law, calendar) }));
    const fixed = found.flatMap(({ law, facts }) =>
      facts.map(({ start, end, ...date }) => ({ ...date, span: law.spanOf({ start, end }) })),
    );
    const left = leftOut([...doubts, ...found.flatMap((each) => each.doubts)], doubtReasons);
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
        .map(({ length, notComputable, event, span }) => {
          const from = event?.words === undefined ? '' : ` from "${event.words}"`;
          return `PERIOD ${length}${from}: ${notComputable} ${place(span)}`;
        }),
      ...leftOutLines(left),
    ];
    const { items, more } = bounded(deadlines, 100);
    const listed = boundedBytes(items, 44_000);
    const result = {
      holidays: bounded(holidays, 60),
      deadlines: { ...listed, more: listed.more + more },
      fixedDates: bounded(fixed, 30),
      left_out: left,
      notes,
    };
    return toFindings(result, digest.length === 0 ? [] : [...digest, ...notes]);
  },
};

function lawsOf(documents: readonly AgentDocument[]): LawText[] {
  return documents.map((document) => readLaw(readDocument(document)));
}

/** Of all documents, sorted, each once; at most 500. */
export function findHolidays(documents: readonly AgentDocument[]): string[] {
  const days = new Set(lawsOf(documents).flatMap(holidaysOf));
  return [...days].sort().slice(0, holidaysMax);
}

export function findDeadlines(documents: readonly AgentDocument[], holidays: readonly string[]): readonly Deadline[] {
  return certainDeadlines(documents, holidays).facts;
}

function certainDeadlines(documents: readonly AgentDocument[], holidays: readonly string[]): Certain<Deadline, Doubt> {
  const doubts: Doubt[] = [];
  const facts = lawsOf(documents).flatMap((law) => {
    const limits = findTimeLimits(law);
    if (limits.length === 0) return [];
    const days = new EventDates(law);
    return limits.flatMap((limit, index) => {
      const doubt = daysDoubt(law.flat.text, limit.duration);
      if (doubt !== undefined) {
        doubts.push(doubt);
        return [];
      }
      const deadline = deadlineOf(law, limit, days, holidays);
      const isPart =
        isJoined(law, limits[index - 1], limit) || isJoined(law, limit, limits[index + 1]) || isCompound(law, limit);
      return [isPart ? asPart(deadline) : deadline];
    });
  });
  return { facts, doubts };
}

/** "Two months and ten days" is one period: neither part of it has its own end. */
function isJoined({ flat }: LawText, one: TimeLimit | undefined, next: TimeLimit | undefined): boolean {
  if (one === undefined || next === undefined || one.duration.unit === next.duration.unit) return false;
  return /^ (?:and|und|et|a|e|y|en|i) $/i.test(flat.text.slice(one.end, next.start));
}

const compound =
  /^ (?:and|und|et|a|e|y|en|i) (?:\d{1,3}|[A-Za-zÀ-ž]{2,12}) (?:days?|tagen?|jours?|días|giorni|dagen|dni|dnů|months?|weeks?)(?![A-Za-zÀ-ž])/iu;

/** The second part of a period in two units need not be found as a limit of its own. */
function isCompound({ flat }: LawText, { duration }: TimeLimit): boolean {
  return (
    (duration.unit === 'month' || duration.unit === 'year') &&
    compound.test(flat.text.slice(duration.end, duration.end + 40))
  );
}

function asPart({ end: _, ...deadline }: Deadline): Deadline {
  return {
    ...deadline,
    notComputable: 'not computable: part of a period that is stated in two units, for which the Regulation has no rule',
  };
}

function deadlineOf(law: LawText, limit: TimeLimit, days: EventDates, holidays: readonly string[]): Deadline {
  const { duration, backwards, sentence, event, recurs } = limit;
  const unit = unitOf(duration);
  const shown = {
    length: `${duration.count} ${unit ?? duration.unit}${duration.count === '1' ? '' : 's'}`,
    backwards,
    ...(recurs ? { recurs: true as const } : {}),
    sentence: law.spanOf(sentence),
    span: law.spanOf(limit),
    text: excerpt(law.flat.text, sentence),
  };
  const words = event === undefined ? undefined : law.flat.text.slice(event.start, event.end);
  const named = event === undefined ? {} : { event: { words: words!, span: law.spanOf(event) } };
  if (unit === undefined)
    return { ...shown, ...named, notComputable: 'not computable: the Regulation has no rule for this unit' };
  if (recurs) return { ...shown, notComputable: 'not computable: the interval of a recurring duty' };
  if (limit.extends) return { ...shown, notComputable: 'not computable: it lengthens another period' };
  const day = days.of(limit);
  if (day === undefined)
    return { ...shown, ...named, notComputable: 'not computable: the date of the event is missing' };
  const date = unit === 'hour' ? day.iso + timeNear(law.flat.text, day) : day.iso;
  const end = reckonPeriod({ event: date, count: Number(duration.count), unit, holidays, backwards });
  const shownEvent = { ...(words === undefined ? {} : { words }), date, basis: day.basis, span: law.spanOf(day) };
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
  const basis = event!.basis === 'same sentence' ? '' : '; event taken from another sentence';
  return `DEADLINE ${length} ${direction} ${event!.date}: ${last}${moved}${basis} ${place(span)}`;
}
