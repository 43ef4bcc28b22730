/** Public holidays that a document lists: after a label, or in sentences such as "Friday, 26 March and Monday, 29 March are holidays". */
import { type FoundDate, findDates, monthNumbers } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import { formatDay, parseDay } from './calendar.ts';
import type { LawText } from './read-law.ts';

/** Ten years of any country's. */
export const holidaysMax = 500;

const holidayWord =
  /(?<![A-Za-zÀ-ž])(?:(?:public |bank |official )?holidays?|feiertag(?:e[ns]?)?|jours? fériés?|(?:días? )?(?:festivos?|inhábiles)|giorni festivi|festiv[oi]|feestdag(?:en)?|dni(?:e|ami)? (?:ustawowo )?wolne?|święt[A-Za-zÀ-ž]{1,3}|(?:státní )?svátk[A-Za-zÀ-ž]{1,2}|svátek|feriados?)(?![A-Za-zÀ-ž])/iu;
const labelled =
  /^[#*\- ]{0,6}(?:(?:public|bank|official|gesetzliche|státní|ustawowo) )?(?:holidays|feiertage|jours fériés|svátky|días inhábiles|(?:días )?festivos|giorni festivi|feestdagen|święta)(?: [^:]{0,40})?:/iu;

/** Sorted, each once. */
export function findHolidays({ flat, dates }: Pick<LawText, 'flat' | 'dates'>): string[] {
  const days = new Set<string>();
  const add = (found: Iterable<string>) => {
    for (const day of found) if (days.size < holidaysMax) days.add(day);
  };
  let inList = false;
  for (const block of flat.blocks) {
    const shown = flat.text.slice(block.start, Math.min(block.end, block.start + 120));
    const begins = labelled.test(shown);
    // A list goes on as long as its blocks hold dates and little else.
    const here = allWithin(dates, block);
    inList =
      begins ||
      (inList &&
        here.length > 0 &&
        block.end - block.start - here.reduce((sum, date) => sum + date.end - date.start, 0) < here.length * 15);
    if (inList) add(here.map(({ iso }) => iso));
  }
  for (const sentence of flat.sentences) {
    const wording = flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 2_000));
    const block = flat.blockAt(sentence.start);
    const [label] = block?.cells ?? [];
    const inRow =
      label !== undefined && sentence.start >= label.end && holidayWord.test(flat.text.slice(label.start, label.end));
    const word = holidayWord.exec(wording);
    if (!inRow && word === null) continue;
    if (labelled.test(wording)) continue;
    const { from, to } = inRow ? { from: 0, to: wording.length } : partWithDays(wording, word!);
    add(daysIn(wording.slice(from, to), yearNear(dates, sentence.start)));
  }
  return [...days].sort();
}

const negation =
  /(?<![A-Za-zÀ-ž])(?:not|nor|neither|no|nicht|kein(?:e[nr]?)?|weder|ni|n'est|n'étant|pas|no|né|non|geen|niet|nie|není|nejsou)(?![A-Za-zÀ-ž])/iu;

/** Of "19 April is not on the list of holidays (that list has …)" what follows; of a denial nothing. */
function partWithDays(wording: string, word: RegExpExecArray): { from: number; to: number } {
  const end = word.index + word[0].length;
  if (negation.test(wording.slice(0, word.index)))
    return { from: /[:(]/.test(wording.slice(end, end + 40)) ? end : wording.length, to: wording.length };
  const behind = /:/.test(wording.slice(end, end + 60));
  const isBefore = /\d/.test(wording.slice(0, word.index));
  const [first] = findDates(wording.slice(end));
  if (behind || (first !== undefined && first.start <= 30)) return { from: end, to: wording.length };
  return isBefore ? { from: 0, to: word.index } : { from: end, to: end };
}

const monthName = [...monthNumbers.keys()].filter((name) => name.length > 2).join('|');
const dayShape = new RegExp(
  `(?<![\\d./])(\\d{1,2})(?:st|nd|rd|th|\\.|º|er)?(?:((?:,| and| und| et| y| e| en| i| a)(?: (?:the|il|el|le|den))? (?=\\d))|(?: (?:of|de) | )(${monthName})(?![A-Za-zÀ-ž])(?:,? (?:of |de |del )?((?:19|20)\\d\\d))?)`,
  'giu',
);

/** "26 March and 29 March", "6, 7 and 17 May 2027", "24 December 2026 to 1 January 2027"; a missing year is that of the dates around. */
function daysIn(text: string, year: string | undefined): string[] {
  const found: { readonly iso: string; readonly end: number; readonly start: number }[] = [];
  let open: { day: string; start: number }[] = [];
  const months = [...text.matchAll(dayShape)];
  const years = months.map((match) => match[4]);
  for (const [index, match] of months.entries()) {
    const [written, day = '', , month] = match;
    open.push({ day, start: match.index });
    if (month === undefined) continue;
    const own =
      years.slice(index).find((each) => each !== undefined) ?? years.findLast((each) => each !== undefined) ?? year;
    const number = monthNumbers.get(month.toLowerCase());
    for (const each of open) {
      const iso = `${own}-${String(number).padStart(2, '0')}-${each.day.padStart(2, '0')}`;
      if (own !== undefined && parseDay(iso) !== undefined)
        found.push({ iso, start: each.start, end: match.index + written.length });
    }
    open = [];
  }
  const isos = findDates(text).flatMap(({ iso }) => (iso.length === 10 ? [iso] : []));
  return [...found.flatMap(({ iso }, index) => [iso, ...between(text, found, index)]), ...isos];
}

/** A fortnight of holidays at most. */
const spanDaysMax = 31;

function between(
  text: string,
  found: readonly { readonly iso: string; readonly start: number; readonly end: number }[],
  index: number,
): string[] {
  const one = found[index]!;
  const next = found[index + 1];
  if (
    next === undefined ||
    !/^ (?:to|until|bis(?: zum)?|au|al|fino al|tot en met|t\/m|do|až|-|–)(?: (?:the|le|el|il))? ?(?:[A-Za-zÀ-ž]+,? )?$/iu.test(
      text.slice(one.end, next.start),
    )
  )
    return [];
  const [first, last] = [parseDay(one.iso)!, parseDay(next.iso)!];
  if (last <= first || last - first > spanDaysMax) return [];
  return Array.from({ length: last - first - 1 }, (_, step) => formatDay(first + step + 1));
}

function yearNear(dates: readonly FoundDate[], position: number): string | undefined {
  let nearest: FoundDate | undefined;
  for (const date of dates) {
    if (nearest === undefined || Math.abs(date.start - position) < Math.abs(nearest.start - position)) nearest = date;
  }
  return nearest?.iso.slice(0, 4);
}
