/** Taxes that a document reports as withheld from a payment: income, country, rate, amount and treaty article. */
import { findAmounts } from '../text/amounts.ts';
import { findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';
import { countriesIn } from './countries.ts';
import { foldText, phraseShape } from './fold.ts';
import type { Layout } from './layout.ts';

export type Income = 'dividend' | 'interest' | 'royalty' | 'service-fee';

export interface Withholding extends Range {
  readonly income?: Income;
  /** ISO 3166 alpha-2, lower case. */
  readonly country?: string;
  /** Decimal texts. */
  readonly rate: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly article?: string;
}

const withheld = phraseShape(
  'withholding tax|withholding taxes|wht|tax withheld|withheld|withholds|withhold|tax at source|quellensteuer*|kapitalertragsteuer*|verrechnungssteuer*|einbehalten*|steuerabzug*|abzugsteuer|retenue a la source|retenues a la source|prelevement a la source|ritenuta|ritenute|trattenuta|retencion|retenciones|retenido|bronbelasting|dividendbelasting|ingehouden|kildeskatt*|kildeskat*|udbytteskat|kupongskatt|podatek u zrodla|pobrano podatek|srazkova dan|srazkove dane|retencao na fonte|lahdevero',
);
const incomes: readonly (readonly [Income, RegExp])[] = (
  [
    [
      'dividend',
      'dividend*|dividende*|dividendo*|ausschuttung*|gewinnausschuttung*|utbytte*|utdelning*|udbytte*|dywidend*',
    ],
    [
      'royalty',
      'royalt*|licence fee*|license fee*|licence*|license*|lizenz*|redevance*|canone*|canoni|canon|canones|royalties|licentie*|lisens*|licens*|naleznosci licencyjn*|licencni*',
    ],
    ['interest', 'interest|interests|zins*|interet*|interess*|interes*|rente*|renter|ranta|rantor|odsetk*|urok*|juros'],
    [
      'service-fee',
      'service fee*|services|technical service*|management fee*|technical fee*|consultancy|dienstleistung*|vergutung*|honorar*|prestations de services|servizi|servicios|diensten|tjenester|tjanster|uslug*',
    ],
  ] as const
).map(([income, phrases]) => [income, phraseShape(phrases, 'g')] as const);

/** What does not apply to the payment, or is only supposed. */
const unapplied = phraseShape(
  'no tax is withheld|not withheld|no withholding|without|would|could|should|were|if|unless|up to|available only|not applied|not apply|does not apply|not available|only where|only if|kein*|nicht|wurde nicht|ware|ohne|falls|wenn|bis zu|hatte|aucune|sans|serait|n est pas|si|jusqu a|non|nessuna|senza|sarebbe|ninguna|sin|seria|geen|zonder|zou|ingen|uten|ville|nie|bez|undistributed|proposed|maximum|ceiling|instead of|statt|lower rate|reduced rate would|general rate|domestic rate of|domestic law rate',
);
const article =
  /\b(?:art(?:icle|ikel|icolo|iculo|\.)?|abs)\.?\s?(1[0-3]|7|14)\s?(?:\(\d\)(?:\s?\([a-z]\))?|(?:abs\.?|paragraph|para|par\.?|§)\s?\d(?:\s?(?:lit\.?|\(|buchst\.?)\s?[a-z]\)?)?)/;

export function findWithholdings(layout: Layout): Withholding[] {
  const { document } = layout;
  const found: Withholding[] = [];
  for (const unit of document.sentences) {
    if (unit.end - unit.start > 700) continue;
    const shown = document.text.slice(unit.start, unit.end).replaceAll('\n', ' ').replaceAll('\t', '  ');
    const folded = foldText(shown);
    if (!withheld.test(folded)) continue;
    const statement = clauseOf(folded);
    if (statement === undefined) continue;
    const percents = findPercents(shown.slice(statement.start, statement.end), { decimalMark: document.decimalMark });
    const [percent] = percents;
    if (percent === undefined || percents.length > 2) continue;
    const own = { start: unit.start + statement.start, end: unit.start + statement.end };
    found.push({
      ...own,
      rate: percent.value,
      ...contextOf(layout, unit, shown, folded, statement, percent.end + statement.start),
    });
  }
  return found;
}

/** The clause that names the tax and its rate; undefined if it is denied or supposed. */
function clauseOf(folded: string): Range | undefined {
  let at = 0;
  for (const part of folded.split(/(;|\. |, (?:and|but|while|und|aber|et|mais) )/)) {
    const range = { start: at, end: at + part.length };
    at += part.length;
    if (withheld.test(part) && /%|per ?cent|prozent/.test(part)) return unapplied.test(part) ? undefined : range;
  }
  return undefined;
}

function contextOf(
  layout: Layout,
  unit: Range,
  shown: string,
  folded: string,
  clause: Range,
  from: number,
): Omit<Withholding, 'rate' | 'start' | 'end'> {
  const { document, lines } = layout;
  const amounts = findAmounts(shown, { decimalMark: document.decimalMark }).filter(
    ({ start }) => start >= clause.start && start < clause.end,
  );
  const line = lines.findIndex(({ end }) => end >= unit.start);
  const near = lines
    .slice(Math.max(0, line - 12), line + 8)
    .map((each) => each.segments.map((segment) => segment.folded).join(' '));
  const beforeText = near.slice(0, Math.min(12, line)).join(' ');
  const behind = near.slice(Math.min(12, line)).join(' ');
  const income = incomeIn(folded) ?? incomeIn(beforeText, true);
  const country = countriesIn(folded.slice(clause.start, clause.end))[0]?.code ?? countriesIn(folded)[0]?.code;
  const tax = amounts.find(({ start }) => start >= from - 1) ?? (amounts.length === 1 ? amounts[0] : undefined);
  const cited = article.exec(folded)?.[0] ?? article.exec(behind.slice(0, 400))?.[0];
  return {
    ...(income === undefined ? {} : { income }),
    ...(country === undefined ? {} : { country }),
    ...(tax === undefined
      ? {}
      : { amount: tax.value, ...(tax.currency === undefined ? {} : { currency: tax.currency }) }),
    ...(cited === undefined ? {} : { article: articleOf(cited) }),
  };
}

function incomeIn(folded: string, last = false): Income | undefined {
  let best: { income: Income; at: number } | undefined;
  for (const [income, shape] of incomes) {
    const all = [...folded.matchAll(shape)];
    const match = last ? all.at(-1) : all[0];
    if (match !== undefined && (best === undefined || (last ? match.index > best.at : match.index < best.at)))
      best = { income, at: match.index };
  }
  return best?.income;
}

/** "Article 10 (2) (b)" and "Art. 10 Abs. 2 lit. b" are 10(2)(b). */
function articleOf(shown: string): string {
  const [number = '', paragraph, letter] = shown.match(/\d{1,2}|(?<=[\s(.])[a-z](?=\)|$)/g) ?? [];
  return `${number}${paragraph === undefined ? '' : `(${paragraph})`}${letter === undefined ? '' : `(${letter})`}`;
}
