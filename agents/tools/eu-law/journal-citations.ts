/** Citations of the Official Journal of the European Union, in the forms before and after acts were published individually. */
import type { Range } from '../text/span.ts';
import { parseDay } from './calendar.ts';

export interface JournalCitation extends Range {
  readonly series: 'L' | 'C';
  /** Issue, as `119` or `326I`; for acts published since 1 October 2023, the act's own number, `2024/1689`. */
  readonly issue: string;
  /** ISO. Absent if the citation has no date or an invalid one. */
  readonly date?: string;
  /** First page, and the last page if given. */
  readonly pages?: string;
  /** In the form of the Interinstitutional Style Guide: `OJ L 119, 4.5.2016, p. 1`. */
  readonly normalised: string;
}

const monthNumbers = 'january february march april may june july august september october november december'.split(' ');

/** Ordered by position in the text; in English, German, French and Czech. @see Interinstitutional Style Guide §3.1 and §5.9.3 */
export function findJournals(text: string): JournalCitation[] {
  const found: JournalCitation[] = [];
  for (const match of text.matchAll(journalShape)) {
    const [written, series = '', number, day, month = '', year = '', page, lastPage] = match;
    const date = day === undefined ? undefined : isoOf(day, month, year);
    const pages = page === undefined ? undefined : lastPage === undefined ? page : `${page}–${lastPage}`;
    const issue = number!.replace(/\s/g, '');
    const ownNumber = issue.includes('/');
    found.push({
      series: series as 'L' | 'C',
      issue,
      ...(date === undefined ? {} : { date }),
      ...(pages === undefined ? {} : { pages }),
      normalised: `OJ ${series}${ownNumber ? ',' : ''} ${issue}${date === undefined ? '' : `, ${shortDate(date)}`}${
        pages === undefined ? '' : `, p. ${pages}`
      }`,
      start: match.index,
      end: match.index + written.length,
    });
  }
  return found;
}

const journalShape =
  /(?<![A-Za-zÀ-ž])(?:OJ|ABl\.(?: EU| EG)?|JO|Úř\. ?věst\.|GU|DO|PB|Dz\. ?U\.|Dz\. ?Urz\. UE)[ \u00a0]{1,2}(?:\d{4}[ \u00a0])?([LC])(?:,[ \u00a0]{0,2}|[ \u00a0]{0,2}(?:Nr\.[ \u00a0]|No[ \u00a0])?)(20\d{2}\/\d{1,5}|\d{1,4}(?:[ \u00a0]?(?:I{1,3}|[AEMR])(?![A-Za-zÀ-ž]))?)(?:(?:,| of| vom| du| de| del| van| z| ze dne)?[ \u00a0]{1,2}(\d{1,2})(?:\.[ \u00a0]?|[ \u00a0])(\d{1,2}\.?|[A-Z][a-z]{2,8})[ \u00a0]?(\d{4}))?(?:,?[ \u00a0]{1,2}(?:p\.|pp\.|S\.|s\.|pág\.|pag\.)[ \u00a0]?(\d{1,4})(?:[-–](\d{1,4}))?)?/gu;

function isoOf(day: string, month: string, year: string): string | undefined {
  const number = /^\d/.test(month) ? Number.parseInt(month, 10) : monthNumbers.indexOf(month.toLowerCase()) + 1;
  const iso = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseDay(iso) === undefined ? undefined : iso;
}

/** `4.5.2016`, as the Style Guide dates the Official Journal. */
function shortDate(iso: string): string {
  const [year, month, day] = iso.split('-').map(Number);
  return `${day}.${month}.${year}`;
}

export interface Eli extends Range {
  /** Starts at `http://data.europa.eu/eli/`. */
  readonly eli: string;
  /** Present if the identifier determines it. */
  readonly celex?: string;
}

const eliTypes: Readonly<Record<string, string>> = {
  reg: 'R',
  dir: 'L',
  dec: 'D',
  reco: 'H',
  reg_del: 'R',
  reg_impl: 'R',
  dec_impl: 'D',
  dir_del: 'L',
  dir_impl: 'L',
  dec_del: 'D',
};

/** European Legislation Identifiers of Union acts. @see Council conclusions on ELI, OJ C 325, 26.10.2012, p. 3 */
export function findElis(text: string): Eli[] {
  const found: Eli[] = [];
  for (const match of text.matchAll(/data\.europa\.eu\/(eli\/([a-z_]{3,12})\/(\d{4})\/(\d{1,5})[\w/()-]{0,60})/g)) {
    const [written, eli = '', type = '', year, number = ''] = match;
    const letter = Object.hasOwn(eliTypes, type) ? eliTypes[type] : undefined;
    found.push({
      eli,
      ...(letter === undefined ? {} : { celex: `3${year}${letter}${number.padStart(4, '0')}` }),
      start: match.index,
      end: match.index + written.length,
    });
  }
  return found;
}
