/** Reporting periods as table headings and sentences write them. */
import type { Range } from '../text/span.ts';
import { normaliseName } from './line-items.ts';

/** A period with its place; labels are "2024", "2024E" (estimate, forecast or budget), "Q1 2024", "H1 2024", "9M 2024", "current" or "prior". */
export interface FoundPeriod extends Range {
  readonly label: string;
}

/** The label of figures that no heading or sentence dates. */
export const undated = 'undated';

// "2023/24" and "2023/2024" are the year that ends in 2024. Every repeat is bounded.
const shape =
  /(?<![\p{L}\p{N}.,/])(?:(?<part>[QH][1-4]|[1-4][QH]|9M|3M|6M)[ \u00a0/-]{0,2})?(?<fiscal>FY[ \u00a0]?)?(?:(?<year>(?:19|20)\d\d)(?:[/–-](?<end>(?:20)?\d\d)(?!\d))?(?<estimate>[EFB](?![\p{L}\p{N}]))?|(?<short>\d\d))(?![\p{N}\p{L}%])(?!,\d)/gu;

const words: readonly [label: string, names: readonly string[]][] = [
  [
    'current',
    ['current year', 'this year', 'current period', 'berichtsjahr', 'bezne obdobi', 'sledovane obdobi', 'exercice n'],
  ],
  ['prior', ['prior year', 'previous year', 'last year', 'prior period', 'vorjahr', 'minule obdobi', 'exercice n 1']],
];

/** Every year-like period in the text; a two-digit year counts only behind FY, Q or H. */
export function findPeriods(text: string): FoundPeriod[] {
  const found: FoundPeriod[] = [];
  if (!/\d\d/.test(text)) return found;
  for (const match of text.matchAll(shape)) {
    const { part, fiscal, year, end, estimate, short } = match.groups!;
    if (year === undefined && part === undefined && fiscal === undefined) continue;
    const full = year === undefined ? `20${short}` : endYear(year, end);
    const label = `${part === undefined ? '' : `${partName(part)} `}${full}${estimate === undefined ? '' : 'E'}`;
    found.push({ start: match.index, end: match.index + match[0].length, label });
  }
  // "31.12.2023" and "31/12/2023", which the shape above leaves alone.
  for (const match of text.matchAll(/(?<!\d)\d{1,2}[./]\d{1,2}[./]((?:19|20)\d\d)(?!\d)/g)) {
    found.push({ start: match.index, end: match.index + match[0].length, label: match[1]! });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The period that a heading cell means, where it names exactly one. @param normalised as `normaliseName` gives it */
export function periodOfCell(text: string, normalised: string): string | undefined {
  const found = findPeriods(text);
  if (found.length === 1) return found[0]!.label;
  return wordsOf(normalised);
}

function wordsOf(normalised: string): string | undefined {
  return words.find(([, names]) => names.includes(normalised))?.[0];
}

const monthsShape = /\b(three|six|nine|twelve|3|6|9|12)[ -]months?\b/i;
const monthCounts: ReadonlyMap<string, number> = new Map([
  ['three', 3],
  ['six', 6],
  ['nine', 9],
  ['twelve', 12],
]);
const monthNumber =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s\d{1,2}\b|\b\d{1,2}\.? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const monthsOfYear = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * The period of a column by its headings from the top ("Three Months Ended", "June 30,", "2024"), and by the captions above the
 * table where the headings name no length. Three months are the quarter of the calendar in which they end.
 */
export function periodOfHeadings(headings: readonly string[], captions: readonly string[] = []): string | undefined {
  const joined = headings.join(' ');
  const years = [...new Set(findPeriods(joined).map(({ label }) => label))];
  if (years.length !== 1) return years.length === 0 ? wordsOf(normaliseName(joined)) : undefined;
  const [label] = years as [string];
  if (!/^\d{4}$/.test(label)) return label;
  // A caption dates columns of bare years only: "As of June 30, 2024" in a heading is a day.
  const lengths = [joined, ...(/\p{L}{3}/u.test(joined) ? [] : captions.toReversed())];
  const named = lengths.find(
    (text) => monthsShape.test(text) || /\bquarters? end/i.test(text) || /\byears? end/i.test(text),
  );
  if (named === undefined) return label;
  const written = monthsShape.exec(named)?.[1]?.toLowerCase();
  const count =
    written === undefined ? (/\bquarters? end/i.test(named) ? 3 : 12) : (monthCounts.get(written) ?? Number(written));
  if (count === 12) return label;
  const month = monthsOfYear.indexOf(
    (monthNumber.exec(joined) ?? monthNumber.exec(named))
      ?.slice(1)
      .find((name) => name !== undefined)
      ?.toLowerCase() ?? '',
  );
  if (count === 3) return month === -1 ? `3M ${label}` : `Q${Math.floor(month / 3) + 1} ${label}`;
  return count === 6 && month === 5 ? `H1 ${label}` : `${count}M ${label}`;
}

/** How much of a year a flow of the period covers, in months. */
export function monthsOf(label: string): number {
  if (/^(?:Q|3M)/.test(label)) return 3;
  if (/^(?:H|6M)/.test(label)) return 6;
  return label.startsWith('9M') ? 9 : 12;
}

/** The same period one year before: "Q1 2023" for "Q1 2024". */
export function priorPeriod(label: string): string | undefined {
  if (label === 'current') return 'prior';
  const match = /^(.{0,3}?)(\d{4})(E?)$/.exec(label);
  return match === null ? undefined : `${match[1]}${Number(match[2]) - 1}${match[3]}`;
}

/** Newest first; periods without a year last. */
export function comparePeriods(a: string, b: string): number {
  return sortKey(a) < sortKey(b) ? 1 : sortKey(a) > sortKey(b) ? -1 : 0;
}

function sortKey(label: string): string {
  if (label === 'current') return '1';
  if (label === 'prior') return '0';
  const year = /\d{4}/.exec(label);
  return year === null ? '' : `2${year[0]}${label}`;
}

function partName(part: string): string {
  return /^\d[QH]$/.test(part) ? `${part[1]}${part[0]}` : part;
}

function endYear(year: string, end: string | undefined): string {
  if (end === undefined) return year;
  const full = end.length === 4 ? end : `${year.slice(0, 2)}${end}`;
  // "2023-12" is a month and "2020-2030" a span, not a financial year.
  return Number(full) === Number(year) + 1 ? full : year;
}
