/** The properties of a period in a heading or caption: its end, its length, and whether its figures are actual. Six languages. */

import { daysInMonth, findDates, isoDate, monthNumbers } from '../text/dates.ts';
import { isOtherColumn, word } from './column-kinds.ts';
import { lengthOf, type PeriodPart, partOf } from './period-lengths.ts';
import { remembered } from './remembered.ts';

export interface PeriodWords {
  /** Last day, if day, month and year are named; of a range, the end. */
  readonly end?: string;
  /** Month and day without a year: "June 30," above "2025". */
  readonly dayMonth?: { readonly month: number; readonly day: number };
  readonly year?: number;
  /** Whether the year is called a fiscal year: "FY25", "fiscal 2025". */
  readonly isFiscal: boolean;
  readonly months?: number;
  /** Whether the month is the whole period ("March 2025"), unless another length is stated. */
  readonly isMonth: boolean;
  /** From the beginning of the year to the end of the period. */
  readonly isCumulated: boolean;
  readonly part?: PeriodPart;
  readonly relative?: 'current' | 'prior';
  readonly isEstimate: boolean;
  /** Budgets, changes, note numbers, gross values: not reported figures of the period. */
  readonly isOther: boolean;
}

const estimate = word(
  'estimates?|proj(?:ected|ections?)?|proyecci[óo]n|proyectad[oa]s?|proiezion[ei]|projet[ée]|forecast|outlook|guidance|prognose|vorschau|hochrechnung|expected|voraussichtlich|previsi[óo]n|previsione|verwachting|plan|prognoza|plano|prognos|forventet|förväntat',
);

const cumulated = word(
  'ytd|year[- ]to[- ]date|ackumulerat|ack|hittills i år|år til dato|hittil i år|narastająco|acumulados?|kumuliert|kum|cumul(?:[ée]e?s?)?|acum(?:ulado)?|progressivo|cumulato|cumulatief|progr|to date',
);
const currentShape = word(
  'current (?:year|period)|this year|actuals?|act|ist|ist-werte?|r[ée]alis[ée]|effettivo|consuntivo|werkelijk|realisatie|berichtsjahr|gesch[äa]ftsjahr|lfd\\.? jahr|laufendes jahr|exercice n|b[ěe][žz]n[ée] obdob[íi]|sledovan[ée] obdob[íi]|ejercicio actual|esercizio corrente|dit jaar|huidig jaar|utfall|faktisk|realiserad|realiseret|wykonanie|realizado|toteutunut|innevarande år|indeværende år|ano corrente|bieżący rok|okres bieżący',
);
const priorShape = word(
  'prior (?:year|period)|previous (?:year|period)|last year|preceding year|vorjahr(?:es)?|vj|py|exercice n[- ]1|exercice pr[ée]c[ée]dent|minul[ée] obdob[íi]|ejercicio anterior|a[ñn]o anterior|esercizio precedente|anno precedente|vorig jaar|vorig boekjaar|n[- ]1|föregående år|förra året|fg år|forrige år|sidste år|i fjor|ano anterior|período homólogo|per[ií]odo anterior|rok ubiegły|poprzedni rok|okres porównawczy|edellinen vuosi',
);

/** Abbreviations in column headings: "avr-25", "giu 25"; in other places, some of them are other words. */
const shortMonths: readonly string[] = [
  'janv gen ene jän jan sty tammi',
  'févr fevr fév fev lut helmi',
  'mrz mär mrt maalis',
  'avr abr kwi huhti',
  'mag maj mai touko',
  'giu cze kesä',
  'juil lug lip heinä',
  'aoû aou ago sie elo',
  'sett set wrz syys',
  'ott out paź loka',
  'lis marras',
  'déc dic des dez gru joulu',
];
const monthsByName: ReadonlyMap<string, number> = new Map([
  ...monthNumbers,
  ...shortMonths.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
]);
/** Whether a word is the name of a month or its abbreviation. @param word in lower case */
export function isMonthName(word: string): boolean {
  return word !== '' && monthsByName.has(word);
}

const shortAlternatives = [...monthsByName.keys()]
  .filter((name) => name !== '')
  .sort((a, b) => b.length - a.length)
  .join('|');
