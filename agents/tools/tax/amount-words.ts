/** Words for amounts in headers and labels of invoices, folded; in the languages of Europe. */
import { phraseShape } from './fold.ts';

export type AmountRole = 'net' | 'tax' | 'gross' | 'due';
export type ColumnRole = AmountRole | 'rate' | 'label' | 'number' | 'item' | 'quantity' | 'price' | 'discount';

const vat =
  'vat|v a t|gst|ust|umsatzsteuer|mwst|mehrwertsteuer|mwst betrag|ust betrag|tva|t v a|iva|i v a|imposta|btw|b t w|omzetbelasting|mva|merverdiavgift|moms|mervardesskatt|dph|alv|arvonlisavero|pdv|ddv|afa|kdv|dan|podatek|podatek vat|steuer|tax|sales tax|taxe|taxes|cuota|impuesto|igic|imposto|belasting';
export const taxWord = phraseShape(vat);

const without =
  'excl|exclusive|excluding|exkl|exklusive|ekskl|eksklusiv|ex|before|without|ohne|exclusief|zonder|hors|sans|senza|sin|sem|bez|utan|uten|uden|netto|eks|exc|fara|veroton|zzgl|ht|h t|htva|hors taxes|hors taxe';
const withTax =
  'incl|inclusive|including|inkl|inklusive|inklusiv|inclusief|with|mit|avec|con|com|toutes taxes comprises|ttc|t t c|tvac|tvac|s dph|med|vc|met|inc|bruttó|brutto|cu tva|tasse incluse|ivato|ivata|iva incluida|iva inclusa';
const withoutTax = phraseShape(without);
const includingTax = phraseShape(withTax);

