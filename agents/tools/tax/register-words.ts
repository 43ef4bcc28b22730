/** Words for the columns of invoice registers, folded; in the languages of Europe. */
import { columnRoleOf } from './amount-words.ts';
import { phraseShape } from './fold.ts';
import { dateRoleOfLabel } from './invoice-words.ts';

export type Column =
  | 'number'
  | 'issue'
  | 'supply'
  | 'due'
  | 'seller'
  | 'buyer'
  | 'party'
  | 'currency'
  | 'net'
  | 'rate'
  | 'tax'
  | 'gross'
  | 'type'
  | 'remark'
  | 'other';

const columnWords: readonly (readonly [Column, RegExp])[] = (
  [
    [
      'other',
      'data reg|data registr|data rejestracji|reg date|date comptable|date de comptabilisation|date d enregistrement|date saisie|lfd nr|lp|pos|prot|protocollo|data protocollo|bokforingsdatum|bokforingsdag|bokforingsdato|bilagsdato|data wplywu|data otrzymania|data ksiegowania|datum zauctovani|datum uctovani|datum zaplaceni|boekdatum|boekingsdatum|ontvangstdatum|due amount|open amount|vat id|vat no|vat number|vat reg no|vat registration|ust id|ust idnr|uid|nif|nif iva|cif|partita iva|p iva proveedor|n tva|nip|dic|ico|btw nummer|btw nr|moms nr|org nr|account|konto|cost centre|kostenstelle|kst|booking date|buchungsdatum|posting date|entry date|received|eingang|eingangsdatum|data zaplaty|order|po|bestellung|pedido|our ref|paid|bezahlt|pagado|payment date|datum prijeti|fecha registro|fecha contable|fecha de registro|data registrazione|data di registrazione|protocollo|adresse|address|land|country|pais|kraj',
    ],
    [
      'number',
      'n doc|num doc|nr doc|no doc|doc nr|nr dok|nr faktury vat|fakt nr|fact nr|n fact|no fact|fra|n fra|inv|inv no|rg nr|rgnr|re nr|rechnung|rechnungs no|n ft|fatt n|n fatt|invoice no|invoice number|invoice|inv no|invoice id|document no|document number|document|doc no|number|rechnungsnummer|rechnungs nr|rechnung nr|rechnungsnr|re nr|belegnummer|beleg nr|beleg|facture n|n facture|no facture|numero de facture|numero facture|n de facture|piece|n piece|factura|n factura|no factura|num factura|numero factura|numero de factura|fattura|n fattura|numero fattura|num fattura|numero documento|n documento|num doc|factuurnummer|factuurnr|factuur|fakturanummer|fakturanr|faktura nr|faktura|numer faktury|nr faktury|numer dokumentu|nr dokumentu|cislo faktury|cislo dokladu|evidencni cislo|n da fatura|numero da fatura|fatura n|fatura|laskun numero|laskunumero|szamlaszam|bilagsnr|bilag|verifikation',
    ],
    ['currency', 'currency|curr|ccy|wahrung|waehrung|whg|devise|monnaie|divisa|moneda|valuta|mena|waluta|moeda'],
    [
      'remark',
      'remarks|remark|notes|note|comment|comments|bemerkung|bemerkungen|anmerkung|hinweis|text|buchungstext|observaciones|observacion|observations|remarques|note|annotazioni|descrizione|descripcion|concepto|description|opmerking|opmerkingen|omschrijving|merknad|merknader|anmarkning|poznamka|uwagi|observacoes|treatment|vat treatment|mva behandling|natura|regime|tax code|steuerschlussel',
    ],
    [
      'type',
      'soort document|documentsoort|dokumenttyp|dokumentart|vorgang|tipo de documento|type de document|type de piece|type dokument|bilagstype|rodzaj dokumentu|druh dokladu|type|document type|art|belegart|tipo documento|tipo doc|typ|nature|soort|clase',
    ],
    [
      'seller',
      'supplier|supplier name|vendor|vendor name|seller|lieferant|kreditor|kreditorname|fournisseur|fornitore|cedente|cedente prestatore|proveedor|leverancier|leverandor|leverantor|dostawca|sprzedawca|kontrahent sprzedawca|dodavatel|fornecedor|toimittaja|emisor',
    ],
    [
      'buyer',
      'customer|customer name|client|buyer|bill to|kunde|kundenname|debitor|debitorname|debtor|debtor name|debiteur|debiteurnaam|klantnaam|client name|nom du client|debiteur naam|destinataire|acheteur|cliente destinatario|abnehmer|cliente|cessionario|comprador|destinatario|klant|afnemer|kund|nabywca|odberatel|zakaznik|asiakas',
    ],
    [
      'party',
      'name|partner|business partner|geschaftspartner|kontrahent|tiers|controparte|contraparte|relatie|company|firma|ragione sociale|denominacion|razon social|nombre',
    ],
    [
      'rate',
      'rate|aliq|aliq iva|vat rate|vat %|tax rate|tax %|satz|steuersatz|ust satz|ust %|mwst satz|mwst %|taux|taux tva|tva %|tipo|tipo iva|tipo iva %|tipo impositivo|iva %|aliquota|aliquota iva|% iva|tarief|btw %|btw tarief|sats|moms %|momssats|mva %|mva sats|stawka|stawka vat|vat stawka|sazba|sazba dph|dph %|taxa|taxa iva|kanta|alv %|%',
    ],
    [
      'net',
      'net|net amount|net value|net total|taxable|taxable amount|taxable base|amount excl vat|amount ex vat|excl vat|ex vat|netto|nettobetrag|netto eur|nettowert|bemessungsgrundlage|montant ht|total ht|ht|base|base ht|base imponible|importe neto|imponibile|netto bedrag|bedrag excl|bedrag excl btw|excl btw|grondslag|grunnlag|netto belop|nettobelop|belop eks mva|belopp exkl moms|underlag|grundlag|wartosc netto|kwota netto|podstawa|zaklad|zaklad dane|base tributavel|incidencia|valor liquido|veroton',
    ],
    [
      'tax',
      'vat|vat amount|tax|tax amount|input tax|output tax|ust|ust betrag|mwst|mwst betrag|vorsteuer|umsatzsteuer|steuer|steuerbetrag|tva|montant tva|iva|cuota|cuota iva|imposta|importo iva|btw|btw bedrag|mva|mva belop|moms|momsbelopp|momsbelob|kwota vat|podatek|podatek vat|dph|dan|valor iva|alv',
    ],
    [
      'gross',
      'gross|gross amount|total|total amount|invoice total|amount incl vat|incl vat|brutto|bruttobetrag|gesamt|gesamtbetrag|rechnungsbetrag|ttc|montant ttc|total ttc|total factura|importe total|totale|totale documento|totale fattura|totaal|bedrag incl|bedrag incl btw|incl btw|brutto belop|belop inkl mva|belopp inkl moms|wartosc brutto|kwota brutto|razem|celkem|celkem s dph|total fatura|yhteensa|amount|betrag|montant|importe|bedrag|belop|belopp|kwota|castka',
    ],
  ] as const
).map(([column, phrases]) => [column, phraseShape(phrases)] as const);

