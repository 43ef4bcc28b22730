/** The words that name a party of an invoice: labels for seller and buyer, and text that may be a name. */
import { phraseShape } from './fold.ts';
import type { Segment } from './layout.ts';

type Side = 'seller' | 'buyer' | 'other';

const sideWords: readonly (readonly [Side, RegExp])[] = (
  [
    [
      'other',
      'ship to|shipped to|ship from|deliver to|delivery to|delivered to|delivery address|deliver address|consignee|lieferanschrift|lieferadresse|lieferung an|lieferort|warenempfanger|versandadresse|leistungsempfanger abweichend|adresse de livraison|livre a|lieu de livraison|destinazione merce|luogo di consegna|destinazione|spedire a|vettore|trasportatore|direccion de entrega|lugar de entrega|afleveradres|leveradres|aflever adres|leveringsadresse|leveranseadresse|leveransadress|leverans till|adres dostawy|miejsce dostawy|odbiorca|dodaci adresa|misto dodani|prijemce|local de entrega|morada de entrega|carrier|spediteur|spedition|frachtfuhrer|transporteur|dopravce|przewoznik|bank|bank details|bankverbindung|banque|banca|banco|bankforbindelse|factor|factoring|kontoinhaber|account holder|account name|beneficiary|payee|fiscal representative|tax representative|fiskalvertreter|representant fiscal|rappresentante fiscale|payer|zahlbar an|konto zahlbar an|contact|ansprechpartner|bearbeiter|geschaftsfuhrer|managing directors|director|directors|c o|zustandig|deliver',
    ],
    [
      'buyer',
      'bill to|billed to|bill to address|invoice to|invoiced to|invoice address|billing address|sold to|customer|customer name|client|buyer|purchaser|to|messrs|recipient|recipient of the supply|account|kunde|kundin|rechnung an|rechnungsempfanger|rechnungsadresse|rechnungsanschrift|leistungsempfanger|auftraggeber|empfanger|kaufer|besteller|abnehmer|an|facture a|facturer a|adresse de facturation|destinataire|acheteur|preneur|client facture|doit|cliente|spett|spettabile|spett le|destinatario|cessionario committente|cessionario|committente|intestatario|acquirente|facturar a|datos del cliente|cliente destinatario|destinatario|receptor|comprador|adquirente|aan|klant|afnemer|factuuradres|factuur aan|opdrachtgever|debiteur|kunde navn|fakturamottaker|faktureres til|fakturaadresse|til|kjøper|køber|faktureringsadress|fakturaadress|fakturamottagare|kund|kopare|till|mottaker|mottagare|nabywca|kupujacy|nabywca towaru|odberatel|zakaznik|kupujici|fatura para|exmo s senhor es|exmos senhores|exmo|asiakas|ostaja|laskutusosoite|laskun saaja|vevo|cumparator|client cumparator|beneficiar|kupac|narocnik|kupec|credit to|we credit',
    ],
    [
      'seller',
      'seller|supplier|vendor|company information|company details|seller information|supplier information|vendor information|informations fournisseur|dati fornitore|leveranciersgegevens|bedrijfsgegevens|exporter|consignor|shipper|exportateur|exporteur|exporteur|esportatore|exportador|eksporter|from|issuer|issued by|invoice from|sold by|remit to|supplied by|supplier name|lieferant|verkaufer|rechnungssteller|leistungserbringer|leistender unternehmer|auftragnehmer|absender|aussteller|von|fournisseur|vendeur|emetteur|emis par|prestataire|cedente prestatore|cedente|prestatore|fornitore|emittente|venditore|mittente|emisor|proveedor|vendedor|expedidor|datos del emisor|leverancier|verkoper|afzender|van|leverandor|selger|saelger|sælger|udsteder|avsender|afsender|fra|leverantor|saljare|avsandare|fran|sprzedawca|sprzedajacy|wystawca|dodavatel|prodavajici|fornecedor|prestador|toimittaja|myyja|laskuttaja|elado|szallito|kibocsato|furnizor|vanzator|prodavatelj|prodavac|izdajatelj|dobavitelj|emitente',
    ],
  ] as const
).map(([side, phrases]) => [side, phraseShape(phrases.replace(/^/, ''), '')] as const);

/** The label at the beginning of a segment, and the words after it. */
export function labelAt({ folded }: Segment): { readonly side: Side; readonly length: number } | undefined {
  const lead = /^[\s*(>\d.]{0,6}/.exec(folded)![0].length;
  const shown = folded.slice(lead);
  const salutation = /^(?:exmo|exma)[a-z]{0,2}\.?\s?(?:\([a-z]{1,2}\))?.{0,16}$/.exec(shown);
  if (salutation !== null) return { side: 'buyer', length: folded.length };
  for (const [side, shape] of sideWords) {
    const match = shape.exec(shown);
    if (match === null || match.index !== 0) continue;
    const rest = shown.slice(match[0].length);
    // "Kunde (Rechnungsempfänger):", "Client / Customer:" and "Customer name:" are labels; "Von uns" is a sentence.
    const tail =
      /^(?:\s?(?:\([^)]{0,40}\)|[/&,–-]\s?[a-z ]{2,30}|name|details|information|informationen|infos?|data|daten|dane|navn|namn|naam|nom|nome|nombre|address|adresse|le)){0,2}(?:,[a-z ]{2,40}(?=:))?\s?(?::|$)/.exec(
        rest,
      );
    if (tail !== null) return { side, length: lead + match[0].length + tail[0].length };
  }
  return undefined;
}

/** Whether one name contains the other. */
export function isSame(one: string, other: string | undefined): boolean {
  const plain = (name: string) =>
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return (
    other !== undefined &&
    (` ${plain(one)}`.includes(` ${plain(other)}`) || ` ${plain(other)}`.includes(` ${plain(one)}`))
  );
}

const noName =
  /^(?:\d|[^\p{L}]*$)|^\S*\d{4}\S*$|^[A-Z]{1,5}[ .-]?\d[\d/.-]{2,}$|^n[°º]|^(?:adresse|address|anschrift|indirizzo|direcci[óo]n|adres|endere[çc]o|morada)\b|\b(?:iban|bic|vat|ust-?id|uid|nip|tva|tel|fax|phone|e-?mail|www|datum|date|nr|no|number|nummer|page|seite|strona|total|invoice|rechnung|facture)\b[.:]?\s?[:\d]|@|^(?:herr|frau|attn|z\. ?h|t\.a\.v|accounts? payable|buchhaltung|kreditoren|seite|page|side|strona|pagina|tel|fax|iban|bic)\b/iu;

export function looksLikeName(text: string): boolean {
  return (
    text.length >= 3 &&
    text.length <= 160 &&
    // "de Winter Anneke" and "eTools Ltd" are names that begin with a small letter.
    /^(?:[\p{Lu}\d"„'(]|\p{Ll}\p{Lu}|(?:d[eiu]|d'|da|del|della|van|von|zu|ten|ter|la|le|el|af|av)[ ’'](?:\S{1,4} )?\p{Lu})/u.test(
      text.trim(),
    ) &&
    /\p{L}{2}/u.test(text) &&
    !noName.test(text.trim())
  );
}