const dayMonthYear = new RegExp(
  `(?<![\\p{L}\\d])(\\d{1,2})[- ](${shortAlternatives})\\.?[- ’']{1,2}(\\d{2}|\\d{4})(?![\\p{L}\\d.,])`,
  'iu',
);

const monthAlternatives = [...monthNumbers.keys()].sort((a, b) => b.length - a.length).join('|');
const dayMonthShape = new RegExp(
  `(?<![\\p{L}\\d])(?:(${monthAlternatives})\\.? (\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th|\\.|er)?(?: de)? (${monthAlternatives}))(?![\\p{L}\\d])`,
  'giu',
);
const monthYearShape = new RegExp(
  `(?<![\\p{L}\\d])(${shortAlternatives})\\.?(?:(?:[ -]| de )(\\d{4})|[ -]?['’-](\\d{2}))(?![\\p{L}\\d.,])`,
  'iu',
);
const monthRangeShape = new RegExp(
  `(?<![\\p{L}])(${shortAlternatives})\\.?(?: \\d{4})? ?(?:[-–—/]|to|bis|[àa]|through|tot|t/m|au|al|till|til|do) ?(${shortAlternatives})(?![\\p{L}])\\.?(?:[ -]?['’]?(1[5-9]|2\\d)(?![\\d.,]))?`,
  'iu',
);
/** "Oct 24–Sep 25": each month has its year. */
const monthYearRangeShape = new RegExp(
  `(?<![\\p{L}\\d])(${shortAlternatives})\\.?[ -]?['’]?(\\d{2}|\\d{4}) ?(?:[-–—]|to|bis|till|til|au|al|do) ?(${shortAlternatives})\\.?[ -]?['’]?(\\d{2}|\\d{4})(?![\\p{L}\\d.,])`,
  'iu',
);
const shortDate = /(?<![\d.,/-])(\d{1,2})[./-](\d{1,2})[./-](\d{2})(?![\d./-])/;
const dayRange =
  /(?<![\d.])(\d{1,2})[./](\d{1,2})[./]?(?:(?:19|20)?\d\d)? ?(?:[-–—]|bis|au|al|to|tot) ?(?=\d{1,2}[./]\d{1,2}[./])/u;
const yearShape =
  /(?<![\p{L}\d.,/$€£])(?:FY ?|CY ?)?((?:19|20)\d\d)(?:[/–-]((?:20)?\d\d)(?![\d]))?(?:[AEFBPaefbp](?!\p{L})|(?=[^\d\p{L}]|$))(?![.,]\d)/u;
const fiscalShort = /(?<![\p{L}\d])(?:FY|GJ|F|CY|[1-4][QH]|[QH][1-4])[ '’-]?(?:FY)?['’]?(\d\d)(?!\d)/iu;

/** Of a text of at most a few hundred characters. */
export const readPeriodWords = remembered(computePeriodWords);