const netLabel = phraseShape(
  'net|net total|net amount|net value|total net|net price|subtotal|sub total|taxable amount|taxable value|taxable base|taxable|vatable amount|goods total|goods value|netto|nettobetrag|nettosumme|nettowert|gesamt netto|summe netto|netto gesamt|zwischensumme|bemessungsgrundlage|entgelt|warenwert netto|total ht|montant ht|ht|h t|base ht|base hors taxe|base imposable|base taxable|base tva|base|sous total|imponibile|totale imponibile|totale netto|totale merce|base imponible|bases|suma neta|importe neto|subtotaal|netto bedrag|nettobedrag|grondslag|maatstaf van heffing|maatstaf|grunnlag|mva grunnlag|avgiftsgrunnlag|netto belop|nettobelop|grundlag|momsgrundlag|momspligtigt belob|underlag|beskattningsunderlag|momsunderlag|mellansumma|delsum|zaklad|zaklad dane|zaklad dph|podstawa|wartosc netto|kwota netto|razem netto|suma netto|valor liquido|base tributavel|incidencia|total iliquido|base de incidencia|verollinen|netto osszeg|adoalap|nettó|osnovica|valoare fara tva',
);
const grossLabel = phraseShape(
  'gross|gross total|gross amount|total gross|invoice total|total invoice|invoice amount|total invoice amount|grand total|total amount|brutto|bruttobetrag|bruttosumme|gesamt brutto|rechnungsbetrag|rechnungssumme|gesamtbetrag|gesamtsumme|gesamt|summe brutto|endbetrag|endsumme|gutschriftsbetrag|total ttc|montant ttc|ttc|t t c|total tvac|totale fattura|totale documento|totale complessivo|importo totale|totale generale|totale lordo|totale|total factura|importe total|total general|importe factura|totaal|totaal factuur|factuurbedrag|totaalbedrag|eindtotaal|eindbedrag|totalt|totalbelop|totalsum|total belob|totalbelob|i alt|slutsumma|summa|sum|fakturabelop|celkem|celkem s dph|celkova castka|cena celkem|spolu|razem|razem brutto|wartosc brutto|kwota brutto|suma brutto|ogolem|total geral|total do documento|total da fatura|total credit|credit total|total refund|total|totals|yhteensa|loppusumma|vegosszeg|brutto osszeg|bruttó|ukupno|skupaj|total general de plata|creditbedrag|totaal credit|kreditbelop|avoir total|total de l avoir|total avoir',
);
const dueLabel = phraseShape(
  'amount due|balance due|total due|total amount due|amount payable|total payable|to pay|please pay|payable|balance|amount to pay|zu zahlen|zahlbetrag|zu zahlender betrag|zahlbar|offener betrag|restbetrag|zu uberweisen|auszahlungsbetrag|erstattungsbetrag|net a payer|a payer|reste a payer|solde a payer|montant a payer|montant du|solde|total a payer|da pagare|netto a pagare|totale da pagare|saldo|totale dovuto|a pagar|total a pagar|importe a pagar|liquido a pagar|te betalen|totaal te betalen|te betalen bedrag|te voldoen|openstaand|a betale|belop a betale|sum a betale|att betala|summa att betala|belopp att betala|at betale|til betaling|belob at betale|total at betale|i alt at betale|k uhrade|celkem k uhrade|k platbe|castka k uhrade|suma k uhrade|do zaplaty|razem do zaplaty|kwota do zaplaty|pozostalo do zaplaty|pozostaje do zaplaty|maksettava|maksettava yhteensa|fizetendo|za plačilo|za placanje|za placilo|de plata|total de plata',
);
export const prepaidLabel = phraseShape(
  'deposit|less deposit|prepaid|prepayment|advance paid|already paid|paid|payment received|payments on account|on account|anzahlung|abzuglich anzahlung|bereits bezahlt|geleistete anzahlungen|akontozahlung|acompte|acompte verse|acomptes|deja regle|deja paye|acconto|acconto versato|gia pagato|anticipo|entrega a cuenta|pagado|aanbetaling|voorschot|reeds betaald|forskudd|innbetalt|forskott|delbetalning|a conto|zaliczka|zaplacono|wplacono|zaloha|zaplaceno|uhrazeno|adiantamento|provision|withholding|retenue|ritenuta|ritenuta d acconto|retencion|irpf|retencao',
);
const rateLabel = phraseShape(
  'rate|aliq|vat rate|tax rate|satz|steuersatz|ust satz|mwst satz|taux|taux tva|aliquota|tipo|tipo iva|tipo impositivo|tarief|btw tarief|btw %|sats|momssats|momssats %|mva sats|mva %|stawka|stawka vat|sazba|sazba dph|taxa|taxa iva|kanta|verokanta|alv %|adokulcs|afa kulcs|cota|cota tva|stopa|prozent|percent|proc|%|vat %|ust %|mwst %|tva %|iva %|moms %|dph %',
);
const itemLabel = phraseShape(
  'description|item|article|product|goods|services|details|particulars|bezeichnung|beschreibung|artikel|artikelbezeichnung|leistung|position|designation|libelle|descrizione|articolo|prestazione|descripcion|concepto|articulo|omschrijving|beskrivelse|varetekst|vare|benamning|beskrivning|artikel|nazwa|nazwa towaru|nazwa towaru lub uslugi|opis|popis|polozka|oznaceni|oznaceni dodavky|nazev|descricao|designacao|artigo|kuvaus|tuote|megnevezes|denumire|opis storitve',
);
const quantityLabel = phraseShape(
  'qty|quantity|units|hours|days|menge|anzahl|stk|std|stunden|qte|quantite|nbre|q ta|qta|quantita|cantidad|cant|uds|aantal|antall|antal|timer|ilosc|mnozstvi|mnozstvo|pocet|quantidade|qtd|maara|mennyiseg|cantitate|kolicina|kol',
);
const priceLabel = phraseShape(
  'price|unit price|unit|unit cost|rate per hour|each|preis|einzelpreis|e preis|ep|stuckpreis|einheitspreis|p u|pu|pu ht|p u ht|prix|prix unitaire|prix unit|prezzo|prezzo unitario|prezzo unit|precio|precio unitario|p unitario|prijs|stukprijs|eenheidsprijs|pris|enhetspris|enhedspris|stykpris|a pris|apris|cena|cena netto|cena jedn|cena jednostkowa|cena za mj|jedn cena|preco|preco unitario|p unit|hinta|yksikkohinta|a hinta|egysegar|pret|pret unitar',
);
const discountLabel = phraseShape(
  'discount|disc|rab|rabatt|nachlass|remise|rem|sconto|sc|dto|descuento|korting|rabat|sleva|desconto|alennus|ale|kedvezmeny',
);

