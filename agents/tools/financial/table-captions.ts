/** Lines above and between tables: captions, units, and periods that apply to the lines below. */
import { isNumberCell } from '../../document/cell-kinds.ts';
import type { Row, Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { otherWords } from './heading-words.ts';
import { normaliseName } from './line-items.ts';
import { readPeriodWords } from './period-words.ts';
import { type ColumnPeriod, findPeriods, periodOfHeadings } from './periods.ts';
import type { Column } from './table-columns.ts';
import { type ReadingState, vote } from './table-state.ts';
import { readUnitNote } from './units.ts';

/** Maximum number of lines above a table that may be its caption, and maximum length of each. */
const captionsMax = 5;
export const captionCharactersMax = 160;
/**
 * A long line is not a caption, but its last words may be one: "… goodwill impairment. Three months ended September 30
 * (in millions):".
 */
export function captionsWith(captions: readonly string[], line: string): string[] {
  if (line.length <= captionCharactersMax) return [...captions, line].slice(-captionsMax);
  return line.endsWith(':') ? [line.slice(-captionCharactersMax).replace(/^.*[.;] /, '')] : [];
}

/** The captions since the last heading: those above it belong to another section. @param captions the heading first */
export function captionsOfSection([topic, ...captions]: readonly string[]): readonly string[] {
  const at = topic === undefined || topic === '' ? -1 : captions.findLastIndex((line) => line.startsWith(topic));
  return topic === undefined ? [] : [topic, ...captions.slice(at + 1)];
}

export function linesOf(text: string, start: number, end: number): Range[] {
  const lines: Range[] = [];
  for (let at = start; at < end; ) {
    const next = text.indexOf('\n', at);
    const to = next === -1 || next > end ? end : next;
    if (to > at) lines.push({ start: at, end: to });
    at = to + 1;
  }
  return lines;
}

/** A line that consists of periods is the heading of the lines below it. */
export function takeCaptionColumns(state: ReadingState, line: string) {
  if (line.length > captionCharactersMax || /[.;!?]\s{0,4}$/.test(line)) return;
  const periods = findPeriods(line);
  const words = normaliseName(line).split(' ').length;
  // "Balance sheet at 31 December 2024" is a title, "2024" alone the heading of a column.
  const isAlone = periods.length === 1 && words <= 2;
  if ((periods.length < 2 && !isAlone) || words > periods.length * 4 + 4) return;
  state.columns = periods.map(({ label, end }, index): Column => {
    const own = periodOfHeadings([line.slice(periods[index - 1]?.end ?? 0, end)], [], state.calendar);
    if (own?.end !== undefined) return { period: own, isOther: false };
    const year = /^(\d{4})(E?)$/.exec(label);
    const part = readPeriodWords(label);
    const period: ColumnPeriod =
      year === null
        ? {
            isEstimate: false,
            ...(part.year === undefined ? {} : { year: part.year }),
            ...(part.months === undefined ? {} : { months: part.months }),
          }
        : { year: Number(year[1]), isEstimate: year[2] !== '' };
    return { period, isOther: false };
  });
}

/** "30 June | 30 June | 31 December" without a year is the heading of the table below. */
export function trailingDays(rows: readonly Row[]): string[] {
  const cells = rows.at(-1)?.cells.filter((cell) => cell !== undefined) ?? [];
  const days = cells
    .map(({ text }) => text)
    .filter((text) => text.length < 24 && readPeriodWords(text).dayMonth !== undefined);
  return days.length >= 2 && days.length >= cells.length - 1 ? days : [];
}

/** A row of words at the end of a table is the title of the next one. */
export function trailingCaptions(rows: readonly Row[]): string[] {
  return rows.slice(-3).flatMap(({ cells }, index, last) => {
    const filled = cells.filter((cell) => cell !== undefined);
    const isTitle =
      filled.length === 1 || (index === last.length - 1 && !filled.some(({ text }) => isNumberCell(text)));
    const title = filled.map(({ text }) => text).join('  ');
    return isTitle && title.length <= captionCharactersMax ? [title] : [];
  });
}

/** If all columns have the same heading ("TEUR", "£m"), it is also the unit of the tables below. */
export function takeSharedUnit(state: ReadingState, columns: readonly Column[]) {
  const named = columns.flatMap(({ zeros }) => (zeros === undefined ? [] : [zeros]));
  if (named.length === 0) return;
  if (named.every((zeros) => zeros === named[0])) state.zeros = named[0]!;
  state.scales.add(named[0]!);
}

/** Sentences state a unit only with one of these words: "All amounts are in EUR thousand." */
const unitSentence =
  /\b(?:amounts|figures|expressed|stated|presented|betr[äa]ge|angaben|montants|importes|cifras|importi|valori|bedragen|belopp|bel[øo]b|alle tall|tall|quantias|kwoty|dane|luvut|[úu]daje|[čc][áa]stky)\b/i;

/** "EUR Mio." ends with an abbreviation and not with a sentence. */
const unitAbbreviation = /(?<!\p{L})(?:Mio|Mrd|Tsd|Mill|mln|mld|tis|mil|kr|tys)\.\s{0,4}$/iu;

export function takeUnits(state: ReadingState, line: string) {
  const remark = unitRemarkIn(line);
  const start = remark ?? line.slice(0, 200);
  const isSentence = remark === undefined && isSentenceLine(line);
  if (isSentence && !unitSentence.test(start)) return;
  const note = readUnitNote(start);
  // "Facility of £85,000,000" is an amount and does not state a unit.
  const isAmount =
    /[€$£¥]\s?\d{1,3}[\d.,]*\d|\d[\d., ]*\s?(?:€|EUR|USD|GBP|CHF)/.test(start) && note?.zeros === undefined;
  if (note?.currency !== undefined && !isAmount) vote(state, note.currency);
  if (note?.zeros === undefined || scaledAmount.test(start)) return;
  state.zeros = note.zeros;
  state.hasOwnUnit = true;
  state.shareZeros =
    note.shareZeros ??
    (/except|other than|sauf|au[ßs]er/i.test(start) && /\bper[- ]share/i.test(start) ? undefined : state.shareZeros);
  state.scales.add(note.zeros);
}

function isSentenceLine(line: string): boolean {
  return line.length > 200 || (/[.!?]["')\]]?\s{0,4}$/.test(line) && !unitAbbreviation.test(line));
}

/** "Dollars in thousands.", "EUR m unless stated": a whole sentence of words of units, next to other sentences. */
function unitRemarkIn(line: string): string | undefined {
  return line
    .slice(0, 400)
    .split(/[.;](?=\s|$)/u, remarksMax)
    .map((sentence) => sentence.replace(exceptions, ' ').trim())
    .find(
      (sentence) =>
        sentence.length <= 60 &&
        !/\d{4}/.test(sentence) &&
        otherWords([sentence]).length === 0 &&
        readUnitNote(sentence)?.zeros !== undefined,
    );
}

const remarksMax = 4;
const exceptions =
  /,? ?(?<!\p{L})(?:unless (?:otherwise )?(?:stated|noted|indicated)|sofern nicht anders angegeben|sauf indication contraire|salvo indicaci[óo]n contraria|salvo (?:diversa indicazione|indica[çc][ãa]o em contr[áa]rio)|tenzij anders vermeld|om inget annat anges|hvis ikke andet er angivet|o ile nie zaznaczono inaczej)(?!\p{L})/giu;

/** "€4.1m", "7,9 millions d'euros": a multiplier behind an amount says nothing about others. "2025 MSEK" is a year. */
const scaledAmount =
  /[€$£¥]\s?\d[\d.,]*\s?(?:m|bn|million|billion|k)\b|(?<![\d.,/])(?!(?:19|20)\d\d\s)\d[\d.,]*\s(?:mio|mrd|mln|mld|tsd|millions?|billions?|thousand|millionen|milliarden|tausend|milliers|milliards?|millones|miles|milioni|migliaia|miljoen|miljard|duizend|miljoner|miljarder|millioner|milliarder|milh[õo]es|milhares|tys)(?!\p{L})/iu;

/** "Units | CAD thousands", in a table of labels and values without amounts above the statements. */
export function takeUnitsOfFields(state: ReadingState, { columns, headerRows, rows }: Table) {
  if (columns.length !== 2) return;
  for (const cells of [...headerRows, ...rows.map((row) => row.cells)]) {
    const [label, value] = cells;
    if (label !== undefined && value !== undefined && unitLabel.test(label.text)) takeUnits(state, value.text);
  }
}

const unitLabel =
  /^(?:reporting |presentation )?(?:units?|currency|scale|figures|amounts|einheit|w[äa]hrung|betr[äa]ge|unit[ée]s?|devise|monnaie|montants|unidad(?:es)?|moneda|divisa|importes|unit[àa]|valuta|importi|eenheid|bedragen)(?: (?:and|und|et|y|e|en) \p{L}+)?\s?:?$/iu;
