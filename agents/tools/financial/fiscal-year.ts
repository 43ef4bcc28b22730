/** The month in which a company's financial year ends, and the period of a document. */
import type { Document } from '../../document/document.ts';
import { findDates } from '../text/dates.ts';
import { indexAt } from '../text/ranges.ts';
import { yearEndsOfFacts } from './long-tables.ts';
import { endOfMonth, endsPeriod, type PeriodWords, readPeriodWords } from './period-words.ts';
import { type Rolling, rolling, type TitlePeriod, titlePartOfYear, titlePeriod, titleYear } from './title-periods.ts';

export interface FiscalCalendar extends TitlePeriod {
  /** 1 to 12. */
  readonly month: number;
  /**
   * Difference between the calendar year of the year-end and the number of the fiscal year: 1 if fiscal 2024 ends in February
   * 2025.
   */
  readonly shift: number;
  /** Last days of periods that headings name and that are not the last days of months, as in years of 52 weeks. */
  readonly days?: readonly string[];
}

/** The last day of a month, or the day up to a week before or after it on which the document's own period ends. */
export function closingDay(year: number, month: number, { days = [] }: FiscalCalendar): string | undefined {
  const end = endOfMonth(year, month);
  if (end === undefined) return undefined;
  return days.find((day) => Math.abs(Date.parse(day) - Date.parse(end)) <= weekMs) ?? end;
}

const weekMs = 7 * 86_400_000;

/** Maximum number of year-ends examined per document, which names them in many places. */
const cuesMax = 200;
const yearCue =
  /\b(?:(?:(?:fiscal|financial)\s)?years?\s{1,20}(?:then\s)?(?:ended|ending|to|end)|(?:fiscal|financial) year|5[23][- ]weeks?(?:\s(?:ended|to))?|annual report|gesch[äa]ftsjahr(?:es)?|wirtschaftsjahr|jahresabschluss|konzernabschluss|bilanz|exercice|ejercicio|cuentas anuales|esercizio|bilancio|boekjaar|jaarrekening|r[äa]kenskaps[åa]r\p{L}*|regnska[bp]s[åa]r\p{L}*|exerc[íi]cio|rok(?:u)? obrotow\p{L}+|twelve months(?:\s(?:ended|to))?)(?!\p{L})/giu;
/** Days of the first week count as the previous month: 52 weeks may end on 1 February. */
export function fiscalMonthOf(iso: string): number {
  const month = Number(iso.slice(5, 7));
  return Number(iso.slice(8, 10)) <= 7 ? (month === 1 ? 12 : month - 1) : month;
}

export function readFiscalCalendar(document: Document): FiscalCalendar {
  const { text } = document;
  const votes = new Map<number, number>();
  const vote = (month: number, weight: number) => votes.set(month, (votes.get(month) ?? 0) + weight);
  let shift: number | undefined;
  let cues = 0;
  const tables = document.tables.map(({ start, end }) => ({ start, end }));
  for (const match of text.matchAll(yearCue)) {
    if (++cues > cuesMax) break;
    // Words after a table heading belong to the adjacent heading.
    const table = indexAt(tables, match.index);
    if (table !== undefined && match.index < tables[table]!.end) continue;
    const behind = text.slice(match.index, match.index + 110).split(/(?<!\d)\.(?=\s)|[;|\t]| {9}|\n\s*\n/u, 1)[0]!;
    // "(years ended 30 June) and management accounts (three months ended 30 September)"
    const inside = /^[^()]{0,100}(?=\))/.exec(behind)?.[0] ?? behind;
    const words = readPeriodWords(inside);
    const month = words.end === undefined ? words.dayMonth?.month : fiscalMonthOf(words.end);
    if (month === undefined || words.isMonth) continue;
    if (words.months !== undefined && words.months < 12) continue;
    vote(month, /^twelve/i.test(match[0]) ? 0.5 : 3);
  }
  for (const match of text.matchAll(
    /\b[Ff]iscal\s(?:[Yy]ear\s)?((?:19|20)\d\d)\b[^.;]{0,60}?\bend(?:ed|s|ing)\s(?:on\s)?([A-Z][a-z]{2,8}\.?\s\d{1,2},\s((?:19|20)\d\d))/g,
  )) {
    shift ??= Number(match[3]) - Number(match[1]);
  }
  for (const match of text.matchAll(
    /\bended\s(?:on\s)?[A-Z][a-z]{2,8}\.?\s\d{1,2},\s((?:19|20)\d\d)[^.;]{0,24}?\b[Ff]iscal\s(?:[Yy]ear\s)?((?:19|20)\d\d)\b/g,
  )) {
    shift ??= Number(match[1]) - Number(match[2]);
  }
  const headings = headingWords(document);
  shift ??= shiftBetween(headings);
  // The last day of a quarter is not a year-end, even above balances.
  const interim = new Set(headings.flatMap((words) => (isPartOfYear(words) ? [endMonth(words)] : [])));
  const title = titlePeriod(document);
  if (title.end !== undefined && title.months !== undefined && title.months < 12) interim.add(fiscalMonthOf(title.end));
  const beside = yearEndsBeside(document);
  for (const { interim: month } of beside) interim.add(month);
  for (const words of headings) {
    const month = endMonth(words);
    if (month !== undefined && !isPartOfYear(words) && !interim.has(month)) vote(month, 1);
  }
  for (const { end, months, isRolling } of headings)
    if (months === 12 && end !== undefined && !isRolling) vote(fiscalMonthOf(end), 3);
  if (title.end !== undefined && title.months === 12 && !title.isRolling) vote(fiscalMonthOf(title.end), 4);
  // The first six or nine months of a year determine its end.
  for (const { end, months } of [title, ...headings]) {
    if (end !== undefined && (months === 6 || months === 9))
      vote(((fiscalMonthOf(end) - 1 + 12 - months) % 12) + 1, months === 9 ? 1 : 0.5);
  }
  for (const { yearEnd } of beside) vote(yearEnd, 3);
  for (const end of [...balanceDays(document), ...daysAYearApart(document)])
    if (!interim.has(fiscalMonthOf(end))) vote(fiscalMonthOf(end), 1);
  for (const end of yearEndsOfFacts(document.tables)) vote(fiscalMonthOf(end), 1);
  const [best] = [...votes].sort((a, b) => b[1] - a[1] || (a[0] === 12 ? -1 : 1));
  const month = best?.[0] ?? 12;
  const named = title.end === undefined ? (titlePartOfYear(document, month) ?? titleYear(document, month)) : title;
  const days = [
    ...new Set([title, ...headings].flatMap(({ end }) => (end === undefined || isEndOfMonth(end) ? [] : [end]))),
  ];
  return { month, shift: shift === 1 ? 1 : 0, ...named, ...(days.length === 0 ? {} : { days }) };
}

