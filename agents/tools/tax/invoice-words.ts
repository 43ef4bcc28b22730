/** Words of invoices in the languages of Europe, folded (lower case without accents). A blank also matches points and hyphens. */
import { phrasePattern, phraseShape } from './fold.ts';

export type InvoiceType = 'invoice' | 'credit-note' | 'pro-forma' | 'advance-payment';

/** Types of invoices by their titles, the more specific ones first. */
const titles: readonly (readonly [InvoiceType, string])[] = [
  [
    'pro-forma',
    'pro forma invoice|proforma invoice|pro forma|proforma|proforma rechnung|pro forma rechnung|proformarechnung|facture pro forma|facture proforma|fattura proforma|fattura pro forma|factura proforma|factura pro forma|fatura proforma|proforma factuur|pro forma factuur|proformafactuur|proformafaktura|proforma faktura|faktura proforma|faktura pro forma|proformalasku',
  ],
  [
    'credit-note',
    'credit note|vat credit note|credit memo|credit memorandum|credit invoice|corrective invoice|gutschrift|rechnungsgutschrift|rechnungskorrektur|korrekturrechnung|stornorechnung|storno|avoir|facture d avoir|note de credit|facture rectificative|nota di credito|nota credito|nota de credito|factura rectificativa|factura de abono|abono|rectificativa|creditfactuur|creditnota|kreditnota|kreditfaktura|kreditfaktur|kreditering|faktura korygujaca|korekta faktury|faktura korekta|dobropis|opravny danovy doklad|hyvityslasku|jovairo szamla|helyesbito szamla|factura storno|odobrenje',
  ],
  [
    'advance-payment',
    'advance payment invoice|advance invoice|prepayment invoice|deposit invoice|down payment invoice|request for payment on account|anzahlungsrechnung|vorauszahlungsrechnung|abschlagsrechnung|akontorechnung|facture d acompte|facture acompte|fattura di acconto|fattura d acconto|fattura di anticipo|factura de anticipo|factura anticipo|factura por anticipo|factura de adiantamento|voorschotfactuur|aanbetalingsfactuur|akontofaktura|acontofaktura|aconto faktura|a konto faktura|forskuddsfaktura|forskottsfaktura|faktura zaliczkowa|faktura zaliczka|zalohova faktura|zalohovy danovy doklad|danovy doklad k prijate platbe|ennakkolasku|eloleg szamla|elolegszamla',
  ],
  [
    'invoice',
    'invoice|honorarnote|tax invoice|vat invoice|self billed invoice|self billing invoice|commercial invoice|final invoice|interim invoice|consolidated invoice|summary invoice|service invoice|sammelrechnung|teilrechnung|monatsrechnung|facture finale|facture de solde|facture de vente|facture de regularisation|fattura di vendita|fattura elettronica|fattura accompagnatoria|autofattura|factura de venta|factura electronica|factura ordinaria|verkoopfactuur|verzamelfactuur|eindfactuur|salgsfaktura|sluttfaktura|samlefaktura|slutfaktura|slutfaktura|faktura koncowa|faktura zbiorcza|sales invoice|simplified invoice|rechnung|schlussrechnung|facture|fattura|fattura immediata|fattura differita|factura|factura simplificada|fatura|fatura recibo|factuur|faktura|faktura vat|faktura danovy doklad|danovy doklad|lasku|szamla|racun|faktur',
  ],
];

const typed = titles.map(([type, phrases]) => [type, phraseShape(phrases)] as const);
export const titleShape = new RegExp(titles.map(([, phrases]) => phrasePattern(phrases)).join('|'));

/** @param folded a title, or the words before a number */
export function invoiceTypeOf(folded: string): InvoiceType | undefined {
  return typed.find(([, shape]) => shape.test(folded))?.[0];
}

const numberWord =
  '(?:number|no|nr|num|numero|nummer|numer|cislo|cis|id|ref|reference|n(?![-/ ]?\\d)|c(?![-/ ]?\\d)|#|n°|nº|no°|№|numeri|numero|szam|sorszam|broj|nro|n\\.o|n\\.º)';
const titleWord = titles.map(([, phrases]) => phrasePattern(phrases)).join('|');

/** Words that identify a number as the invoice's own. */
const ownNumber =
  '(?:rechnungs?|beleg|gutschrifts?|gutschrift|invoice|inv|bill|credit note|credit memo|document|factuur|creditnota|creditfactuur|faktura?|fakture|kreditnota|facture|avoir|fattura|factura|fatura|documento|lasku|laskun|szamla|dokladu|faktury|faktur|re|rg|pro forma|proforma|racuna)';

