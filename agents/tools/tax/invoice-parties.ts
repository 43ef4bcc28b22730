/** Seller and buyer of an invoice: by a label, else by the order of the addresses. */
import type { Range } from '../text/span.ts';
import { beginsWithForm, cleanName, companyIn, endsWithForm, isAddressLine, isTownLine } from './companies.ts';
import { phraseShape } from './fold.ts';
import type { InvoicePart } from './invoice-parts.ts';
import { isTitle } from './invoice-parts.ts';
import { type Layout, leftOf, rightOf, type Segment, verticalOf } from './layout.ts';

export interface InvoiceParty extends Range {
  readonly name: string;
  /** Whether an address is next to the name. */
  readonly hasAddress: boolean;
  /** Whether a label names it, as opposed to its position. */
  readonly isLabelled: boolean;
}

export interface InvoiceParties {
  readonly seller?: InvoiceParty;
  readonly buyer?: InvoiceParty;
}

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
      'seller|supplier|vendor|exporter|consignor|shipper|exportateur|exporteur|exporteur|esportatore|exportador|eksporter|from|issuer|issued by|invoice from|sold by|remit to|supplied by|supplier name|lieferant|verkaufer|rechnungssteller|leistungserbringer|leistender unternehmer|auftragnehmer|absender|aussteller|von|fournisseur|vendeur|emetteur|emis par|prestataire|cedente prestatore|cedente|prestatore|fornitore|emittente|venditore|mittente|emisor|proveedor|vendedor|expedidor|datos del emisor|leverancier|verkoper|afzender|van|leverandor|selger|saelger|sælger|udsteder|avsender|afsender|fra|leverantor|saljare|avsandare|fran|sprzedawca|sprzedajacy|wystawca|dodavatel|prodavajici|fornecedor|prestador|toimittaja|myyja|laskuttaja|elado|szallito|kibocsato|furnizor|vanzator|prodavatelj|prodavac|izdajatelj|dobavitelj|emitente',
    ],
  ] as const
).map(([side, phrases]) => [side, phraseShape(phrases.replace(/^/, ''), '')] as const);

/** The label at the beginning of a segment, and the words after it. */
function labelAt({ folded }: Segment): { readonly side: Side; readonly length: number } | undefined {
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
      /^(?:\s?(?:\([^)]{0,40}\)|[/&,–-]\s?[a-z ]{2,30}|name|details|data|dane|navn|namn|naam|nom|nome|nombre|address|adresse|le)){0,2}(?:,[a-z ]{2,40}(?=:))?\s?(?::|$)/.exec(
        rest,
      );
    if (tail !== null) return { side, length: lead + match[0].length + tail[0].length };
  }
  return undefined;
}

export function findParties(layout: Layout, part: InvoicePart): InvoiceParties {
  const labelled = labelledParties(layout, part);
  if (labelled.seller !== undefined && labelled.buyer !== undefined) return labelled;
  const names = namesByPlace(layout, part).filter(
    ({ name }) => !isSame(name, labelled.seller?.name) && !isSame(name, labelled.buyer?.name),
  );
  if (labelled.buyer !== undefined) return { ...labelled, ...(names[0] === undefined ? {} : { seller: names[0] }) };
  if (labelled.seller !== undefined) return { ...labelled, ...(names[0] === undefined ? {} : { buyer: names[0] }) };
  return {
    ...(names[0] === undefined ? {} : { seller: names[0] }),
    ...(names[1] === undefined ? {} : { buyer: names[1] }),
  };
}

