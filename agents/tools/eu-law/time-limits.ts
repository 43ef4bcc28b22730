/** Time limits in a text: lengths that are set for an act, with the event from which they run. What merely lasts is none. */
import { type FoundDuration, findDurations } from '../text/durations.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { isClaimed } from './claims.ts';
import { findIntervals } from './intervals.ts';
import { lawRowAt } from './law-tables.ts';
import {
  eventAfter,
  eventLater,
  eventNext,
  isAge,
  lasts,
  limitBefore,
  namedLimitAfter,
  obliges,
  recurringBefore,
  spans,
} from './limit-words.ts';
import type { LawText } from './read-law.ts';
import { isRejected, isSupposed, isTemplate, speaksOfFormerLaw } from './statements.ts';
import { nextSentence } from './subjects.ts';

export interface TimeLimit extends Range {
  readonly duration: FoundDuration;
  readonly sentence: Range;
  readonly backwards: boolean;
  /** The interval of a recurring duty. */
  readonly recurs: boolean;
  /** Lengthens another period: "extended by two further months". */
  readonly extends: boolean;
  /** The event's words; absent if the text names none. */
  readonly event?: Range;
}

/** Ordered by position in the flat text. */
export function findTimeLimits(law: LawText): TimeLimit[] {
  const durations = [
    ...findDurations(law.flat.text),
    ...implicitMonths(law.flat.text),
    ...findIntervals(law.flat.text),
  ].sort((a, b) => a.start - b.start);
  return law.flat.sentences.flatMap((sentence) => {
    const here = allWithin(durations, sentence).filter(({ unit, end }) => unit !== 'minute' && end <= sentence.end);
    if (here.length === 0) return [];
    const wording = law.flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 3_000));
    const block = law.flat.blockAt(sentence.start);
    const around =
      block === undefined ? wording : law.flat.text.slice(block.start, Math.min(block.end, block.start + 600));
    if (isTemplate(wording) || (isTemplate(around) && around.length < 400) || isSupposed(wording)) return [];
    if (isRejected(wording, nextSentence(law, sentence))) return [];
    const found: TimeLimit[] = [];
    for (const duration of here) {
      const last = found.at(-1);
      const [limit] = limitOf(law, sentence, duration);
      if (limit !== undefined) found.push(limit);
      // "Within two months and ten days": the second part is set by the same words.
      else if (last !== undefined && joined.test(law.flat.text.slice(last.end, duration.start)))
        found.push({ ...last, duration, start: duration.start, end: duration.end });
    }
    return found;
  });
}

const joined = /^ (?:and|und|et|a|e|y|en|i) $/iu;

/** Days of the calendar, which the adjective behind them does not change: "quinze jours calendrier suivant". */
const ofCalendar =
  /^ (?:calendrier|calendaires?|civils|francs|naturales|corridos|di calendario|consecutiv[ei]|kalendarzowych|kalendářních|corridos|calendaristice)(?!\p{L})/iu;

function limitOf(law: LawText, sentence: Range, counted: FoundDuration): TimeLimit[] {
  const { text } = law.flat;
  const adjective = ofCalendar.exec(text.slice(counted.end, counted.end + 24))?.[0] ?? '';
  const duration = { ...counted, end: counted.end + adjective.length };
  const lead = leadOf(law, sentence);
  const before = lead + text.slice(Math.max(sentence.start, duration.start - 110), duration.start);
  const after = text.slice(duration.end, Math.min(sentence.end, duration.end + 140));
  if (
    isAge(before, after) ||
    speaksOfFormerLaw(text.slice(Math.max(sentence.start, duration.start - 300), duration.start))
  )
    return [];
  const isInterval = 'isInterval' in duration;
  const recurs = isInterval || recurringBefore.test(before);
  const link = eventAfter.exec(after);
  const backwards = link?.groups?.back !== undefined;
  const isSet = isInterval || limitBefore.test(before) || namedLimitAfter.test(after);
  const isBackwards =
    backwards &&
    /(?:at least|mindestens|au moins|al menos|almeno|ten minste|co najmniej|nejméně|alespoň) $/iu.test(before);
  if (!isSet && !isBackwards) {
    // "You have six weeks from service", "due ten working days after receipt".
    if (link === null || /^ ?(?:of|de|dal?) /iu.test(link[0]) || spans.test(before) || !obliges.test(before)) return [];
  }
  if (!isBackwards && (lasts(before.slice(-100), after) || spans.test(before))) return [];
  if (isClaimed(law, sentence, duration)) return [];
  const event = recurs ? undefined : eventOf(law, sentence, duration, link);
  return [
    {
      duration,
      sentence,
      backwards,
      recurs,
      extends: extendsBefore.test(before),
      start: duration.start,
      end: duration.end,
      ...(event === undefined ? {} : { event }),
    },
  ];
}