const partyNumber =
  /(?<![a-z])(?:vat|ust|umsatzsteuer|tva|iva|btw|moms|mva|mwst|dph|alv|tax|steuer)[ .-]{0,2}(?:reg[a-z.]*[ -]?)?(?:id[a-z-]*|nr|no|number|nummer|num|numero)(?![a-z])|(?<![a-z])(?:customer|client|debtor|supplier|vendor|kunden|debitoren|kreditoren|lieferanten|klant|debiteur|crediteur|leverancier)[ .-]{0,2}(?:id|nr|no|number|nummer|code)(?![a-z])/;

/** The words that cover most of the header decide. */
export function columnOf(folded: string): Column | undefined {
  // "btw-nr debiteur" is no debtor: the number of a party, a column that no amount or name stands in.
  if (partyNumber.test(folded)) return 'other';
  const shown = folded
    .replace(
      /\((?:eur|usd|gbp|chf|€|£|\$|czk|pln|nok|sek|dkk)\)|\b(?:in )?(?:eur|chf|gbp|usd|pln|czk|nok|sek|dkk)\b|[€£$]/g,
      ' ',
    )
    .trim();
  if (shown === '' || shown.length > 60) return undefined;
  const date =
    /dat|fecha|date|venc|due|fallig|echeance|vervald|forfal|splatn|termin|tax point|duzp|leist|liefer|issued|scad|supply|delivery|wystaw|paiv|kelte/.test(
      shown,
    )
      ? dateRoleOfLabel(shown)
      : undefined;
  if (date !== undefined && date !== 'other' && !columnWords[0]![1].test(shown))
    return date === 'invoice-issue' ? 'issue' : date === 'supply' ? 'supply' : 'due';
  let best: { column: Column; length: number } | undefined;
  for (const [column, shape] of columnWords) {
    const match = shape.exec(shown);
    if (match !== null && (best === undefined || match[0].length > best.length))
      best = { column, length: match[0].length };
  }
  if (best?.column === 'tax' && shown.includes('%')) return 'rate';
  if (best !== undefined) return best.column;
  const role = columnRoleOf(shown);
  return role === 'net' || role === 'tax' || role === 'gross' || role === 'rate' ? role : undefined;
}
