/** Dates in a text, in the forms European and American documents use, as ISO 8601. Gregorian, years 1900 to 2199, and to 2999 in the form 2573-5-30. */
import type { Range } from './span.ts';
import { splitWords, type Word } from './words.ts';

export interface FoundDate extends Range {
  /** `2026-11-21`, or `2026-11` if no day is given. */
  readonly iso: string;
  /**
   * Whether day and month are ambiguous ("03/04/2026") and nothing in the document decides. Such dates are read as day first,
   * unless other dates suggest otherwise.
   */
  readonly ambiguous: boolean;
}

/**
 * Ordered by position in the text: `2026-11-21`, `2026/11/21`, `21.11.2026`, `21. 11. 2026`, `21/11/2026`, `11/21/2026`, `21
 * November 2026`, `21st day of November, 2026`, `November 21, 2026`, `Nov. 21st 2026`, `November 2026`, and the same with German,
 * French, Italian, Spanish, Portuguese, Dutch, Nordic, Polish and Czech months. Days that
 * no month has are skipped. A two-digit year counts from 2000 up to 69.
 */
export function findDates(
  text: string,
  words: readonly Word[] = splitWords(text),
  order: DateOrder | undefined = undefined,
): FoundDate[] {
  const found = [...numericDates(text, order), ...namedDates(text, words)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );
  const kept: FoundDate[] = [];
  for (const date of found) if (date.start >= (kept.at(-1)?.end ?? 0)) kept.push(date);
  return kept;
}

/** The order of day and month, for a whole document. */
export interface DateOrder {
  readonly dayFirst: boolean;
  /**
   * `certain`: the document declares the order, or has dates with only one valid order; otherwise only its dates with month
   * names suggest it.
   */
  readonly sure: boolean;
}

/**
 * One order for all dates of a text, since an author uses one: as declared (`DD/MM/YYYY`), else by unambiguous dates, else by
 * the order in dates with month names.
 * @returns undefined if nothing decides, or the evidence is balanced
 */
export function decideDateOrder(text: string): DateOrder | undefined {
  const declared = /\b(?:(dd)[/.-]mm|mm[/.-]dd)[/.-](?:yy){1,2}\b/i.exec(text);
  if (declared !== null) return { dayFirst: declared[1] !== undefined, sure: true };
  let balance = 0;
  for (const [, , , , , first, sign, second] of text.matchAll(numericShape)) {
    // Points are written between day, month and year only.
    if (first === undefined || sign === '.') continue;
    if (Number(first) > 12 && Number(second) <= 12) balance += 1;
    else if (Number(second) > 12 && Number(first) <= 12) balance -= 1;
  }
  if (balance !== 0) return { dayFirst: balance > 0, sure: true };
  for (const [, dayFirst] of text.matchAll(namedOrder)) balance += dayFirst === undefined ? -1 : 1;
  return balance === 0 ? undefined : { dayFirst: balance > 0, sure: false };
}

const namedOrder =
  /(?<![\d.,])(\d{1,2}(?:st|nd|rd|th|\.)?[ \u00a0](?:of )?\p{Lu}\p{Ll}{2,9},? (?:19|20)\d\d)(?!\d)|(?<!\p{L})\p{Lu}\p{Ll}{2,8}\.? \d{1,2}(?:st|nd|rd|th)?, (?:19|20)\d\d(?!\d)/gu;

/** @returns whether the Gregorian calendar has that day */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function isoDate(year: number, month: number, day?: number): string {
  const yearAndMonth = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  return day === undefined ? yearAndMonth : `${yearAndMonth}-${String(day).padStart(2, '0')}`;
}

const numericShape =
  /(?<![\d.,/-])(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])[ \u00a0]?(\d{1,2})\6[ \u00a0]?(\d{4}|\d{2}))(?![\d/]|[.,-]\d)/g;

function numericDates(text: string, order: DateOrder | undefined): FoundDate[] {
  const dates: FoundDate[] = [];
  for (const match of text.matchAll(numericShape)) {
    const range = { start: match.index, end: match.index + match[0].length };
    if (match[1] !== undefined) {
      const yearMax = match[2] === '-' ? shiftedYearMax : usualYearMax;
      const date = checked(Number(match[1]), Number(match[3]), Number(match[4]), yearMax);
      if (date !== undefined) dates.push({ ...range, iso: date, ambiguous: false });
      continue;
    }
    const first = Number(match[5]);
    const second = Number(match[7]);
    // "1.2.99" may be a section number, so points and hyphens require a year of four digits.
    if (match[8]!.length === 2 && match[6] !== '/') continue;
    const year = fullYear(match[8]!);
    const dayFirst = checked(year, second, first);
    const monthFirst = match[6] === '.' ? undefined : checked(year, first, second);
    const iso = order?.dayFirst === false ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst);
    if (iso === undefined) continue;
    const ambiguous =
      dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst && order?.sure !== true;
    dates.push({ ...range, iso, ambiguous });
  }
  return dates;
}

function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length === 4 ? year : year < 70 ? 2000 + year : 1900 + year;
}

const usualYearMax = 2199;
/** Records of patients are made anonymous by moving all dates into the future: "2573-5-30". */
const shiftedYearMax = 2999;

function checked(year: number, month: number, day?: number, yearMax: number = usualYearMax): string | undefined {
  if (year < 1900 || year > yearMax) return undefined;
  return isCalendarDay(year, month, day ?? 1) ? isoDate(year, month, day) : undefined;
}

function namedDates(text: string, words: readonly Word[]): FoundDate[] {
  const dates: FoundDate[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const month = monthNumbers.get(words[index]!.text);
    if (month === undefined) continue;
    const date =
      dayBefore(words, index, month, text) ?? dayAfter(words, index, month) ?? monthAlone(text, words, index, month);
    if (date !== undefined) dates.push(date);
  }
  return dates;
}