/** @param folded a header cell */
export function columnRoleOf(folded: string): ColumnRole | undefined {
  const shown = folded.trim();
  if (shown.length > 60 || shown === '') return undefined;
  if (
    /^(?:#|pos|pos\.|lp\.?|nr\.?|no\.?|line|l\.p\.|c\.|n\.?|ref\.?|art\.?[- ]?(?:nr|no)\.?|code|codice|codigo|kod)$/.test(
      shown,
    )
  )
    return 'number';
  if (quantityLabel.test(shown) && !taxWord.test(shown)) return 'quantity';
  // "VAT 23 %" over amounts is the tax at this rate.
  if (/\d ?%/.test(shown) && taxWord.test(shown) && !discountLabel.test(shown) && !netLabel.test(shown)) return 'tax';
  const isRate = rateLabel.test(shown) || shown.includes('%');
  if (isRate && !discountLabel.test(shown) && !priceLabel.test(shown.replace(/rate/, ''))) return 'rate';
  if (discountLabel.test(shown)) return 'discount';
  if (priceLabel.test(shown)) return 'price';
  if (
    includingTax.test(shown) &&
    (taxWord.test(shown) || /ttc|incl|inkl|tvac|brutto/.test(shown)) &&
    !netLabel.test(shown.replace(/base|sum/g, ''))
  )
    return 'gross';
  if (withoutTax.test(shown) || /\b(?:exkl|excl|hors|netto?)\b/.test(shown)) return 'net';
  if (
    /^(?:vat |tax |ust |mwst |tva |btw |moms |mva )?(?:analysis|summary|breakdown|aufstellung|aufgliederung|recap|recapitulatif|riepilogo|specifikation|specificatie|specification|desglose|resumo|resumen|rekapitulace|zusammenstellung|overzicht|class|category|code|key|schlussel|kennzeichen|steuer|art|type)(?: .*)?$/.test(
      shown,
    )
  )
    return 'label';
  if (itemLabel.test(shown)) return 'item';
  if (netLabel.test(shown)) return 'net';
  if (taxWord.test(shown)) return 'tax';
  if (
    grossLabel.test(shown) ||
    /^(?:amount|betrag|montant|importe|importo|bedrag|belop|belopp|belob|castka|kwota|wartosc|valor|summa|osszeg)(?:\s.*)?$/.test(
      shown,
    )
  )
    return 'gross';
  return undefined;
}

/**
 * @param folded the words before an amount; the more specific meanings first: "total excl. VAT" is neither a tax nor a gross
 *   amount
 */
export function amountRoleOf(folded: string): AmountRole | undefined {
  // "Tot. imponibile", "Tot. documento".
  const shown = folded.slice(-90).replace(/(?<![a-z])tot\.? (?=[a-z])/g, 'total ');
  if (prepaidLabel.test(shown) && !taxWord.test(shown)) return undefined;
  if (dueLabel.test(shown)) return 'due';
  const hasTax = taxWord.test(shown);
  if (hasTax && includingTax.test(shown.replace(/^s\b/, ''))) {
    // "Incl. 19% VAT 16.19" states the tax that is included; "total incl. VAT" the whole amount.
    return grossLabel.test(shown)
      ? 'gross'
      : /^\W*(?:incl|inkl|including|dont|davon|darin|enthalten|di cui|waarvan|herav|varav|hvoraf|w tym)/.test(shown)
        ? 'tax'
        : 'gross';
  }
  if (hasTax && /zzgl|plus|add|\+|toegl/.test(shown)) return 'tax';
  if (hasTax && withoutTax.test(shown) && !/netto\b.*(?:steuer|vat)/.test(shown)) return 'net';
  if (
    netLabel.test(shown) &&
    (!hasTax ||
      /base|imponib|grun[dn]lag|underlag|zaklad|taxable|vatable|incidencia|grondslag|maatstaf|bemessung/.test(shown))
  )
    return 'net';
  if (hasTax) return 'tax';
  if (/\b(?:ttc|brutto)\b/.test(shown)) return 'gross';
  if (withoutTax.test(shown) && grossLabel.test(shown)) return 'net';
  return grossLabel.test(shown) ? 'gross' : undefined;
}

/** Words between a tax rate and its taxable amount. */
export const baseWord =
  /(?:^|[\s(])(?:on|of|over|auf|von|aus|sur|de|su|di|sobre|van|av|af|pa|z|ze|od|base|sulla base di|su imponibile|about|til|uber)[\s:(]{0,3}(?:[a-z]{2,12}[\s.:]{1,2})?(?:eur|€|£|\$|gbp|chf|nok|sek|dkk|pln|czk|kr)?[\s.:]{0,3}$/;

/** Amounts on these lines are not totals of the invoice. */
export const otherAmount = phraseShape(
  'iban|bic|skonto|cash discount|escompte|sconto|korting bij|kassenrabatt|early payment|capital|kapital|stammkapital|share capital|capital social|capitale sociale|interest|zinsen|verzugszinsen|late payment|mahngebuhr|reg|register|hrb|tel|phone|fax|carried forward|ubertrag|report|a reporter|riporto|transport|original invoice|originally|exchange rate|kurs|wechselkurs|cours|cambio|kurz',
);