function computePeriodWords(text: string): PeriodWords {
  const shown = text
    .slice(0, 400)
    .replace(/\s+/g, ' ')
    .replace(/\b(?:period|periode|p[ée]riode|per[ií]odo|periodo|note) \d{1,2}\b(?! ?(?:months|mois|Monate))/giu, ' ')
    .replace(/(\d\.)[-–—](?=\d{1,2}\.\d{1,2}\.\d{2})/g, '$1 - ');
  const hasDigit = anyDigit.test(shown);
  const dates = hasDigit ? findDates(shown).filter(({ iso }) => iso.length === 10) : [];
  const rolling = hasDigit && dates.length === 0 ? (monthYearRange(shown) ?? numericMonths(shown)) : undefined;
  const end = dates.at(-1)?.iso ?? rolling?.end ?? (hasDigit ? (shortDateIn(shown) ?? namedDateIn(shown)) : undefined);
  const bare = dates.reduce(
    (rest, { start, end: to }) => rest.slice(0, start) + ' '.repeat(to - start) + rest.slice(to),
    shown,
  );
  const year = hasDigit ? yearOf(bare) : undefined;
  const monthYear = hasDigit && end === undefined ? monthYearShape.exec(shown) : null;
  const range = monthRangeShape.exec(shown);
  const part = partOf(shown);
  const dayMonth = end === undefined ? dayMonthOf(shown) : undefined;
  const monthsNamed =
    dates.length >= 2
      ? dates.at(-2)!.iso < end!
        ? monthsBetween(dates.at(-2)!.iso, end!)
        : lengthOf(shown, part)
      : (rolling?.months ??
        rangeMonths(range) ??
        dayRangeMonths(shown, end) ??
        namedRangeMonths(shown) ??
        lengthOf(shown, part));
  const monthEnd =
    end ?? (range !== null ? endOfMonth(rangeYear(shown, range), monthOf(range[2]!)) : monthYearEnd(monthYear));
  const isCumulated = cumulated.test(shown);
  return {
    ...(monthEnd === undefined ? {} : { end: monthEnd }),
    ...(dayMonth === undefined || monthEnd !== undefined ? {} : { dayMonth }),
    ...(range !== null && year === undefined ? { dayMonth: { month: monthOf(range[2]!), day: 31 } } : {}),
    ...(year === undefined ? {} : { year }),
    ...(monthsNamed === undefined ? {} : { months: monthsNamed }),
    ...(part === undefined ? {} : { part }),
    ...(priorShape.test(shown)
      ? { relative: 'prior' as const }
      : currentShape.test(shown) || shown.trim() === 'N'
        ? { relative: 'current' as const }
        : {}),
    isFiscal: /(?<!\p{L})(?:FY|GJ|fiscal)/iu.test(shown),
    isMonth: monthYear !== null && range === null && dates.length === 0 && monthsNamed === undefined,
    isCumulated,
    isEstimate: estimate.test(shown) || /(?:19|20)\d\d[EFBP](?!\p{L})/iu.test(shown),
    isOther: isOtherColumn(shown),
  };
}

/**
 * Whether a date in a caption can be the end of a period: the last day of a month, or a day that the words around it identify
 * as such. The date of a press release is neither.
 */
export function endsPeriod(text: string, iso: string): boolean {
  const [year, month, day] = iso.split('-').map(Number) as [number, number, number];
  if (day === daysInMonth(year, month)) return true;
  const date = findDates(text).find((found) => found.iso === iso);
  // "On 6 November 2025, 10:00 to 13:25": a cue elsewhere in the line belongs to something else.
  return periodCue.test(date === undefined ? text : text.slice(Math.max(0, date.start - cueCharactersMax), date.start));
}

const cueCharactersMax = 40;

const periodCue = word(
  'ended|ending|weeks|as (?:of|at)|at|to|zum|per|stichtag|clos|closing|arr[êe]t[ée]e?s?|cl[ôo]tur[ée]e?|cerrado|chiuso|chiusi|eindigend|through|until|bis',
);

/** "01-09/2025", "1-6/2025", "01/2025-09/2025": months of one year. */
function numericMonths(text: string): { readonly end: string; readonly months: number } | undefined {
  const match = numericMonthsShape.exec(text);
  if (match === null) return undefined;
  const [from, to, year] = [match[1], match[3], match[4]].map(Number) as [number, number, number];
  const end = from < 1 || from > to || to > 12 ? undefined : endOfMonth(year, to);
  if (end === undefined || (match[2] !== undefined && Number(match[2]) !== year)) return undefined;
  return { end, months: to - from + 1 };
}

const numericMonthsShape = /(?<![\d./-])(\d{1,2})(?:[./](20\d\d))? ?[-–—] ?(\d{1,2})[./](20\d\d)(?![\d./-])/u;

/** "31-May-25" */
function namedDateIn(text: string): string | undefined {
  const match = dayMonthYear.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[3]), monthOf(match[2]!), Number(match[1])];
  const full = year < 100 ? 2000 + year : year;
  return day >= 1 && day <= daysInMonth(full, month) ? isoDate(full, month, day) : undefined;
}

function shortDateIn(text: string): string | undefined {
  const match = shortDate.exec(text);
  if (match === null) return undefined;
  const [day, month] = [Number(match[1]), Number(match[2])];
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? isoDate(2000 + Number(match[3]), month, day) : undefined;
}