function isEndOfMonth(iso: string): boolean {
  return iso === endOfMonth(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)));
}

/** "February 2, 2025" above the latest balances, and "Fiscal 2024" above the latest year. @returns undefined without both */
function shiftBetween(headings: readonly PeriodWords[]): number | undefined {
  const years = headings.flatMap(({ isFiscal, year, end }) => (isFiscal && end === undefined ? (year ?? []) : []));
  const days = headings.flatMap(({ end, months }) => (months === undefined ? (end ?? []) : []));
  const latest = days.toSorted().at(-1);
  if (years.length === 0 || latest === undefined || fiscalMonthOf(latest) > 2) return undefined;
  return Number(latest.slice(0, 4)) - Math.max(...years);
}

/** "Balance sheet as at 31 March 2025" above columns of years. */
function balanceDays({ text }: Document): string[] {
  return [...text.slice(0, balanceCharactersMax).matchAll(balanceCue)].flatMap(({ 0: cue, index }) => {
    const behind = text.slice(index, index + cue.length + 40).split(/[\n\t]/, 1)[0]!;
    const { end, months } = readPeriodWords(behind);
    return end === undefined || months !== undefined || !endsPeriod(behind, end) ? [] : [end];
  });
}

/** "30.6.2025   30.6.2024" on a line of its own, above a balance sheet. */
function daysAYearApart({ text, blocks }: Document): string[] {
  return blocks.slice(0, blocksMax).flatMap(({ kind, start, end }) => {
    const line = kind === 'table' || end - start > dayLineMax ? '' : text.slice(start, end);
    const days = line === '' || /\p{L}{3}/u.test(line) ? [] : findDates(line).filter(({ iso }) => iso.length === 10);
    const [first, second] = days;
    return days.length === 2 && first!.iso.slice(4) === second!.iso.slice(4) ? [first!.iso] : [];
  });
}

const blocksMax = 400;
const dayLineMax = 80;
const balanceCharactersMax = 60_000;
const balanceCue =
  /(?<!\p{L})(?:balance sheets?|statements? of financial position|bilan|balance de situaci[óo]n|balance|stato patrimoniale|balans|balansr[äa]kning|balan[çc]o|bilans|tase)(?:,| (?:as at|as of|at|au|a|al|per|pr\.?|em|na dzie[ńn]))? /giu;

/** "30.09.2025 | 31.12.2024": of two balances less than a year apart, the older one is at a year-end. */
function yearEndsBeside({ tables }: Document): { readonly yearEnd: number; readonly interim: number }[] {
  return tables.slice(0, 50).flatMap(({ columns }) => {
    const ends = columns.slice(1).flatMap(({ headerCells }) => {
      const words = readPeriodWords(headerCells.map(({ text }) => text).join(' '));
      return words.end === undefined || words.months !== undefined || words.isMonth ? [] : [words.end];
    });
    const [newest] = ends.toSorted().reverse();
    if (newest === undefined) return [];
    const between = ends.filter((end) => {
      const days = (Date.parse(newest) - Date.parse(end)) / 86_400_000;
      return days > 25 && days < 340;
    });
    return between.length === 1 ? [{ yearEnd: fiscalMonthOf(between[0]!), interim: fiscalMonthOf(newest) }] : [];
  });
}

function headingWords(document: Document): (PeriodWords & Rolling)[] {
  return document.tables.slice(0, 50).flatMap(({ columns }) =>
    columns.map(({ headerCells }) => {
      const text = headerCells.map((cell) => cell.text).join(' ');
      return { ...readPeriodWords(text), isRolling: rolling.test(text) };
    }),
  );
}

function isPartOfYear({ months, isMonth }: PeriodWords): boolean {
  return isMonth || (months !== undefined && months < 12);
}

function endMonth({ end, dayMonth }: PeriodWords): number | undefined {
  return end === undefined ? dayMonth?.month : fiscalMonthOf(end);
}
