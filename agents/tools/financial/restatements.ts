/** Figures of earlier periods that the document restates, in sentences and in tables of adjustments. */
import type { Range } from '../text/span.ts';
import { restatedPeriod } from './caption-periods.ts';
import type { DocumentReading } from './document-reading.ts';
import { itemOfLabel } from './labels.ts';
import { balanceItems, costItems, type LineItem } from './line-items.ts';
import { type ColumnPeriod, labelOf, periodOfHeadings, yearBefore } from './periods.ts';
import { splitSentencesOf } from './prose-ranges.ts';
import { findItems, findProseAmounts, flattened } from './prose-sentences.ts';
import { absolute, compare, multiply, negate, parseRational, type Rational, rational } from './rational.ts';
import { amountCell } from './table-rows.ts';

export interface Restatement extends Range {
  readonly item: LineItem;
  readonly reported: Rational;
  readonly restated: Rational;
  readonly period?: string;
}

/** A corrected figure: "from £224.6m to £221.3m" is no rise. */
export const restatedWord =
  /\b(?:restate[ds]?|restating|reclassified|revised from|angepasst|berichtigt|korrigiert|umgegliedert|retrait[ée]e?s?|reclass[ée]e?s?|corrig[ée]e?s?|reexpresad[oa]s?|rideterminat[oaie]|riclassificat[oaie]|rettificat[oaie]|herzien|aangepast|geherrubriceerd)\b/iu;
const denied =
  /\b(?:not|no|neither|nor|without|kein\w*|nicht|ohne|verzichtet|aucune?|ne sont pas|n.est intervenu|sans|ning[uú]n\w*|sin|nessun\w*|non|geen|niet)\b/iu;

export function readRestatements(reading: DocumentReading): Restatement[] {
  return [...restatedInSentences(reading), ...restatedInTables(reading), ...restatedInFacts(reading)].slice(0, 60);
}

/** "Revenue for the six months ended 30 June 2024 has been restated from £224.6m to £221.3m". */
function restatedInSentences(reading: DocumentReading): Restatement[] {
  const { document, calendar, itemLines } = reading;
  return splitSentencesOf(document, itemLines).flatMap(({ start, end }): Restatement[] => {
    const sentence = flattened(document.text.slice(start, end));
    const cue = restatedWord.exec(sentence);
    if (cue === null || denied.test(sentence.slice(Math.max(0, cue.index - 60), cue.index))) return [];
    const amounts = findProseAmounts(sentence, document.decimalMark, reading.declaredZeros);
    return findItems(sentence).flatMap(({ item, start: at, end: itemEnd }, index, items): Restatement[] => {
      const until = items[index + 1]?.start ?? sentence.length;
      const own = amounts.filter((amount) => amount.start >= itemEnd && amount.end <= until + 1);
      const pair = own.findIndex(
        (amount, nth) =>
          own[nth + 1] !== undefined &&
          /^,? ?(?:to|auf|[àa]|a|naar|instead of|rather than|statt|au lieu de) ?$/iu.test(
            sentence.slice(amount.end, own[nth + 1]!.start).trim(),
          ),
      );
      if (pair === -1) return [];
      const isReversed = /instead|rather|statt|au lieu/iu.test(sentence.slice(own[pair]!.end, own[pair + 1]!.start));
      const [first, second] = isReversed ? [own[pair + 1]!, own[pair]!] : [own[pair]!, own[pair + 1]!];
      const period = periodOf(sentence.slice(0, until), reading);
      const label = period === undefined ? undefined : labelOf(period, balanceItems.has(item), calendar);
      const [reported, value] = [parseRational(first.value), parseRational(second.value)];
      if (reported === undefined || value === undefined) return [];
      return [
        {
          item,
          reported,
          restated: value,
          ...(label === undefined ? {} : { period: label }),
          start: start + at,
          end: start + own[pair + 1]!.end,
        },
      ];
    });
  });
}