function isSame(one: string, other: string | undefined): boolean {
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

function labelledParties(layout: Layout, { from, to }: InvoicePart): InvoiceParties {
  const found: { seller?: InvoiceParty; buyer?: InvoiceParty } = {};
  for (const line of layout.lines.slice(from, to)) {
    for (const segment of line.segments) {
      const label = labelAt(segment);
      if (label === undefined || label.side === 'other' || found[label.side] !== undefined) continue;
      const party = partyBehind(layout, segment, label.length);
      if (party !== undefined) found[label.side] = party;
    }
  }
  return found;
}

/** The value directly after the label, in the cell on the right, or below it. */
function partyBehind(layout: Layout, segment: Segment, length: number): InvoiceParty | undefined {
  const rest = segment.text.slice(length).trim();
  if (rest !== '') return partyFrom(layout, segment, length);
  const right = rightOf(layout, segment);
  if (right !== undefined && labelAt(right) === undefined && looksLikeName(right.text)) {
    const below = verticalOf(layout, segment, 1);
    const isColumn =
      below !== undefined &&
      layout.lines[below.line]!.follows === 'line' &&
      !isTownLine(right.text) &&
      looksLikeName(below.text) &&
      (companyIn(below.text) !== undefined || companyIn(right.text) === undefined) &&
      !isTitle(right) &&
      companyIn(right.text) === undefined;
    if (!isColumn) return partyFrom(layout, right, 0);
  }
  for (const by of [1, 2]) {
    const below = belowOf(layout, segment, by);
    if (below === undefined) continue;
    if (labelAt(below) !== undefined || !looksLikeName(below.text)) return undefined;
    return partyFrom(layout, below, 0);
  }
  return undefined;
}

/** In the same columns; a line with one segment at the left belongs only to the left column. */
function belowOf(layout: Layout, segment: Segment, by: number): Segment | undefined {
  const exact = verticalOf(layout, segment, by);
  if (exact !== undefined) return exact;
  const line = layout.lines[segment.line + by];
  const [only] = line?.segments ?? [];
  return line?.segments.length === 1 && only !== undefined && Math.abs(only.from - segment.from) <= 8
    ? only
    : undefined;
}

const noName =
  /^(?:\d|[^\p{L}]*$)|\b(?:iban|bic|vat|ust-?id|uid|nip|tva|tel|fax|phone|e-?mail|www|datum|date|nr|no|number|nummer|page|seite|strona|total|invoice|rechnung|facture)\b[.:]?\s?[:\d]|@|^(?:herr|frau|attn|z\. ?h|t\.a\.v|accounts? payable|buchhaltung|kreditoren|seite|page|side|strona|pagina|tel|fax|iban|bic)\b/iu;

function looksLikeName(text: string): boolean {
  return (
    text.length >= 3 &&
    text.length <= 160 &&
    /^[\p{Lu}\d"„'(]/u.test(text.trim()) &&
    /\p{L}{2}/u.test(text) &&
    !noName.test(text.trim())
  );
}

function partyFrom(layout: Layout, segment: Segment, offset: number): InvoiceParty | undefined {
  const shown = segment.text.slice(offset);
  const start = segment.start + offset + (shown.length - shown.trimStart().length);
  const text = shown.trim();
  // "Alder s.c., ul. Długa 4, NIP 123": what stands behind the name says nothing against it.
  if (!looksLikeName(text.split(/[,;·|]\s/)[0]!)) return undefined;
  const next = belowOf(layout, segment, 1);
  let name = companyIn(text);
  if (name === undefined) {
    const first = cleanName(text.split(/\s[–—|·]\s|,\s|;|\s\(/)[0]!);
    const joins =
      next !== undefined &&
      !isAddressLine(next.text) &&
      layout.lines[next.line]!.follows === 'line' &&
      (beginsWithForm(next.text) ||
        (/^\p{Ll}|^i |^& |^und |^et |^e /u.test(next.text) &&
          companyIn(next.text.replace(/^./u, (c) => c.toUpperCase())) !== undefined) ||
        (endsWithForm(next.text) && next.text.split(' ').length <= 3 && first.split(' ').length <= 4));
    name = joins ? cleanName(`${first} ${companyIn(next.text) ?? next.text}`) : first;
  }
  if (name.length < 3) return undefined;
  const own = text.slice(Math.max(0, text.indexOf(name) + name.length));
  const hasAddress =
    isAddressLine(own) ||
    namesPlace(own) ||
    [1, 2, 3, 4, 5].some((by) => {
      const line = layout.lines[segment.line + by];
      const below = belowOf(layout, segment, by);
      if (
        line === undefined ||
        below === undefined ||
        layout.lines.slice(segment.line + 1, segment.line + by + 1).some(({ follows }) => follows !== 'line')
      )
        return false;
      return isAddressLine(below.text);
    });
  return { name, start, end: Math.min(segment.end, start + Math.max(name.length, 1)), hasAddress, isLabelled: true };
}

/** "…, Dock Road, Felixstowe": words behind the name that are no registration. */
function namesPlace(own: string): boolean {
  return own
    .split(/[,;·|]|\s[–-]\s/)
    .slice(1)
    .some((part) => /^\s*\p{Lu}\p{Ll}{2,}/u.test(part) && !/\d{5}/.test(part.replace(/\b\d{5}\b/, '')));
}

/** Names above an address or with a legal form, without duplicates, in text order; excludes delivery addresses and banks. */
function namesByPlace(layout: Layout, { from, to }: InvoicePart): InvoiceParty[] {
  const found: InvoiceParty[] = [];
  const add = (party: InvoiceParty | undefined) => {
    if (party !== undefined && !found.some(({ name }) => isSame(name, party.name)))
      found.push({ ...party, isLabelled: false });
  };
  const bodyEnd = Math.min(to, from + 400);
  for (const line of layout.lines.slice(from, bodyEnd)) {
    for (const segment of line.segments) {
      if (isOfOther(layout, segment) || isProse(segment) || isLabelAlone(segment)) continue;
      const company = companyIn(segment.text);
      if (
        company !== undefined &&
        segment.text.length <= 160 &&
        looksLikeName(company) &&
        !isSentence(segment.text, company)
      )
        add(partyFrom(layout, segment, segment.text.indexOf(company)));
      else if (isNameOverTown(layout, segment, from)) add(partyFrom(layout, segment, 0));
    }
    if (found.length >= 2) break;
  }
  return found;
}

/** Sentences name companies that are not parties of the invoice: "… are sold by Alder Ltd". */
function isProse({ text }: Segment): boolean {
  return (text.match(/(?<!\p{L})\p{Ll}{2,}(?!\p{L})/gu) ?? []).length >= 6;
}

function isLabelAlone(segment: Segment): boolean {
  const label = labelAt(segment);
  return label !== undefined && label.length >= segment.text.trimEnd().length;
}

function isSentence(text: string, company: string): boolean {
  const rest = text.slice(text.indexOf(company) + company.length);
  return text.indexOf(company) > 30 || (rest.split(' ').length > 12 && /\.$/.test(text));
}

/** "Bakker & Zoon, Dorpsweg 14, 4735 AB Oudenbosch" in one line. */
function isNameBeforeTown(segment: Segment): boolean {
  const parts = segment.text.split(/,\s|\s[·|]\s/);
  const [name = ''] = parts;
  if (parts.length < 2 || parts.length > 5 || segment.text.length > 140 || /[:\d]/.test(name) || isTitle(segment))
    return false;
  return looksLikeName(name) && name.split(' ').length <= 7 && parts.slice(1).some((part) => isTownLine(part));
}

/** The first line of a block that ends with a town. */
function isNameOverTown(layout: Layout, segment: Segment, from: number): boolean {
  if (isNameBeforeTown(segment)) return true;
  if (!looksLikeName(segment.text) || isAddressLine(segment.text) || segment.text.includes(':') || isTitle(segment))
    return false;
  const above = verticalOf(layout, segment, -1);
  const isFirst =
    segment.line === from ||
    above === undefined ||
    layout.lines[segment.line]!.follows !== 'line' ||
    labelAt(above) !== undefined;
  if (!isFirst) return false;
  for (let by = 1; by <= 4; by += 1) {
    const line = layout.lines[segment.line + by];
    if (line === undefined || (line.follows !== 'line' && by > 1)) return false;
    const below = belowOf(layout, segment, by);
    if (below === undefined) return false;
    if (isTownLine(below.text)) return true;
  }
  return false;
}

/** Below or after a label for a delivery, a carrier or a bank. */
function isOfOther(layout: Layout, segment: Segment): boolean {
  const left = leftOf(layout, segment);
  if (labelAt(segment)?.side === 'other' || (left !== undefined && labelAt(left)?.side === 'other')) return true;
  if (/\b(?:sparkasse|bank|iban|bic|swift)\b/i.test(segment.text)) return true;
  for (const by of [-1, -2]) {
    const above = verticalOf(layout, segment, by);
    if (above !== undefined && labelAt(above)?.side === 'other') return true;
  }
  return false;
}
