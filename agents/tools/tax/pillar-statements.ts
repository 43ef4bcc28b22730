/** GloBE effective rates and top-up taxes that a document states, by jurisdiction. */
import { multiply, parseRational, type Rational, rational, zero } from '../financial/rational.ts';
import { findAmounts } from '../text/amounts.ts';
import { findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';
import { countriesIn, countryOf } from './countries.ts';
import { figureRow } from './figure-rows.ts';
import { foldText } from './fold.ts';
import type { Layout, Line, Segment } from './layout.ts';
import { taxSentences } from './sentences.ts';
import { unitIn, unitOfTable } from './unit-of-table.ts';

export interface StatedTopUp extends Range {
  /** ISO 3166 alpha-2, lower case. */
  readonly country: string;
  /** In percent. */
  readonly rate?: Rational;
  /** In whole units. */
  readonly tax?: Rational;
  readonly currency?: string;
}

const topic =
  /pillar (?:two|2|ii)|globe|top-?up|mindeststeuer|mindestbesteuerung|pilier (?:deux|2)|impot complementaire|imposta integrativa|impuesto complementario|bijheffing|erganzungssteuer|suppleringsskatt|tillaggsskatt/;
const rateHead =
  /\b(?:effective|etr|globe rate|effektive[rsnm]?|effektiv|effectif|effettiva|efectivo|effectief|tax rate|steuersatz|rate)\b/;
const taxHead =
  /\b(?:top-?up|topup|qdmtt|iir|erganzungssteuer|nachsteuer|mindeststeuer|impot complementaire|imposta integrativa|impuesto complementario|bijheffing|suppleringsskatt|tillaggsskatt)\b/;

export function findStatedTopUps(layout: Layout): StatedTopUp[] {
  if (!topic.test(foldText(layout.document.text))) return [];
  const found = [...tableTopUps(layout), ...sentenceTopUps(layout)];
  const byCountry = new Map<string, StatedTopUp>();
  for (const each of found) {
    const known = byCountry.get(each.country);
    if (known === undefined) byCountry.set(each.country, each);
    else byCountry.set(each.country, { ...each, ...known });
  }
  return [...byCountry.values()];
}

function tableTopUps(layout: Layout): StatedTopUp[] {
  const found: StatedTopUp[] = [];
  for (const line of layout.lines) {
    const columns = line.segments.filter(({ text }) => text.length < 70 && !/^\d/.test(text));
    const rate = columns.find(
      ({ folded }) => rateHead.test(folded) && !taxHead.test(folded) && !/minimum|safe harbour|simplified/.test(folded),
    );
    const tax = columns.find(({ folded }) => taxHead.test(folded) && !/rate|percentage|%|satz/.test(folded));
    if (tax === undefined && rate === undefined) continue;
    if (tax === undefined && !/globe|etr/.test(rate!.folded)) continue;
    if (line.segments.length === 1 && line.segments[0]!.text.length > 60) continue;
    // The rate of the safe harbour, where a jurisdiction has no other.
    const harbour = columns.find(({ folded }) => rateHead.test(folded) && /safe harbour|simplified/.test(folded));
    found.push(...rowsUnder(layout, line, [rate, harbour], tax));
  }
  return found;
}

function rowsUnder(
  layout: Layout,
  head: Line,
  rateHeadCells: readonly (Segment | undefined)[],
  taxHeadCell: Segment | undefined,
): StatedTopUp[] {
  const unit = unitOfTable(layout, head.index, head.index);
  const found: StatedTopUp[] = [];
  let misses = 0;
  for (let at = head.index + 1; at < Math.min(layout.lines.length, head.index + 80) && misses < 3; at += 1) {
    const line = layout.lines[at]!;
    const row = line.end - line.start > 300 ? undefined : figureRow(layout, line, '', 'any');
    const name = line.segments.find(({ text }) => /\p{L}{2}/u.test(text) && text.length <= 60);
    const country = row === undefined || name === undefined ? undefined : countryOf(name.text);
    if (row === undefined || country === undefined) {
      misses += /total|summe/i.test(row?.label ?? '') ? 0 : 1;
      continue;
    }
    const near = (cell: Segment | undefined) => {
      if (cell === undefined) return undefined;
      const distance = ({ from, to, grid }: Segment) => {
        if (grid !== cell.grid) return undefined;
        if (Math.min(to, cell.to) > Math.max(from, cell.from)) return -1;
        // In a grid, a figure outside the column is of another one.
        return grid === 0 ? Math.abs(to - cell.to) : undefined;
      };
      return row.figures
        .flatMap((figure) => {
          const far = distance(figure.segment);
          return far === undefined ? [] : [{ figure, far }];
        })
        .sort((a, b) => a.far - b.far)[0]?.figure;
    };
    const rate = rateHeadCells.map(near).find((figure) => figure?.value !== undefined);
    const tax = near(taxHeadCell);
    const printed = tax === undefined || tax === rate || tax.isPercent ? undefined : (tax.value ?? zero);
    const value = printed ?? (taxHeadCell !== undefined && isNoneBelow(taxHeadCell, line) ? zero : undefined);
    const currency = unit.currency ?? (tax === undefined ? undefined : unitIn(tax.segment.folded).currency);
    const stated = rate?.value === undefined || (tax === rate && !rate.isPercent) ? undefined : rate.value;
    if (stated === undefined && value === undefined) continue;
    found.push({
      country,
      start: line.start,
      end: line.end,
      ...(stated === undefined ? {} : { rate: stated }),
      ...(value === undefined ? {} : { tax: multiply(value, rational(10n ** BigInt(unit.zeros))) }),
      ...(value === undefined || printed === undefined || currency === undefined ? {} : { currency }),
    });
  }
  return found;
}

/** "None" in the column of the tax. */
function isNoneBelow({ from, to, grid }: Segment, { segments }: Line): boolean {
  return segments.some(
    (segment) =>
      segment.grid === grid &&
      Math.min(segment.to, to) > Math.max(segment.from, from) &&
      /^(?:none|nil|zero|keine?|aucune?|nessun[ao]?|ningun[oa]?|geen|ingen|inget|brak|nenhum)$/.test(segment.folded),
  );
}

const noTax =
  /\b(?:no (?:[a-z-]+ ){0,3}top-?up (?:tax )?|without top-?up|no liability|nil|keine (?:[a-z-]+ ){0,2}(?:erganzungssteuer|mindeststeuer|top-?up)|aucun impot complementaire|nessuna imposta integrativa|geen bijheffing|ingen suppleringsskatt|ingen tillaggsskatt|top-?up tax (?:is|was|of) (?:nil|zero|not due))\b/;
const others =
  /\b(?:peers?|competitors?|statutory|enacted|minimum rate|corporate income tax of|expected|forecast|budget|next year|would|could|if|safe harbour (?:rate|etr)|simplified|prior year|wettbewerber|erwartet|vorjahr)\b/;

/** "The effective rate in Ireland was 13.1 %, so that top-up tax of EUR 402 thousand is due"; "Switzerland, for which no top-up tax is due". */
function sentenceTopUps({ document }: Layout): StatedTopUp[] {
  const { text, tables, decimalMark } = document;
  const sentences = taxSentences(document);
  return sentences.flatMap((sentence): StatedTopUp[] => {
    if (
      sentence.end - sentence.start > 600 ||
      tables.some(({ start, end }) => start <= sentence.start && sentence.end <= end)
    )
      return [];
    const shown = text.slice(sentence.start, sentence.end).replaceAll('\n', ' ');
    const folded = foldText(shown);
    if (!taxHead.test(folded) && !/globe|etr/.test(folded)) return [];
    const countries = countriesIn(folded);
    if (countries.length === 0 || others.test(folded)) return [];
    if (noTax.test(folded)) {
      const at = noTax.exec(folded)!.index;
      const named = countries.filter(({ start }) => Math.abs(start - at) < 120);
      return named.map(({ code }) => ({
        country: code,
        tax: zero,
        start: sentence.start,
        end: sentence.end,
        ...rateOf(shown, folded, decimalMark, named.length),
      }));
    }
    if (new Set(countries.map(({ code }) => code)).size !== 1) return [];
    const rate = rateOf(shown, folded, decimalMark, 1);
    const amount = findAmounts(shown, { decimalMark }).find(({ start }) =>
      taxHead.test(folded.slice(Math.max(0, start - 70), start + 60)),
    );
    const tax = amount === undefined ? undefined : parseRational(amount.value);
    if (rate.rate === undefined && tax === undefined) return [];
    return [
      {
        country: countries[0]!.code,
        start: sentence.start,
        end: sentence.end,
        ...rate,
        ...(tax === undefined ? {} : { tax }),
        ...(amount?.currency === undefined || tax === undefined ? {} : { currency: amount.currency }),
      },
    ];
  });
}

function rateOf(
  shown: string,
  folded: string,
  decimalMark: '.' | ',' | undefined,
  countries: number,
): { readonly rate?: Rational } {
  if (countries !== 1) return {};
  const percent = findPercents(shown, { decimalMark }).find(({ start }) =>
    /(?:effective|etr|globe|effektiv|effectif|effettiv|efectiv|effectief)[^%]{0,60}$/.test(
      folded.slice(Math.max(0, start - 70), start),
    ),
  );
  const rate = percent === undefined ? undefined : parseRational(percent.value);
  return rate === undefined ? {} : { rate };
}
