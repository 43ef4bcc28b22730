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
  'withholding tax|withholding taxes|wht|tax withheld|tax deducted|withheld|withholds|withhold|tax at source|quellensteuer*|kapitalertragsteuer*|kapest|verrechnungssteuer*|einbehalten*|steuerabzug*|abzugsteuer|retenue a la source|retenues a la source|prelevement a la source|precompte mobilier|ritenuta|ritenute|trattenuta|retencion|retenciones|retenido|bronbelasting|dividendbelasting|roerende voorheffing|ingehouden|trattenut*|trattenere|trattiene|ha trattenuto|ha prelevato|retenu a la source|a retenu|ont retenu|ingehouden bronheffing|bronheffing*|ingehouden|retenid*|ha retenido|han retenido|innbehold*|innehall*|tilbageholdt|trukket kildeskatt|kildeskatt*|kildeskat*|udbytteskat|kupongskatt|kallskatt*|podatek u zrodla|podatku u zrodla|pobrano podatek|pobran*|potracon*|srazkova dan|srazkove dane|srazen*|retencao na fonte|retid*|lahdevero|impozit retinut|forrasado|porez po odbitku',
);

const incomes: readonly (readonly [Income, RegExp])[] = (
  [
    [
      'dividend',
      'dividend*|dividende*|dividendo*|bruttodividende*|dividendenertrag*|ausschuttung*|gewinnausschuttung*|utbytte*|utdelning*|udbytte*|dywidend*|dividendbelasting|kapitalertrag*|gewinnanteil*|osinko|dividendoer',
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
      'service fee*|services|technical service*|management fee*|technical fee*|consultancy|consulting|consulting fee*|advisory fee*|professional fee*|consulenz*|compens*|lavoro autonomo|honorario*|servicios profesionales|servizio|service|prestazion*|adviesdienst*|beheervergoeding*|radgivning*|konsult*|doradcz*|wynagrodzenie|actividad profesional|actividades profesionales|retencion irpf|dienstleistung*|vergutung*|honorar*|honoraire*|prestations de services|servizi|servicios|diensten|tjenester|tjanster|uslug*',
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
    ['de', 'solidaritatszuschlag|50a estg|43 estg|50a|bzst|steuerabzug nach 50a*'],
    ['dk', 'udbytteskat'],
    ['es', 'retencion|retenciones|irnr|irpf'],
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

const paragraphNoun =
  'abs\\.?|absatz|paragraphe?|paragrafo|para|par\\.?|§|apartado|apdo\\.?|lid|ust\\.?|odst\\.?|n\\.?|comma|stk\\.?|punkt|nr\\.?';
const letterNoun =
  'lit\\.?|litt\\.?|buchst\\.?|buchstabe|lett\\.?|lettera|letra|sous|onder|sub|point|litera|pism\\.?|bokstav|litra|alinea';
const ordinals: readonly RegExp[] = [
  'first|erster?|premier|primo|primer|eerste|forste|forsta',
  'second|zweiter?|deuxieme|secondo|segundo|tweede|andet|annet|andra',
  'third|dritter?|troisieme|terzo|tercer|derde|tredje',
  'fourth|vierter?|quatrieme|quarto|cuarto|vierde|fjerde',
].map((words) => new RegExp(`^(?:${words})$`));
const article = new RegExp(
  `\\b(?:art(?:icle|ikel|icolo|iculo|igo|ykul[a-z]{0,2}|\\.)?|abs|cl)\\.?\\s?(1[0-3]|7|14),?\\s?(?:\\((\\d)\\)|(?:${paragraphNoun}),?\\s?(\\d)(?!\\d)|([a-z]{4,9})\\s(?:lid|absatz|paragraphe|paragraph|comma|apartado|led|stykke))(?:,?\\s?(?:(?:${letterNoun})\\s?)?\\(?([a-h])\\)|,?\\s(?:${letterNoun})\\s?([a-h])(?![a-z]))?`,
);

/** "Article 10 (2) (b)", "Art. 10 Abs. 2 lit. b" and "artikel 10, tweede lid, onder b" are 10(2)(b). */
export function articleIn(folded: string): string | undefined {
  const match = article.exec(folded);
  if (match === null) return undefined;
  const [, number, bracketed, counted, word, first, second] = match;
  const inOrder = word === undefined ? -1 : ordinals.findIndex((shape) => shape.test(word));
  const paragraph = bracketed ?? counted ?? (inOrder === -1 ? undefined : String(inOrder + 1));
  const letter = first ?? second;
  return `${number}${paragraph === undefined ? '' : `(${paragraph})`}${letter === undefined ? '' : `(${letter})`}`;
}

/** The payment before tax. */
export const grossWord = phraseShape(
  'gross|gross amount|gross payment|gross dividend|amount paid|payment|taxable amount|base|bruttobetrag*|brutto*|bemessungsgrundlage|zahlung|montant brut|brut|importo lordo|lordo|imponibile|importe bruto|integro|integra|bruto|brutobedrag|bruttobelop|bruttobelopp|kwota brutto|podstawa|hruba castka|montante bruto|amount|vergutung*|entgelt*|kapitalertrage|hohe der kapitalertrage|betrag|ertrag|compenso|corrispettivo|importo|importe|base imponible|base de retencion|montant|assiette|bedrag|belop|belopp|kwota|wyplata|castka|grondslag',
);

/** A head or label of a rate. */
export const rateWord = phraseShape(
  'rate|rates|wht rate|tax rate|satz|steuersatz|taux|aliquota|tipo|tarief|tarif|sats|skattesats|stawka|sazba|taxa|%|pct',
);

/** What is left after the tax, which no head of a tax may be. */
export const netWord = phraseShape(
  'net|netto*|net paid|net amount|auszahlung*|net verse|montant net|importo netto|liquido|neto|uitbetaald|refund|reclaim|refundable|erstattung*|excess|relief|credit|creditable|anrechenbar*|treaty|treaty rate|domestic rate|statutory rate|maximum',
);