/** A label of the invoice's own number at the beginning of a segment; what follows is the number. */
export const numberLabels: readonly RegExp[] = [
  new RegExp(
    `^(?:the )?(?:vat |tax |our |sales )?${ownNumber}[ -]?(?:s)?(?:nummer|numero|numer|nr|no|number|numer|num|id|numero|szam)(?![a-z])\\.?[ ]?[:#.]{0,2}`,
  ),
  new RegExp(`^${ownNumber}[ .-]{0,3}(?:n[°ºo]|nº|#|№|${numberWord})(?![a-z])\\.?[ ]?[:#.]{0,2}`),
  new RegExp(`^(?:${titleWord})[ ]?(?:[-–—/|,:]?[ ]?(?:${numberWord})(?![a-z])\\.?)[ ]?[:#.]{0,2}`),
  /^(?:numer|numero|num|nummer|cislo|n[°ºo]?|n\.|nr|no|evidencni cislo)\.?[ ](?:de |di |da |d'|du |van |der )?(?:la |de |the )?(?:facture|factura|fattura|fatura|faktury|dokladu|danoveho dokladu|documento|avoir|invoice|rechnung|factuur|faktura|fact|nota de credito|korekty)\.?[ ]?:?/,
  /^numar(?:ul)? factur[a-z]{0,3}[ ]?:?/,
];

/** A title directly followed by the number: "Rechnung 2026-1177", "FACTURE FA26-1". */
export const titledNumber = new RegExp(`^(?:${titleWord})[ ]?[:–—-]?[ ]`);

/** "No. INV-20931" on the line of the title, or directly below it. */
export const bareNumber = new RegExp(`^(?:${numberWord})(?![a-z])\\.?[ ]?[:.]?[ ]?`);

/** After these words, an invoice number is that of another invoice. */
export const otherInvoice = phraseShape(
  'original|origin|origine|originale|originalrechnung|ursprungsrechnung|ursprungliche|bezug|betrifft|betreff|bezuglich|zu|zur|zu unserer|our|your|ihre|unsere|ref|reference|in respect of|relating to|corrects|correcting|cancels|replaces|storniert|korrigiert|rectifica|rectificada|factura rectificada|annule|relative a|concerne|riferimento|rif|rettifica|oprava|opravovany|puvodni|puvodniho|povodna|korygowana|korygowanej|do faktury|dotyczy|betreft|oorspronkelijke|vedr|vedrorende|gjelder|avser|opprinnelig|ursprunglig|previous|prior|betalningsreferens',
);

export type DateRole = 'invoice-issue' | 'supply' | 'payment-due' | 'other';

const dateWords: readonly (readonly [DateRole, string])[] = [
  [
    'invoice-issue',
    'invoice date|date of invoice|date of the invoice|date of issue|issue date|issued|issued on|date issued|document date|billing date|bill date|date billed|credit note date|date of credit note|credit date|date|dated|rechnungsdatum|datum der rechnung|rechnung vom|belegdatum|ausstellungsdatum|ausgestellt am|gutschriftsdatum|datum|date de facture|date de la facture|date facture|date facturation|date de facturation|date d emission|emise le|emis le|etablie le|date de l avoir|data fattura|data della fattura|data documento|data emissione|data di emissione|data doc|emessa il|data|fecha de factura|fecha de la factura|fecha factura|fecha de emision|fecha emision|fecha de expedicion|fecha expedicion|fecha|factuurdatum|factuur datum|datum factuur|datum creditnota|notadatum|uitgiftedatum|fakturadato|fakturadatum|fakturadag|fakturaens dato|utstedt|udstedt|utfardad|dato|kreditnotadato|datum vystaveni|datum vystavenia|vystaveno|vystaveno dne|vystavene|data wystawienia|wystawiono|wystawiono dnia|data faktury|data da fatura|data de emissao|data emissao|data facturii|data emiterii|laskun paivays|laskupaiva|laskun paivamaara|paivays|paivamaara|kelte|szamla kelte|kiallitas datuma|kiallitas kelte|datum izdavanja|datum racuna|datum izdaje',
  ],
  [
    'supply',
    'delivery date|date of delivery|collected|collected on|goods collected|date of collection|picked up|picked up on|abgeholt am|abholung|abholung am|enleve le|enlevement|ritirato il|recogido|recogida|opgehaald op|afgehaald op|hentet|hamtat|odebrano|date of supply|supply date|tax point|tax point date|time of supply|date of service|service date|date of performance|performance date|supply period|period of supply|service period|period of service|services rendered|services rendered in|services provided in|delivered|delivered on|dispatch date|despatch date|date of despatch|despatched|despatched on|shipped|shipped on|ship date|goods delivered|supplied on|lieferdatum|liefertag|lieferung|lieferung vom|lieferung am|geliefert am|tag der lieferung|datum der lieferung|leistungsdatum|leistungszeitpunkt|leistungszeitraum|leistungsmonat|leistungstag|zeitpunkt der leistung|zeitpunkt der lieferung|zeitraum der leistung|datum der leistung|liefer und leistungsdatum|lieferdatum leistungsdatum|liefer leistungsdatum|lieferzeitpunkt|lieferzeitraum|leistung erbracht|leistung im|leistung vom|leistung|date de livraison|date de la livraison|livraison|livraison le|livre le|livree le|date de la prestation|date de prestation|date d execution|date de la vente|date de vente|date de l operation|periode de prestation|periode|prestation|prestations de|prestation realisee|data consegna|data di consegna|data della consegna|consegna|consegnato il|data prestazione|data di effettuazione|data effettuazione|data operazione|data dell operazione|periodo|periodo di riferimento|fecha operacion|fecha de operacion|fecha de la operacion|fecha de entrega|fecha entrega|entrega|fecha de prestacion|fecha de servicio|fecha del servicio|periodo de servicio|fecha devengo|leverdatum|leveringsdatum|datum levering|datum van levering|leverings datum|levering|geleverd op|prestatiedatum|datum prestatie|datum dienst|leveringsdato|levert|leveret|leveringsperiode|leveransdatum|leveransdag|leverans|levererad|datum for leverans|duzp|datum uskutecneni zdanitelneho plneni|datum uskutecneni plneni|datum uskut zdan plneni|datum zdanitelneho plneni|datum zdan plneni|datum uskut plneni|den uskutecneni plneni|datum plneni|datum dodania|datum dodani|datum dodania tovaru|data dokonania dostawy|data dokonania dostawy lub wykonania uslugi|data wykonania uslugi|lub wykonania uslugi|data sprzedazy|data dostawy|data zakonczenia dostawy|data zakonczenia dostawy lub wykonania uslugi|data da entrega|data de entrega|data da operacao|data da prestacao|data da prestacao do servico|data livrarii|toimituspaiva|toimitettu|toimitusaika|teljesites|teljesites datuma|teljesites kelte|datum isporuke|datum dobave|datum opravljene storitve',
  ],
  [
    'payment-due',
    'due date|date due|we pay on|we will pay on|we will pay you on|payment will be made on|wir zahlen am|wir uberweisen am|nous reglerons le|pagheremo il|pagaremos el|wij betalen op|vi betaler|zwrot do|przelew do|due|due on|due by|payment due|payment due date|payment due by|payable by|payable until|payable on or before|payable|pay by|payment by|please pay by|to be paid by|payment deadline|payment term until|zahlbar bis|zahlbar bis zum|zahlbar ohne abzug bis|zahlbar netto bis|zahlbar am|zahlbar|zu zahlen bis|zu zahlen bis zum|bitte zahlen sie bis|zahlung bis|zahlung bis zum|fallig|fallig am|fallig bis|fallig zum|falligkeit|falligkeitsdatum|falligkeitstermin|zahlungstermin|zahlungsfrist|zahlungsziel|zahlungsziel bis|uberweisen bis|uberweisen sie|uberweisen sie den betrag|begleichen sie|please transfer by|please remit by|payment is due by|merci de regler avant le|si prega di pagare entro|zu begleichen bis|ohne abzug bis|echeance|date d echeance|echeance le|echeance au|date echeance|echeance de paiement|a payer avant le|a payer pour le|a regler avant le|a regler le|payable le|payable avant le|payable au plus tard le|payable jusqu au|date limite de paiement|date de reglement|scadenza|scadenze|data scadenza|data di scadenza|scadenza pagamento|pagamento entro|pagamento entro il|da pagare entro|da pagare entro il|entro il|scad|vencimiento|fecha de vencimiento|fecha vencimiento|vto|vence|vence el|pagadero el|fecha limite de pago|fecha de pago|vervaldatum|vervaldag|te betalen voor|te betalen uiterlijk|te betalen op|te voldoen voor|betalen voor|betaling uiterlijk|uiterste betaaldatum|uiterlijk|uiterlijk op|betaalbaar voor|forfallsdato|forfall|forfaller|betales innen|forfaldsdato|forfald|betalingsfrist|betales senest|sidste rettidige betaling|sidste betalingsdag|sidste rettidige betalingsdag|forfallodatum|forfallodag|forfaller till betalning|betalas senast|att betala senast|oss tillhanda senast|datum splatnosti|splatnost|splatne|splatno|splatne do|uhradte do|termin platnosci|termin zaplaty|platne do|platnosc do|zaplac do|do zaplaty do|data vencimento|data de vencimento|vencimento|data limite de pagamento|pagar ate|data scadentei|scadent|termen de plata|erapaiva|maksupaiva|fizetesi hatarido|esedekesseg|rok placanja|rok placila|datum dospijeca|valuta|zapade',
  ],
  [
    'other',
    'skonto|cash discount|discount|early payment|settlement discount|bei zahlung bis|bei zahlung bis zum|bei zahlung innert|bei bezahlung bis|if paid by|if paid before|if paid on or before|escompte|sconto|descuento|korting|rabatt|rabat|sleva|order|order date|purchase order|your order|po|po date|bestellung|ihre bestellung|bestellung vom|bestelldatum|auftrag|auftrag vom|auftragsdatum|commande|votre commande|bon de commande|date de commande|devis|ordine|ordine del|ordre|ordrenr|ordredato|orderdatum|bestelling|zamowienie|zamowienia|objednavka|objednavky|pedido|encomenda|beställning|contract|vertrag|rahmenvertrag|contrat|contratto|contrato|umowa|umowy|overeenkomst|smlouva|avtal|delivery note|lieferschein|lieferschein vom|bon de livraison|ddt|albaran|pakbon|dodaci list|guia|valid until|gultig bis|valable jusqu|valido fino|valido hasta|geldig tot|platnost nabidky|offer|angebot|quotation|offerte|exported|exportado|printed|gedruckt|imprime|scan|received|eingang|eingegangen am|recu le|otrzymano|paid on|bezahlt am|paye le|pagato il|zaplaceno dne|zaplacono|erhalten am|returned|retour|refund by|original|ursprung|invoice from|statement|stand|period end|reminder|mahnung|start|end|birth|geburtsdatum|registered|eingetragen|version|revision',
  ],
];

/** Searches all word lists; the label nearest to the date decides. */
const dateCues = dateWords.map(([role, phrases]) => [role, phraseShape(phrases, 'g')] as const);

/** @param folded the text before a date · @returns the role of the last label in it, and its distance from the end */
export function lastDateCue(folded: string): { readonly role: DateRole; readonly distance: number } | undefined {
  // "Leistungszeitraum/-datum".
  const shown = folded.slice(-160).replace(/(?<=[a-z]) ?\/ ?-(?:datum|date|zeitraum|tag)/g, '');
  let best: { role: DateRole; end: number; length: number } | undefined;
  for (const [role, shape] of dateCues) {
    for (const match of shown.matchAll(shape)) {
      const end = match.index + match[0].length;
      const length = match[0].length;
      if (best === undefined || end > best.end || (end === best.end && length > best.length))
        best = { role, end, length };
    }
  }
  const titled = datedTitle.exec(shown);
  if (titled !== null && (best === undefined || best.end <= titled.index + titled[0].length - 8))
    return { role: 'invoice-issue', distance: 0 };
  return best === undefined ? undefined : { role: best.role, distance: shown.length - best.end };
}

/** "Fattura nr. 1341 del", "Rechnung 2026-17 vom": the title and number before the date. */
const datedTitle =
  /^(?:rechnung|invoice|facture|fattura|factura|factuur|faktura|credit note|gutschrift|avoir)(?: (?:n[°ro.]{1,3}|numero|number|no\.?|nummer))? ?[a-z]{0,4}[-/ ]?\d[\d/.-]{0,20} (?:del|vom|du|de fecha|dated|of|van|z dnia|ze dne)[ |:]{0,4}$/;

/** @param folded a complete label: a header, or a cell on the left */
export function dateRoleOfLabel(folded: string): DateRole | undefined {
  const cue = lastDateCue(folded.replace(/[^a-z0-9)]+$/, ''));
  return cue !== undefined && cue.distance <= 14 ? cue.role : undefined;
}
