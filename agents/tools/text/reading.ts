/** One text read once for several questions: its words, sentences and sections, amounts and dates, and what stands where. */
import { type FoundAmount, findAmounts } from './amounts.ts';
import { type FoundDate, findDates } from './dates.ts';
import { type FoundDuration, findDurations } from './durations.ts';
import { type FoundPercent, findPercents } from './percents.ts';
import { type Section, splitSections } from './sections.ts';
import { splitSentences } from './sentences.ts';
import type { Range } from './span.ts';
import { splitWords, type Word } from './words.ts';

/** Each list is made when it is first asked for. */
export interface TextReading {
  readonly message: number;
  readonly text: string;
  readonly words: readonly Word[];
  readonly sentences: readonly Range[];
  readonly sections: readonly Section[];
  readonly amounts: readonly FoundAmount[];
  readonly percents: readonly FoundPercent[];
  readonly dates: readonly FoundDate[];
  readonly durations: readonly FoundDuration[];
}

/** The tools of an agent read the same documents in turn; what one has read the next need not read again. */
const readings = new WeakMap<object, TextReading>();

/** @returns the same reading for the same object, as long as its text is the same */
export function readText(document: { readonly message: number; readonly text: string }): TextReading {
  const known = readings.get(document);
  if (known !== undefined && known.text === document.text && known.message === document.message) return known;
  const { message, text } = document;
  const words = once(() => splitWords(text));
  const lists = {
    sentences: once(() => splitSentences(text)),
    sections: once(() => splitSections(text)),
    amounts: once(() => findAmounts(text)),
    percents: once(() => findPercents(text)),
    dates: once(() => findDates(text, words())),
    durations: once(() => findDurations(text, words())),
  };
  const reading: TextReading = {
    message,
    text,
    get words() {
      return words();
    },
    get sentences() {
      return lists.sentences();
    },
    get sections() {
      return lists.sections();
    },
    get amounts() {
      return lists.amounts();
    },
    get percents() {
      return lists.percents();
    },
    get dates() {
      return lists.dates();
    },
    get durations() {
      return lists.durations();
    },
  };
  readings.set(document, reading);
  return reading;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Index of the last range that begins at or before the position; undefined where none does. The ranges must be in order. */
export function indexAt(ranges: readonly Range[], position: number): number | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.start <= position) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : low - 1;
}

/** The sentence around a position; an empty range where there is none. */
export function sentenceAt(reading: TextReading, position: number): Range {
  const index = indexAt(reading.sentences, position);
  return index === undefined ? { start: position, end: position } : reading.sentences[index]!;
}

/** Whether one of the ranges lies wholly within another. The ranges must be in order. */
export function someWithin(ranges: readonly Range[], { start, end }: Range): boolean {
  return firstWithin(ranges, { start, end }) !== undefined;
}

/** The first of the ranges that begins within another range and ends there too. */
export function firstWithin<Found extends Range>(ranges: readonly Found[], { start, end }: Range): Found | undefined {
  const before = indexAt(ranges, start - 1);
  const found = ranges[before === undefined ? 0 : before + 1];
  return found !== undefined && found.end <= end ? found : undefined;
}

/** Those that begin within a range. */
export function allWithin<Found extends Range>(ranges: readonly Found[], { start, end }: Range): Found[] {
  const before = indexAt(ranges, start - 1);
  const found: Found[] = [];
  for (let index = before === undefined ? 0 : before + 1; index < ranges.length; index += 1) {
    if (ranges[index]!.start >= end) break;
    found.push(ranges[index]!);
  }
  return found;
}

/**
 * Caller's texts without short ones that only ask about a long one: where one text has at least 1,500 characters, those below
 * 400 are questions. What a tool looks for in documents is often named in the question.
 */
export function documentsOnly<Document extends { readonly text: string }>(documents: readonly Document[]): Document[] {
  const hasLong = documents.some(({ text }) => text.length >= 1_500);
  return hasLong ? documents.filter(({ text }) => text.length >= 400) : [...documents];
}

/** The one that a question is about; an empty text where there is none. */
export function longestOf<Document extends { readonly message: number; readonly text: string }>(
  documents: readonly Document[],
): { readonly message: number; readonly text: string } {
  return documents.reduce<{ readonly message: number; readonly text: string }>(
    (best, each) => (each.text.length > best.text.length ? each : best),
    { message: 0, text: '' },
  );
}

/** Of the longest text. Tools that look for English wording say by it that "absent" may mean "not in English". */
export function languageOf(
  documents: readonly { readonly message: number; readonly text: string }[],
): 'english' | 'other' | 'too short to say' {
  const share = englishShare(readText(longestOf(documents)).words);
  return share === undefined ? 'too short to say' : share >= 0.18 ? 'english' : 'other';
}

/** How many of the first words are among the commonest of English, in parts of 1; undefined below 40 words. */
export function englishShare(words: readonly Word[]): number | undefined {
  const sample = words.slice(0, 2_000).filter(({ text }) => /\p{L}/u.test(text));
  if (sample.length < 40) return undefined;
  return sample.filter(({ text }) => commonEnglish.has(text)).length / sample.length;
}

const commonEnglish = new Set(
  'the of to and in a is be or that for by any this with shall such as its it on not from under which are may all other'.split(
    ' ',
  ),
);
