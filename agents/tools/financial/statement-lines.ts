/** Lines outside tables: captions, and items with their amounts on the same line. */
import type { Block } from '../../document/blocks.ts';
import type { Range } from '../text/span.ts';
import { captionPeriod } from './caption-periods.ts';
import { itemOfLabel } from './labels.ts';
import { readPeriodWords } from './period-words.ts';
import { yearBefore } from './periods.ts';
import { takeLine, takeMaturity } from './table-amounts.ts';
import { captionCharactersMax, captionsWith, linesOf, takeCaptionColumns, takeUnits } from './table-captions.ts';
import type { Column } from './table-columns.ts';
import { isYear, readRow } from './table-rows.ts';
import type { ReadingState } from './table-state.ts';

/** A caption, or an item with its amount on the same line. */
export function takeBlock(state: ReadingState, text: string, { start, end, kind }: Block) {
  const isProse =
    kind !== 'heading' &&
    kind !== 'field' &&
    isProseBlock(text.slice(start, Math.min(end, start + proseCharactersMax)));
  for (const line of linesOf(text, start, end)) {
    const shown = text.slice(line.start, Math.min(line.end, line.start + 1_000));
    const row =
      shown.length > captionCharactersMax || isSentence(shown) || amountAndUnit.test(shown)
        ? undefined
        : readRow(shown, line.start, state.decimalMark);
    const item = row === undefined ? undefined : itemOfLabel(row.label.replace(/:\s*$/, ''));
    const amounts = row?.cells.filter(({ value, text: cell }) => value !== undefined && !isYear(cell)) ?? [];
    if (takeMaturity(state, shown, line)) continue;
    const compared = row === undefined ? [] : comparedColumns(state, shown);
    // "Capex: 1,486 spent against a cap of 1,600" is a sentence.
    const isRow =
      compared.length > 0 ||
      amounts.slice(1).every(({ start: from }, index) => !/\p{L}{3}/u.test(text.slice(amounts[index]!.end, from)));
    if (row !== undefined && item !== undefined && amounts.length > 0 && isRow && !isSuperseded(state, line)) {
      state.itemLines.push(line);
      const dateAt = line.start + shown.indexOf('(');
      const own =
        compared.length === 0
          ? amounts
          : amounts.filter(({ start }, index) => start < dateAt || index === amounts.length - 1);
      takeLine(state, item, isInPence(shown) ? `${row.label} (p)` : row.label, own, compared);
      continue;
    }
    takeUnits(state, shown);
    if (isProse) continue;
    takeCaptionColumns(state, shown);
    if (kind === 'heading' || /^(?:Note|Item|Anlage|Anhang|Annexe) ?\d/i.test(shown)) state.topic = shown.slice(0, 120);
    state.captions = captionsWith(state.captions, text.slice(line.start, line.end));
  }
}

/** "24,6 M€ (21,9 M€ au S1 2024)" is read like a sentence. */
const amountAndUnit =
  /\d ?(?:M€|k€|Md€|(?:[mMtTkK]?(?:EUR|SEK|CHF|USD|GBP)\b)?(?: ?(?:m|mn|bn|million|billion|mio|mrd|mln|mld|milioni|miliardi|millones|millions?|milliards?|miljoen|miljard|miljoner|miljarder|tkr|mkr)\b))/u;

/** Lines of an older message below the figures of the answer. */
export function isSuperseded({ figures, quotations }: ReadingState, { start }: Range): boolean {
  return figures.length > 0 && quotations.some((range) => start >= range.start && start < range.end);
}

const proseCharactersMax = 4_000;
const proseCharactersMin = 60;

/** Sentences that do not introduce a table: their words and dates say nothing about the columns below. */
function isProseBlock(shown: string): boolean {
  return (
    shown.length >= proseCharactersMin &&
    /[.!?]["'’”»)\]]{0,2}\s*$/u.test(shown) &&
    /(?<!\p{L})\p{Ll}{3,}(?: \p{Ll}+){2}/u.test(shown) &&
    !introduction.test(shown)
  );
}

const introduction =
  /\b(?:following|table|as follows|below|folgende\w*|tabelle|wie folgt|suivants?|suivantes?|tableau|ci-(?:dessous|apr[èe]s)|siguientes?|tabla|seguent[ei]|tabella|volgende|tabel|f[öo]ljande|tabellen|f[øo]lgende|amounts|figures|betr[äa]ge|montants|importes|importi|bedragen|belopp)\b/iu;

/** "Net profit: 3,500 (2023: 3,190)": one amount for the period of the captions, and one for the period in parentheses. */
function comparedColumns(state: ReadingState, line: string): readonly Column[] {
  const named =
    /\(([^()\d]{0,24}(?:\d{1,2}\.? ?[\p{L}\d.]{1,10} )?(?:(?:19|20)\d\d|(?<=FY|GJ|[QH][1-4] ?)\d\d|(?<=[QH])[1-4] ?(?:20)?\d\d))\s?:/u.exec(
      line,
    )?.[1];
  const own = named === undefined ? undefined : captionPeriod(state.captions, state.calendar);
  const year =
    named === undefined ? undefined : (readPeriodWords(named).year ?? Number(/(?:19|20)\d\d/.exec(named)?.[0]));
  const end = own?.end;
  if (own === undefined || end === undefined || year !== Number(end.slice(0, 4)) - 1) return [];
  return [
    { period: own, isOther: false },
    { period: yearBefore(own), isOther: false },
  ];
}

/** "Basic earnings per share were 41.2 pence." is read as prose. */
function isSentence(line: string): boolean {
  return /\b(?:was|were|is|are|came to|amounted|rose|fell|grew|war|waren|betrug|betrugen|stieg|lag|est|était|ressort|atteint|fue|ascendió|è stato|ammonta|bedroeg|steeg)\b.*[.!?]["')\]]?\s{0,4}$/iu.test(
    line,
  );
}

/** "EPS 12.4p (2024: 11.0p)" */
function isInPence(line: string): boolean {
  return /\d ?p(?:ence)?(?![\p{L}\d])/u.test(line);
}
