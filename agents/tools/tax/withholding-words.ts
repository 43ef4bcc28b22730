/** The words of taxes that are withheld from payments: the tax, the kind of income, the gross amount, the article of a treaty. */
import type { Rational } from '../financial/rational.ts';
import type { Range } from '../text/span.ts';
import { phraseShape } from './fold.ts';

export type Income = 'dividend' | 'interest' | 'royalty' | 'service-fee';

/** A tax that a document says is withheld from a payment. */
export interface Withholding extends Range {
  readonly income?: Income;
  /** ISO 3166 alpha-2, lower case. */
  readonly country?: string;
  /** Decimal text. */
  readonly rate: string;
  readonly amount?: Rational;
  /** The payment from which it is withheld. */
  readonly gross?: Rational;
  readonly currency?: string;
  readonly article?: string;
}

/** A tax at source, or the act of withholding it. */
export const withheld = phraseShape(
  'withholding tax|withholding taxes|wht|tax withheld|tax deducted|withheld|withholds|withhold|tax at source|quellensteuer*|kapitalertragsteuer*|kapest|verrechnungssteuer*|einbehalten*|steuerabzug*|abzugsteuer|retenue a la source|retenues a la source|prelevement a la source|precompte mobilier|ritenuta|ritenute|trattenuta|retencion|retenciones|retenido|bronbelasting|dividendbelasting|roerende voorheffing|ingehouden|kildeskatt*|kildeskat*|udbytteskat|kupongskatt|podatek u zrodla|pobrano podatek|srazkova dan|srazkove dane|retencao na fonte|lahdevero',
);

const incomes: readonly (readonly [Income, RegExp])[] = (
  [
    [
      'dividend',
      'dividend*|dividende*|dividendo*|bruttodividende*|dividendenertrag*|ausschuttung*|gewinnausschuttung*|utbytte*|utdelning*|udbytte*|dywidend*|dividendbelasting',
    ],
    [
      'royalty',
      'royalt*|licence fee*|license fee*|licence*|license*|lizenz*|redevance*|canone*|canoni|canon|canones|royalties|licentie*|lisens*|licens*|naleznosci licencyjn*|licencni*',
    ],
    [
      'interest',
      'interest|interests|zins*|bruttozins*|darlehenszins*|interet*|interess*|interes*|rente*|renter|ranta|rantor|odsetk*|urok*|juros',
    ],
    [
      'service-fee',
      'service fee*|services|technical service*|management fee*|technical fee*|consultancy|consulting fee*|dienstleistung*|vergutung*|honorar*|honoraire*|prestations de services|servizi|servicios|diensten|tjenester|tjanster|uslug*',
    ],
  ] as const
).map(([income, phrases]) => [income, phraseShape(phrases, 'g')] as const);

/** The first kind of income that is named, or the last. */
export function incomeIn(folded: string, last = false): Income | undefined {
  let best: { income: Income; at: number } | undefined;
  for (const [income, shape] of incomes) {
    const all = [...folded.matchAll(shape)];
    const match = last ? all.at(-1) : all[0];
    if (match !== undefined && (best === undefined || (last ? match.index > best.at : match.index < best.at)))
      best = { income, at: match.index };
  }
  return best?.income;
}

/** What does not apply to the payment, or is only supposed. */
export const unapplied = phraseShape(
  'no tax is withheld|not withheld|no withholding|without|would|could|should|were|if|unless|up to|available only|not applied|not apply|does not apply|not available|only where|only if|kein*|nicht|wurde nicht|ware|ohne|falls|wenn|bis zu|hatte|aucune|sans|serait|n est pas|si|jusqu a|non|nessuna|senza|sarebbe|ninguna|sin|seria|geen|zonder|zou|ingen|uten|ville|nie|bez|undistributed|proposed|ya no|no longer|nicht mehr|ne plus|plus applicable|non piu|niet meer|juz nie|erhebt|levies|imposes|percoit|preleve|applica|grava|heft|maximum|ceiling|instead of|statt|lower rate|reduced rate would|general rate|domestic rate of|domestic law rate|under domestic law|treaty limits|limits it|limits the|nach nationalem recht|en droit interne|secondo il diritto interno',
);

/** Taxes whose name belongs to one state. Source: the states' own acts on taxes at source. */
const statesOfTaxes: readonly (readonly [string, RegExp])[] = (
  [
    ['be', 'precompte mobilier|roerende voorheffing'],
    ['ch', 'verrechnungssteuer*'],
    ['cz', 'srazkova dan|srazkove dane'],
    ['de', 'solidaritatszuschlag'],
    ['dk', 'udbytteskat'],
    ['es', 'retencion|retenciones|irnr'],
    ['it', 'ritenuta|ritenute'],
    ['nl', 'dividendbelasting|bronbelasting'],
    ['no', 'kildeskatt'],
    ['pl', 'podatek u zrodla'],
    ['pt', 'retencao na fonte'],
    ['se', 'kupongskatt'],
  ] as const
).map(([code, phrases]) => [code, phraseShape(phrases)] as const);

export function stateOfTax(folded: string): string | undefined {
  return statesOfTaxes.find(([, shape]) => shape.test(folded))?.[0];
}

const article =
  /\b(?:art(?:icle|ikel|icolo|iculo|\.)?|abs)\.?\s?(1[0-3]|7|14)\s?(?:\(\d\)(?:\s?\([a-z]\))?|(?:abs\.?|paragraph|para|par\.?|§)\s?\d(?:\s?(?:lit\.?|\(|buchst\.?)\s?[a-z]\)?)?)/;

/** "Article 10 (2) (b)" and "Art. 10 Abs. 2 lit. b" are 10(2)(b). */
export function articleIn(folded: string): string | undefined {
  const cited = article.exec(folded)?.[0];
  if (cited === undefined) return undefined;
  const [number = '', paragraph, letter] = cited.match(/\d{1,2}|(?<=[\s(.])[a-z](?=\)|$)/g) ?? [];
  return `${number}${paragraph === undefined ? '' : `(${paragraph})`}${letter === undefined ? '' : `(${letter})`}`;
}

/** The payment before tax. */
export const grossWord = phraseShape(
  'gross|gross amount|gross payment|gross dividend|amount paid|payment|taxable amount|base|bruttobetrag*|brutto*|bemessungsgrundlage|zahlung|montant brut|brut|importo lordo|lordo|imponibile|importe bruto|integro|integra|bruto|brutobedrag|bruttobelop|bruttobelopp|kwota brutto|podstawa|hruba castka|montante bruto|amount',
);

/** A head or label of a rate. */
export const rateWord = phraseShape(
  'rate|rates|wht rate|tax rate|satz|steuersatz|taux|aliquota|tipo|tarief|tarif|sats|skattesats|stawka|sazba|taxa|%|pct',
);

/** What is left after the tax, which no head of a tax may be. */
export const netWord = phraseShape(
  'net|netto*|net paid|net amount|auszahlung*|net verse|montant net|importo netto|liquido|neto|uitbetaald|refund|reclaim|refundable|erstattung*|excess|relief|credit|creditable|anrechenbar*|treaty|treaty rate|domestic rate|statutory rate|maximum',
);