/** The year in which a financial year ends: "2024/25" is 2025. */
function yearOf(text: string): number | undefined {
  const match = yearShape.exec(text);
  if (match === null) {
    const short = fiscalShort.exec(text)?.[1];
    return short === undefined ? undefined : 2000 + Number(short);
  }
  const year = Number(match[1]);
  if (match[2] === undefined) return year;
  const full = match[2].length === 4 ? Number(match[2]) : Math.floor(year / 100) * 100 + Number(match[2]);
  return full === year + 1 ? full : year;
}

function monthOf(name: string): number {
  return monthsByName.get(name.toLowerCase())!;
}

/** "Jan–Sep 25": the two digits are a year, unless they may be the last day of a month. */
function rangeYear(text: string, range: RegExpExecArray): number {
  return lastYear(text) ?? (range[3] === undefined ? Number.NaN : 2000 + Number(range[3]));
}

function rangeMonths(range: RegExpExecArray | null): number | undefined {
  if (range === null) return undefined;
  return ((monthOf(range[2]!) - monthOf(range[1]!) + 12) % 12) + 1;
}

/** "1.1.–30.9.2025", "01.01. - 30.06.2025": the first date has no year. */
function dayRangeMonths(text: string, end: string | undefined): number | undefined {
  const match = end === undefined ? null : dayRange.exec(text);
  if (match === null) return undefined;
  const from = Number(match[2]);
  return from < 1 || from > 12 ? undefined : ((Number(end!.slice(5, 7)) - from + 12) % 12) + 1;
}

/** "1. Januar bis 31. Dezember 2024": only the second day has a year. */
function namedRangeMonths(text: string): number | undefined {
  if (!anyDigit.test(text) || !rangeWord.test(text)) return undefined;
  const months = [...text.matchAll(dayMonthShape)].map((match) => monthOf((match[1] ?? match[4])!));
  if (months.length < 2) return undefined;
  return ((months.at(-1)! - months.at(-2)! + 12) % 12) + 1;
}

const anyDigit = /\d/;
const rangeWord = word('to|bis|au|al|through|until|tot|hasta|[-–—]');

function monthYearRange(text: string): { readonly end: string; readonly months: number } | undefined {
  const match = monthYearRangeShape.exec(text);
  if (match === null) return undefined;
  const [from, to] = [match.slice(1, 3), match.slice(3, 5)].map(([name, digits]) => {
    const year = Number(digits) + (digits!.length === 2 ? 2000 : 0);
    return { year, month: monthOf(name!) };
  }) as [{ year: number; month: number }, { year: number; month: number }];
  const months = to.year * 12 + to.month - from.year * 12 - from.month + 1;
  const end = endOfMonth(to.year, to.month);
  return end === undefined || months < 1 || months > 12 ? undefined : { end, months };
}

function lastYear(text: string): number | undefined {
  const year = [...text.matchAll(/(?<!\d)(?:19|20)\d\d(?!\d)/g)].at(-1)?.[0];
  return year === undefined ? undefined : Number(year);
}

function monthsBetween(from: string, to: string): number | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  const months = Math.round(days / 30.44);
  return months >= 1 && months <= 12 && Math.abs(days - months * 30.44) < 12 ? months : undefined;
}

function dayMonthOf(text: string): PeriodWords['dayMonth'] {
  const match = anyDigit.test(text) ? [...text.matchAll(dayMonthShape)].at(-1) : undefined;
  if (match === undefined) return undefined;
  const month = monthOf((match[1] ?? match[4])!);
  const day = Number(match[2] ?? match[3]);
  return day >= 1 && day <= 31 ? { month, day } : undefined;
}

function monthYearEnd(match: RegExpExecArray | null): string | undefined {
  if (match === null) return undefined;
  return endOfMonth(match[2] === undefined ? 2000 + Number(match[3]) : Number(match[2]), monthOf(match[1]!));
}

export function endOfMonth(year: number, month: number): string | undefined {
  return year >= 1900 && year < 2200 ? isoDate(year, month, daysInMonth(year, month)) : undefined;
}