const extendsBefore =
  /(?:extended|prolonged|verlängert|prolongée?s?|prorogée?s?|prorrog[a-zà-ž]{1,5}|prorogat[oa]|verlengd|przedłuż[a-zà-ž]{1,5}|prodlouž[a-zà-ž]{1,4})[^.;]{0,40}$|(?<![a-zà-ž])um (?:weitere )?$/iu;

/** A cell's lead is the label in the row's first cell. */
function leadOf(law: LawText, sentence: Range): string {
  const { flat } = law;
  const block = flat.blockAt(sentence.start);
  const [first] = block?.cells ?? [];
  if (block === undefined || first === undefined || sentence.start < first.end) return '';
  const row = lawRowAt(law, sentence.start);
  const cell = row?.cells.find(({ start, end }) => start <= sentence.start && sentence.start < end);
  if (cell?.column === 'due' && !row!.isProposal) return `${cell.heading}: `;
  return `${flat.text.slice(first.start, Math.min(first.end, first.start + 80))}: `;
}

/** An event's words end at a mark or after so many characters. */
const eventCharactersMax = 90;

function eventOf(
  law: LawText,
  sentence: Range,
  duration: FoundDuration,
  link: RegExpExecArray | null,
): Range | undefined {
  const { text } = law.flat;
  if (link !== null) return phrase(text, duration.end + link[0].length, sentence.end);
  const rest = text.slice(duration.end, Math.min(sentence.end, duration.end + 130));
  const later = eventLater.exec(rest);
  if (later !== null) return phrase(text, duration.end + later.index + later[0].length, sentence.end);
  const next = nextSentence(law, sentence);
  const inNext = eventNext.exec(next);
  if (inNext === null) return undefined;
  const start = law.flat.sentenceAt(sentence.end + 1).start;
  return phrase(text, start + inNext[0].length, start + next.length);
}

function phrase(text: string, start: number, sentenceEnd: number): Range | undefined {
  const shown = text.slice(start, Math.min(sentenceEnd, start + eventCharactersMax));
  const end = shown.search(/[;:()"„“”«»]|,(?= )|[.](?: |$)| [–—] /u);
  const words = (end === -1 ? shown : shown.slice(0, end)).trimEnd();
  return /[A-Za-zÀ-ž]{3}|\d/u.test(words) ? { start, end: start + words.length } : undefined;
}

const implicit =
  /(?<![A-Za-zÀ-ž])(?:dans (?:le (mois)|la (semaine)|l'(année))|binnen de (maand|week)|within the (month|week|year) (?=following))(?= (?:de|suivant|qui suit|na|following|du)(?![A-Za-zÀ-ž]))/giu;

/** "Dans le mois de leur immatriculation": one month. */
function implicitMonths(text: string): FoundDuration[] {
  return [...text.matchAll(implicit)].map((match) => {
    const word = match.slice(1).find((group) => group !== undefined)!;
    const unit = /^(?:mois|maand|month)$/iu.test(word) ? 'month' : /^(?:semaine|week)$/iu.test(word) ? 'week' : 'year';
    const end = match.index + match[0].trimEnd().length;
    return {
      start: end - word.length,
      end,
      count: '1',
      unit,
      business: false,
      iso: unit === 'month' ? 'P1M' : unit === 'week' ? 'P1W' : 'P1Y',
      firstWord: 0,
      endWord: 0,
    };
  });
}
