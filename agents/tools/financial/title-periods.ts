/** The period that the title of a document names. */
import type { Document } from '../../document/document.ts';
import { findDates } from '../text/dates.ts';
import { endOfMonth, endsPeriod, type PeriodWords, readPeriodWords } from './period-words.ts';
import { isForward } from './prose-sentences.ts';

/** The end of a period and its length in months, as far as the title or first captions name them. */
export interface TitlePeriod {
  readonly end?: string;
  readonly months?: number;
}

/** Twelve months up to any day, which is not necessarily a year-end. */
export interface Rolling {
  readonly isRolling: boolean;
}

export const rolling =
  /\b(?:(?:twelve|12)[- ]months?|zw[öo]lf monate|12 monate|douze mois|12 mois|doce meses|12 meses|dodici mesi|12 mesi|LTM|TTM|R12|rolling)\b/iu;

/** "Balans per 31 december 31-12-2024 31-12-2023": two columns and not a range. */
function withoutOlderDate(line: string): string {
  const dates = findDates(line.slice(0, 300)).filter(({ iso }) => iso.length === 10);
  const [first, second] = dates;
  if (first === undefined || second === undefined) return line;
  const days = (Date.parse(first.iso) - Date.parse(second.iso)) / 86_400_000;
  return days > 300 ? line.slice(0, second.start) : line;
}

const titleCharacters = 1_200;

/** "Annual report 2024", "für das Geschäftsjahr 2024": the whole year, if the title names a year without a day. */
export function titleYear({ text, blocks }: Document, month: number): TitlePeriod {
  for (const { start, end, kind } of blocks) {
    if (start > titleCharacters) break;
    const line = text.slice(start, Math.min(end, start + titleLineMax)).split('\n', 1)[0]!;
    if (kind === 'table' || line.length >= titleLineMax || !titleYearCue.test(line) || isForward(line)) continue;
    const years = new Set([...line.matchAll(/(?<![\d.,/-])20\d\d(?![\d/-])/g)].map(([year]) => year));
    const [year] = years;
    const words = readPeriodWords(line);
    if (years.size !== 1 || words.isMonth || words.isEstimate || (words.months !== undefined && words.months < 12))
      continue;
    return { end: endOfMonth(Number(year), month)!, months: 12 };
  }
  return {};
}

/** "Résultats semestriels 2025", "Third-quarter 2025 results": a part of the year without a day. */
export function titlePartOfYear({ text, blocks }: Document, month: number): TitlePeriod | undefined {
  for (const { start, end, kind } of blocks) {
    if (start > titleCharacters) break;
    const line = text.slice(start, Math.min(end, start + titleLineMax)).split('\n', 1)[0]!;
    if (kind === 'table' || line.length >= titleLineMax || !titlePartCue.test(line) || isForward(line)) continue;
    const { part, months, year, isEstimate } = readPeriodWords(line);
    const years = new Set(line.match(/(?<!\d)20\d\d(?!\d)/g));
    const length = part === undefined ? months : part.kind === 'Q' ? 3 : 6;
    if (
      years.size > 1 ||
      year === undefined ||
      isEstimate ||
      length === undefined ||
      length >= 12 ||
      wholeYear.test(line)
    )
      continue;
    const elapsed = part === undefined ? length : part.number * length;
    if (part === undefined && length !== 6 && length !== 9) continue;
    const index = year * 12 + (month - 1) - (12 - elapsed);
    return { end: endOfMonth(Math.floor(index / 12), (index % 12) + 1)!, months: length };
  }
  return undefined;
}

const titlePartCue =
  /(?<!\p{L})(?:results?|report|statements?|update|release|r[ée]sultats?|rapport|comptes|bericht|\p{L}+bericht|ergebnis\p{L}*|mitteilung|zahlen|relazione|risultati|comunicato|informe|resultados|cuentas|relat[óo]rio|cijfers|resultaten|verslag|del[åa]rsrapport|kvartalsrapport|halv[åa]rsrapport|rapport|raport|wyniki|osavuosikatsaus)(?!\p{L})/iu;
const wholeYear =
  /(?<!\p{L})(?:full[- ]year|year|gesamtjahr|jahr|exercice|ejercicio|esercizio|hel[åa]r\p{L}*)(?!\p{L})/iu;

const titleYearCue =
  /(?<!\p{L})(?:annual|full[- ]year|fiscal|financial year|year|gesch[äa]ftsjahr|jahresbericht|lagebericht|exercice|annuels?|ejercicio|anuales?|esercizio|annuale|boekjaar|jaarverslag|preliminary results|bokslutskommunik\p{L}+|hel[åa]r\p{L}*|[åa]rs(?:redovisning|rapport|regnskab|regnskap)\p{L}*|r[äa]kenskaps[åa]r\p{L}*|regnska[bp]s[åa]r\p{L}*|exerc[íi]cio|rok(?:u)? obrotow\p{L}+|rapport de gestion)(?!\p{L})/iu;
const titleLineMax = 200;
const endedCue = /\b(?:ended|ending)\b/i;

/** In a long line, only the words around "ended" count, because others refer to other periods. */
function titlePart(line: string): string {
  const at = line.length > titleLineMax ? line.search(endedCue) : -1;
  return at === -1 ? line : line.slice(Math.max(0, at - 60), at + 60);
}

export function titlePeriod({ text, blocks }: Document): TitlePeriod & Rolling {
  for (const { start, end } of blocks) {
    if (start > titleCharacters) break;
    for (const line of text.slice(start, Math.min(end, start + 600)).split('\n')) {
      if (line.length > titleLineMax && !endedCue.test(line)) continue;
      const words: PeriodWords = readPeriodWords(
        withoutOlderDate(titlePart(line).replace(/\((?:Stand|printed|as of)[^()]{0,80}\)/giu, ' ')),
      );
      if (
        words.end === undefined ||
        !endsPeriod(line, words.end) ||
        !/ended|ending|to |quarter|months|weeks|zum|bis|clos|arr[êe]t|cerrad|chius|al |per |eind|gesti[óo]n|period|zeitraum|report|bericht|results|rapport|accounts|konto|comptes|cuentas|conti|rekening|bokslut|del[åa]r|halv[åa]r|[åa]rs(?:redovisning|rapport)|kommuni|regnska[bp]|raport|sprawozdan|relat[óo]rio|resultados|exerc[íi]c|ejercicio|esercizio|boekjaar|gesch[äa]ftsjahr|halbjahr|quartal|trim|semest/iu.test(
          line,
        )
      )
        continue;
      const months =
        words.months ??
        (words.isMonth &&
        /management|monthly|gesti[óo]n|monats|mensuel|mensile|maand/iu.test(text.slice(0, titleCharacters))
          ? 1
          : undefined);
      return { end: words.end, ...(months === undefined ? {} : { months }), isRolling: rolling.test(line) };
    }
  }
  return { isRolling: false };
}
