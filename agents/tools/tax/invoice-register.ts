/** Registers: a table with an invoice in each row, each column by its header. */
import type { Range } from '../text/span.ts';
import { columnRoleOf } from './amount-words.ts';
import { cleanName, companyIn } from './companies.ts';
import { phraseShape } from './fold.ts';
import type { RateLine } from './invoice-amounts.ts';
import type { InvoiceDate } from './invoice-dates.ts';
import { findNotes, type InvoiceNote } from './invoice-notes.ts';
import { toRate } from './invoice-tables.ts';
import { dateRoleOfLabel, type InvoiceType, invoiceTypeOf } from './invoice-words.ts';
import { type Layout, type Line, numbersIn, type Segment } from './layout.ts';
import { type Amount, toAmount } from './money.ts';

type Column =
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

export interface RegisterRow extends Range {
  readonly number: Range & { readonly value: string };
  readonly type: InvoiceType;
  readonly seller?: string;
  readonly buyer?: string;
  readonly dates: readonly InvoiceDate[];
  readonly currency?: string;
  readonly net?: Amount;
  readonly tax?: Amount;
  readonly gross?: Amount;
  readonly rates: readonly RateLine[];
  readonly notes: readonly InvoiceNote[];
}

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
    ['type', 'type|document type|art|belegart|tipo documento|tipo doc|typ|nature|soort|clase'],
    [
      'seller',
      'supplier|supplier name|vendor|vendor name|seller|lieferant|kreditor|kreditorname|fournisseur|fornitore|cedente|cedente prestatore|proveedor|leverancier|leverandor|leverantor|dostawca|sprzedawca|kontrahent sprzedawca|dodavatel|fornecedor|toimittaja|emisor',
    ],
    [
      'buyer',
      'customer|customer name|client|buyer|bill to|kunde|debitor|abnehmer|cliente|cessionario|comprador|destinatario|klant|afnemer|kund|nabywca|odberatel|zakaznik|asiakas',
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

/** The words that cover most of the header decide. */
function columnOf(folded: string): Column | undefined {
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

interface Header {
  readonly line: Line;
  readonly columns: readonly { readonly segment: Segment; readonly column: Column; readonly rate?: string }[];
  /** Net and tax have columns for each rate. */
  readonly isByRate: boolean;
}

function headerAt(line: Line): Header | undefined {
  if (line.segments.length < 4) return undefined;
  const columns = line.segments.flatMap((segment) => {
    const column = columnOf(segment.folded);
    const rate = /(\d{1,2}(?:[.,]\d)?) ?%/.exec(segment.folded)?.[1]?.replace(',', '.');
    return column === undefined ? [] : [{ segment, column, ...(rate === undefined ? {} : { rate }) }];
  });
  const has = (...list: Column[]) => list.some((name) => columns.some(({ column }) => column === name));
  if (
    !has('number') ||
    !has('net', 'gross') ||
    !has('issue', 'supply', 'due', 'seller', 'buyer', 'party') ||
    line.segments.some(({ text }) => /\d{3}/.test(text))
  )
    return undefined;
  return { line, columns, isByRate: columns.filter(({ rate }) => rate !== undefined).length >= 2 };
}

/** Rows of all registers of a text, and the lines that they take up. */
export function findRegister(layout: Layout): {
  readonly rows: readonly RegisterRow[];
  readonly lines: ReadonlySet<number>;
} {
  const rows: RegisterRow[] = [];
  const lines = new Set<number>();
  for (let at = 0; at < layout.lines.length; at += 1) {
    const header = headerAt(layout.lines[at]!);
    if (header === undefined) continue;
    const own: RegisterRow[] = [];
    let next = at + 1;
    for (; next < layout.lines.length && headerAt(layout.lines[next]!) === undefined; next += 1) {
      const row = rowAt(layout, header, layout.lines[next]!);
      if (row !== undefined) {
        own.push(row);
        lines.add(next);
      } else if (own.length > 0 && layout.lines[next]!.segments.length < 3) break;
    }
    if (own.length < 2) continue;
    lines.add(at);
    const company = ownerOf(layout, at);
    const isSales =
      header.columns.some(({ column }) => column === 'buyer') ||
      /sales|ausgang|verkauf|vente|emitidas|expedidas|vendite|emesse|verkoop|salg|forsalj|sprzedaz|vydan|emitid/.test(
        titleOver(layout, at),
      );
    rows.push(...joined(own).map((row) => withOwner(row, company, isSales)));
    at = next - 1;
  }
  return { rows, lines };
}

/** Rows of one number are the rates of one invoice. */
function joined(rows: readonly RegisterRow[]): RegisterRow[] {
  const byNumber = new Map<string, RegisterRow>();
  for (const row of rows) {
    const key = `${row.number.value}|${row.seller ?? row.buyer ?? ''}`;
    const known = byNumber.get(key);
    if (known === undefined) byNumber.set(key, row);
    else {
      const { net: _net, tax: _tax, gross: _gross, ...rest } = known;
      byNumber.set(key, { ...rest, rates: [...known.rates, ...row.rates], notes: [...known.notes, ...row.notes] });
    }
  }
  return [...byNumber.values()];
}

function withOwner(row: RegisterRow, owner: string | undefined, isSales: boolean): RegisterRow {
  if (owner === undefined) return row;
  if (isSales) return row.seller === undefined ? { ...row, seller: owner } : row;
  return row.buyer === undefined ? { ...row, buyer: owner } : row;
}

const ownerLabel = phraseShape(
  'sujeto pasivo|contribuyente|taxable person|taxpayer|company|entity|unternehmen|unternehmer|mandant|firma|steuerpflichtiger|societe|assujetti|entreprise|soggetto passivo|contribuente|ditta|azienda|ragione sociale|denominazione|podatnik|onderneming|bedrijf|belastingplichtige|foretag|firmanavn|foretaksnavn|selskap|virksomhed|danovy subjekt|platce|sujeito passivo|empresa|yritys|kaufmann|client|mandante|titular|declarant',
);

function ownerOf(layout: Layout, header: number): string | undefined {
  for (const line of layout.lines.slice(Math.max(0, header - 12), header).toReversed()) {
    for (const { text, folded } of line.segments) {
      const label = ownerLabel.exec(folded);
      const at = text.indexOf(':');
      if (label === null || at === -1 || label.index > at) continue;
      const rest = text.slice(at + 1);
      const name = companyIn(rest) ?? cleanName(rest.split(/[,;(]|\s[–—|-]\s/)[0]!);
      if (name.length > 2) return name;
    }
  }
  const above = layout.lines
    .slice(Math.max(0, header - 6), header)
    .flatMap(({ segments }) =>
      segments.flatMap(({ text }) => companyIn(text.replace(/^.{0,60}?(?:[–—:]|\s-)\s/, '')) ?? companyIn(text) ?? []),
    );
  return above.length > 0 ? above[0] : undefined;
}

function titleOver(layout: Layout, header: number): string {
  return layout.lines
    .slice(Math.max(0, header - 6), header)
    .map(({ segments }) => segments.map(({ folded }) => folded).join(' '))
    .join(' ');
}

const totalRow =
  /^(?:total|totals|totale|totaal|totalt|sum|summe|summa|suma|gesamt|razem|celkem|subtotal|zwischensumme|i alt|yhteensa|grand total)(?![a-z])/;

function rowAt(layout: Layout, header: Header, line: Line): RegisterRow | undefined {
  if (line.segments.length < 3 || totalRow.test(line.segments[0]!.folded)) return undefined;
  const cellOf = (column: Column) => {
    // A column of one rate holds no total.
    const head = header.columns.find((each) => each.column === column && (each.rate === undefined || !header.isByRate));
    return head === undefined ? undefined : cellUnder(line, header, head.segment);
  };
  const number = cellOf('number');
  if (
    number === undefined ||
    !/\d/.test(number.text) ||
    number.text.length > 40 ||
    /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(number.text)
  )
    return undefined;
  const amountOf = (column: Column) => amountIn(layout, cellOf(column));
  const [net, tax, gross] = [amountOf('net'), amountOf('tax'), amountOf('gross')];
  if (net === undefined && gross === undefined) return undefined;
  const remark = cellOf('remark');
  const type = invoiceTypeOf(`${cellOf('type')?.folded ?? ''} ${remark?.folded.slice(0, 40) ?? ''}`);
  const seller = nameIn(
    cellOf('seller') ?? (header.columns.some(({ column }) => column === 'buyer') ? undefined : cellOf('party')),
  );
  const buyer = nameIn(cellOf('buyer'));
  const currency = /\b[A-Z]{3}\b/.exec(cellOf('currency')?.text ?? '')?.[0] ?? currencyIn(header);
  const dates = (['issue', 'supply', 'due'] as const).flatMap((column) => dateIn(layout, column, cellOf(column)));
  const notes = findNotes(
    layout,
    line.segments.filter((segment) => segment !== number && /\p{L}{3}/u.test(segment.text)),
  );
  return {
    start: line.start,
    end: line.end,
    number: { value: number.text, start: number.start, end: number.end },
    type:
      type === undefined || type === 'invoice'
        ? net !== undefined && net.value.numerator < 0n
          ? 'credit-note'
          : 'invoice'
        : type,
    dates,
    notes,
    rates: ratesOf(layout, header, line, net, tax, cellOf('rate')),
    ...(seller === undefined ? {} : { seller }),
    ...(buyer === undefined ? {} : { buyer }),
    ...(currency === undefined ? {} : { currency }),
    ...(net === undefined ? {} : { net }),
    ...(tax === undefined ? {} : { tax }),
    ...(gross === undefined ? {} : { gross }),
  };
}

/** The cell that shares the header's columns, and no other header's more. */
function cellUnder(line: Line, { columns }: Header, head: Segment): Segment | undefined {
  const overlap = (one: Segment, other: Segment) =>
    one.grid === other.grid ? Math.min(one.to, other.to) - Math.max(one.from, other.from) : 0;
  const own = line.segments.filter(
    (segment) =>
      overlap(segment, head) > 0 &&
      !columns.some(({ segment: each }) => overlap(segment, each) > overlap(segment, head)),
  );
  return own.sort((a, b) => overlap(b, head) - overlap(a, head))[0];
}

function amountIn(layout: Layout, cell: Segment | undefined): Amount | undefined {
  if (cell === undefined) return undefined;
  const numbers = numbersIn(layout, cell);
  return numbers.length === 1 && numbers[0]!.percent === undefined ? toAmount(numbers[0]!) : undefined;
}

function dateIn(layout: Layout, column: 'issue' | 'supply' | 'due', cell: Segment | undefined): InvoiceDate[] {
  if (cell === undefined) return [];
  const date = layout.document.dates.find(({ start }) => start >= cell.start && start < cell.end);
  const role = ({ issue: 'invoice-issue', supply: 'supply', due: 'payment-due' } as const)[column];
  return date === undefined || (date.iso.length < 10 && column !== 'supply')
    ? []
    : [{ role, iso: date.iso, start: date.start, end: date.end }];
}

function nameIn(cell: Segment | undefined): string | undefined {
  return cell !== undefined && /\p{L}{2}/u.test(cell.text) ? cleanName(cell.text) : undefined;
}

/** One rate from a column of rates, or a rate for each pair of columns that names one: "Net 19 %", "VAT 19 %". */
function ratesOf(
  layout: Layout,
  header: Header,
  line: Line,
  net: Amount | undefined,
  tax: Amount | undefined,
  cell: Segment | undefined,
): RateLine[] {
  const named = new Map<string, { net?: Amount; tax?: Amount }>();
  for (const { segment, column, rate } of header.columns) {
    const amount =
      rate !== undefined && (column === 'net' || column === 'tax' || column === 'rate')
        ? amountIn(layout, cellUnder(line, header, segment))
        : undefined;
    if (amount === undefined) continue;
    const isTax = column === 'tax' || (column === 'rate' && !/net|ht|base|exkl|excl/.test(segment.folded));
    named.set(rate!, { ...named.get(rate!), [isTax ? 'tax' : 'net']: amount });
  }
  const pairs = [...named].filter(([, { net: own }]) => own !== undefined && own.value.numerator !== 0n);
  if (pairs.length > 0)
    return pairs.flatMap(([value, { net: own, tax: due }]) => {
      const rate = toRate(value);
      return rate === undefined || own === undefined
        ? []
        : [{ rate, net: own, ...(due === undefined ? {} : { tax: due }), hasOwnNet: true }];
    });
  const number = cell === undefined ? undefined : numbersIn(layout, cell)[0];
  const rate = number === undefined ? undefined : toRate(number.percent?.value ?? number.value);
  return rate === undefined || net === undefined
    ? []
    : [{ rate, net, ...(tax === undefined ? {} : { tax }), hasOwnNet: true }];
}

function currencyIn({ columns }: Header): string | undefined {
  for (const { segment } of columns) {
    const code =
      /\b(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK|HUF)\b/.exec(segment.text)?.[0] ??
      (segment.text.includes('€') ? 'EUR' : segment.text.includes('£') ? 'GBP' : undefined);
    if (code !== undefined) return code;
  }
  return undefined;
}