/** "21 November 2026", "the 21st day of November, 2026", "21. listopadu 2026", "1er janvier 2026". */
function dayBefore(words: readonly Word[], index: number, month: number, text: string): FoundDate | undefined {
  const year =
    yearAt(words, index + 1) ?? (linking.has(words[index + 1]?.text ?? '') ? yearAt(words, index + 2) : undefined);
  if (year === undefined) return undefined;
  for (let at = index - 1; at >= Math.max(0, index - 4); at -= 1) {
    const word = words[at]!;
    const day = /^\d{1,2}$/.test(word.text) ? Number(word.text) : undefined;
    if (day !== undefined) {
      if (word.end < words[index]!.start - 24) return undefined;
      const iso = checked(year.value, month, day);
      return iso === undefined || /[,;:]/.test(text.slice(word.end, words[at + 1]!.start))
        ? undefined
        : { start: word.start, end: year.end, iso, ambiguous: false };
    }
    if (!linking.has(word.text)) return undefined;
  }
  return undefined;
}

/** "November 21, 2026", "Nov. 21st 2026", "June 29,2024". */
function dayAfter(words: readonly Word[], index: number, month: number): FoundDate | undefined {
  const dayWord = words[index + 1];
  if (dayWord === undefined) return undefined;
  const [, day, joined] = /^(\d{1,2})(?:,(\d{4}))?$/.exec(dayWord.text) ?? [];
  if (day === undefined) return undefined;
  if (joined !== undefined) {
    const iso = checked(Number(joined), month, Number(day));
    return iso === undefined ? undefined : { start: words[index]!.start, end: dayWord.end, iso, ambiguous: false };
  }
  const next = ordinals.has(words[index + 2]?.text ?? '') ? index + 3 : index + 2;
  const year = yearAt(words, next);
  const iso = year === undefined ? undefined : checked(year.value, month, Number(dayWord.text));
  return iso === undefined ? undefined : { start: words[index]!.start, end: year!.end, iso, ambiguous: false };
}

function monthAlone(text: string, words: readonly Word[], index: number, month: number): FoundDate | undefined {
  const word = words[index]!;
  const year =
    yearAt(words, index + 1) ?? (monthLinks.has(words[index + 1]?.text ?? '') ? yearAt(words, index + 2) : undefined);
  if (year === undefined || year.start - word.end > 8) return undefined;
  // "31 April 2026" is an invalid date and not the month April 2026.
  const before = words[index - 1];
  if (before !== undefined && word.start - before.end <= 2 && /^\d{1,2}$/.test(before.text)) return undefined;
  // Without a capital, "may 2026" and "march 2026" contain verbs.
  if ((word.text === 'may' || word.text === 'march') && text[word.start] === word.text[0]) return undefined;
  const iso = checked(year.value, month);
  return iso === undefined ? undefined : { start: word.start, end: year.end, iso, ambiguous: false };
}

function yearAt(words: readonly Word[], index: number): (Range & { value: number }) | undefined {
  const word = words[index];
  if (word === undefined || !/^\d{4}$/.test(word.text)) return undefined;
  const value = Number(word.text);
  return value >= 1900 && value <= 2199 ? { start: word.start, end: word.end, value } : undefined;
}

const ordinals = new Set(['st', 'nd', 'rd', 'th', 'er', 'ère', 'º', 'ª']);
/** "March of 2011", "marzo de 2011", "março de 2011". */
const monthLinks: ReadonlySet<string> = new Set(['of', 'de', 'del']);
const linking = new Set([...ordinals, 'day', 'of', 'de', 'del', 'di', 'the']);

/**
 * Every form of a month's name, by the number of the month. Source: dictionaries of the languages; genitives if dates use them.
 */
const monthNames: readonly string[] = [
  'january jan ene gen januar jänner janvier gennaio enero januari stycznia styczeń ledna leden janeiro tammikuuta',
  'february feb febr fév févr fev februar februari février fevrier febbraio febrero lutego luty února únor fevereiro helmikuuta',
  'march mar märz maerz mrz mrt mars marzo maart marca marzec března březen marts março maaliskuuta',
  'april apr avr abr kwi avril aprile abril kwietnia kwiecień dubna duben huhtikuuta',
  'may mai maggio mayo mei maja maj května květen maio toukokuuta',
  'june jun giu cze juni juin giugno junio czerwca czerwiec června červen junho kesäkuuta',
  'july jul juil juli juillet luglio julio lipca lipiec července červenec julho heinäkuuta',
  'august aug août aout agosto augustus sierpnia sierpień srpna srpen augusti elokuuta',
  'september sep sept wrz septembre settembre septiembre września wrzesień září setembro syyskuuta',
  'october oct okt ott paź oktober octobre ottobre octubre października październik října říjen outubro lokakuuta',
  'november nov novembre noviembre listopada listopad listopadu novembro marraskuuta',
  'december dec dez déc dic gru dezember décembre decembre dicembre diciembre grudnia grudzień prosince prosinec desember dezembro joulukuuta',
];

/** Names and their forms in lower case, as `splitWords` returns them. */
export const monthNumbers: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** "… bis zum\n30. Juni 2026 einzureichen": a day and a month at the beginning of a line are no number of a paragraph. */
export function startsWithDay(shown: string): boolean {
  const [, month, year] =
    /^(?:[1-9]|[12]\d|3[01])\.?[ \u00a0](\p{L}{3,12})(?!\p{L})([ \u00a0,]{1,2}\d{4})?/u.exec(shown) ?? [];
  // "5. May the Customer terminate?" is a question.
  return month !== undefined && monthNumbers.has(month.toLowerCase()) && (year !== undefined || !/^may$/i.test(month));
}