/** The period that the words name; else the one before the document's own period. */
function periodOf(text: string, { calendar }: DocumentReading): ColumnPeriod | undefined {
  const named = periodOfHeadings(
    [
      text.replace(
        /\b(?:net|growth|increase|decrease|changes?|adjust\w+|notes?|company|market|restated|gross)\b/giu,
        ' ',
      ),
    ],
    [],
    calendar,
  );
  if (named !== undefined && (named.end !== undefined || named.year !== undefined)) return named;
  const { end, months } = calendar;
  return end === undefined
    ? undefined
    : yearBefore({ end, isEstimate: false, ...(months === undefined ? {} : { months }) });
}

const reportedColumn =
  /as (?:previously|originally) (?:reported|stated|presented)|previously (?:reported|stated|presented)|as reported|originally reported|vor anpassung|wie berichtet|urspr[üu]nglich|publi[ée]|avant retraitement|antes|original|precedentemente|oorspronkelijk|zoals gerapporteerd|eerder gerapporteerd/iu;
const restatedColumn =
  /(?:as )?(?:restated|revised|recast|corrected|adjusted|reclassified)|nach anpassung|angepasst|retrait[ée]|apr[èe]s retraitement|reexpresad|rideterminat|herzien|aangepast/iu;

function restatedInTables(reading: DocumentReading): Restatement[] {
  const { calendar, document } = reading;
  return reading.tables.flatMap(({ table, captions, zeros, columns }): Restatement[] => {
    const headings = table.columns.map(({ headerCells }) => headerCells.map(({ text }) => text).join(' '));
    const before = headings.findIndex((text, index) => index > 0 && reportedColumn.test(text));
    const after = headings.findIndex(
      (text, index) =>
        index > 0 && index !== before && restatedColumn.test(text) && !/adjustments?|anpassung(?:en)?$/iu.test(text),
    );
    if (before === -1 || after === -1) return [];
    const dated =
      columns[after]?.period ?? periodOfHeadings([headings[after]!.replace(reportedColumn, ' ')], captions, calendar);
    const period = dated ?? restatedPeriod(captions, calendar);
    const hasEquity = table.rows.some(({ cells }) => cells[0] !== undefined && itemOfLabel(cells[0].text) === 'equity');
    return table.rows.flatMap(({ cells }): Restatement[] => {
      const named = cells[0] === undefined ? undefined : itemOfLabel(cells[0].text);
      // Without minority interests, the equity of the shareholders is all of it.
      const item = named === 'parent_equity' && !hasEquity ? 'equity' : named;
      const [first, second] = [cells[before], cells[after]].map((cell) =>
        cell === undefined ? undefined : amountCell(cell, document.decimalMark).value,
      );
      if (item === undefined || first === undefined || second === undefined || compare(first, second) === 0) return [];
      const isReversed = item === 'income_tax' && printsCostsNegative(reading, table.start);
      const factor = rational(10n ** BigInt(item.startsWith('eps') ? 0 : zeros));
      const value = (amount: Rational) =>
        multiply(
          costItems.has(item) || balanceItems.has(item) ? absolute(amount) : isReversed ? negate(amount) : amount,
          factor,
        );
      const label =
        period === undefined ? undefined : labelOf({ ...period, isEstimate: false }, balanceItems.has(item), calendar);
      return [
        {
          item,
          reported: value(first),
          restated: value(second),
          ...(label === undefined ? {} : { period: label }),
          start: cells[before]!.start,
          end: cells[after]!.end,
        },
      ];
    });
  });
}

/** One fact as previously reported, and the same fact as it is now. */
function restatedInFacts(reading: DocumentReading): Restatement[] {
  return reading.tables.flatMap(({ long }): Restatement[] => {
    return (long?.replaced ?? []).flatMap(({ item, label, value, start, end }): Restatement[] => {
      const now = long!.facts.find((fact) => fact.item === item && fact.label === label);
      return now === undefined || compare(now.value, value) === 0
        ? []
        : [{ item, reported: value, restated: now.value, period: label, start, end }];
    });
  });
}

/** Whether a statement prints its costs in parentheses, so that a tax charge is negative, too. */
function printsCostsNegative({ figures }: DocumentReading, table: number): boolean {
  const all = figures.filter(({ item, source }) => source === 'table' && costItems.has(item));
  const own = all.filter((figure) => figure.table === table);
  const costs = own.length > 0 ? own : all;
  return costs.length > 0 && costs.every(({ printedNegative }) => printedNegative);
}
