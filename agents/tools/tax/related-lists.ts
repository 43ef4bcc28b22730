/**
 * Transactions with related parties outside tables with a column of parties: a column for each party, parties below the name of a
 * transaction ("Sales of goods to:"), and blocks with a line for the counterparty and one for the amount.
 */
import { parseRational, type Rational } from '../financial/rational.ts';
import { findAmounts } from '../text/amounts.ts';
import { cleanName, companyIn, endsWithForm } from './companies.ts';
import { figureRow } from './figure-rows.ts';
import { foldText } from './fold.ts';
import type { Layout, Line, Segment } from './layout.ts';
import { partyLabel, type RelatedTransaction, type TransactionType, transactionType } from './related-parties.ts';
import { unitIn, unitOfTable } from './unit-of-table.ts';

/** What shows that a document is about transactions within a group. */
export const aboutGroup =
  /related part|controlled transaction|intercompany|intra-?group|transfer pric|associated enterprise|nahestehend|verbundene[nrs]? unternehmen|verrechnungspreis|parties liees|entreprises liees|transactions controlees|prix de transfert|parti correlate|prezzi di trasferimento|partes vinculadas|precios de transferencia|verbonden partij|verrekenprij|naerstaende|narstaende|internpris|podmiot\w* powiazan|cen\w* transferow|local file/;

export function listedTransactions(layout: Layout): RelatedTransaction[] {
  if (!aboutGroup.test(foldText(layout.document.text.slice(0, 60_000)))) return [];
  return [...columnTransactions(layout), ...leadTransactions(layout), ...blockTransactions(layout)];
}

/** Lines below a head at most. */
const linesMax = 40;

const third = /third part|dritte|tiers|terzi|terceros|derden|total|summe|threshold|budget|plan|prior|vorjahr/;

/** "Type | Alder GmbH | Alder SAS": the amounts of each party below its name. */
function columnTransactions(layout: Layout): RelatedTransaction[] {
  return layout.lines.flatMap(({ segments, index }): RelatedTransaction[] => {
    const parties = segments.filter(({ text }) => text.length <= 60 && companyIn(text) !== undefined);
    if (parties.length < 2 || segments.length - parties.length !== 1 || parties.includes(segments[0]!)) return [];
    const found: RelatedTransaction[] = [];
    for (const line of layout.lines.slice(index + 1, index + 1 + linesMax)) {
      const row = figureRow(layout, line);
      if (row === undefined || line.segments.length > segments.length) break;
      const type = third.test(row.folded) ? undefined : statedType(row.folded);
      if (type === undefined) continue;
      const unit = { ...unitOfTable(layout, line.index, line.index), ...unitIn(row.folded) };
      for (const { value, isPercent, segment, start, end } of row.figures) {
        const party = parties.find((each) => overlaps(each, segment));
        if (party === undefined || value === undefined || isPercent || value.numerator === 0n) continue;
        found.push({ counterparty: companyIn(party.text)!, type, amount: positive(value), unit, start, end });
      }
    }
    return found;
  });
}

function overlaps(head: Segment, cell: Segment): boolean {
  return head.grid === cell.grid && Math.min(head.to, cell.to) > Math.max(head.from, cell.from);
}

/** "Sales of goods to:", above lines with a company and its amount. */
function leadTransactions(layout: Layout): RelatedTransaction[] {
  const found: RelatedTransaction[] = [];
  let type: TransactionType | undefined;
  for (const line of layout.lines) {
    const [only] = line.segments;
    const row = figureRow(layout, line);
    if (row === undefined) {
      const isLead =
        line.segments.length === 1 && only!.text.length <= 80 && /:$|\b(?:to|from|by|an|von|a|de)$/.test(only!.folded);
      type = isLead && !third.test(only!.folded) ? statedType(only!.folded) : undefined;
      continue;
    }
    const amounts = row.figures.filter(({ isPercent }) => !isPercent);
    const [amount] = amounts;
    // Of two figures, it is not certain which one is of the year.
    if (type === undefined || amounts.length !== 1 || amount?.value === undefined) continue;
    if (!endsWithForm(row.label) || companyIn(row.label) === undefined) continue;
    const unit = unitOfTable(layout, line.index, line.index);
    found.push({
      counterparty: companyIn(row.label)!,
      type,
      amount: positive(amount.value),
      unit,
      start: line.start,
      end: line.end,
    });
  }
  return found;
}

const labelled = /^([^:]{3,48}):\s{0,8}(\S.{2,120})$/u;

/** "Counterparty: Alder GmbH" and "Amount: EUR 4,180,000", below the name of the transaction. */
function blockTransactions({ document, lines }: Layout): RelatedTransaction[] {
  const shownOf = ({ start, end }: Line) => document.text.slice(start, Math.min(end, start + 200)).trim();
  return lines.flatMap((line, index): RelatedTransaction[] => {
    const [, label = '', value = ''] = labelled.exec(shownOf(line)) ?? [];
    const counterparty = partyLabel.test(foldText(label)) ? companyIn(value) : undefined;
    const above = lines[index - 1];
    if (counterparty === undefined || above === undefined || labelled.test(shownOf(above))) return [];
    for (const below of lines.slice(index + 1, index + 5)) {
      const [, name = '', figure = ''] = labelled.exec(shownOf(below)) ?? [];
      if (name === '' || partyLabel.test(foldText(name))) return [];
      const amounts = findAmounts(figure, { decimalMark: document.decimalMark });
      const [amount] = amounts;
      if (amounts.length !== 1 || amount?.currency === undefined || third.test(foldText(name))) continue;
      const parsed = parseRational(amount.value);
      const type = statedType(foldText(`${shownOf(above)} ${name}`));
      if (parsed === undefined || type === undefined) return [];
      return [
        {
          counterparty: cleanName(counterparty),
          type,
          amount: positive(parsed),
          unit: { zeros: 0, currency: amount.currency },
          start: line.start,
          end: below.end,
        },
      ];
    }
    return [];
  });
}

function statedType(folded: string): TransactionType | undefined {
  const type = transactionType(folded);
  return type === 'other' ? undefined : type;
}

function positive(value: Rational): Rational {
  return value.numerator < 0n ? { ...value, numerator: -value.numerator } : value;
}
