/** Registers: a table with an invoice in each row, each column by its header. */
import { sum } from '../financial/rational.ts';
import type { Range } from '../text/span.ts';
import { cleanName, companyIn } from './companies.ts';
import { phraseShape } from './fold.ts';
import type { RateLine } from './invoice-amounts.ts';
import type { InvoiceDate } from './invoice-dates.ts';
import { findNotes, type InvoiceNote } from './invoice-notes.ts';
import { toRate } from './invoice-tables.ts';
import { type InvoiceType, invoiceTypeOf } from './invoice-words.ts';
import { type Layout, type Line, numbersIn, type Segment } from './layout.ts';
import { type Amount, isNear, toAmount } from './money.ts';
import { type Column, columnOf } from './register-words.ts';
import { unitOfTable } from './unit-of-table.ts';

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

interface Header {
  readonly line: Line;
  readonly columns: readonly { readonly segment: Segment; readonly column: Column; readonly rate?: string }[];
  /** Whether net and tax have columns for each rate. */
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

/** Rows of all registers of a text, and the lines of the registers. */
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
    const company = ownerOf(layout, at, next);
    const currency = currencyOf(layout, at, next);
    const isSales =
      header.columns.some(({ column }) => column === 'buyer') ||
      /sales|ausgang|verkauf|vente|emitidas|expedidas|vendite|emesse|verkoop|salg|forsalj|sprzedaz|vydan|emitid/.test(
        titleOver(layout, at),
      );
    rows.push(
      ...joined(own)
        .map((row) => (row.currency === undefined && currency !== undefined ? { ...row, currency } : row))
        .map((row) => withOwner(row, company, isSales)),
    );
    at = next - 1;
  }
  return { rows, lines };
}

/** Rows of one number are the rates of one invoice, whose totals are the sums of its rows unless each row repeats them. */
function joined(rows: readonly RegisterRow[]): RegisterRow[] {
  const byNumber = new Map<string, RegisterRow[]>();
  for (const row of rows) {
    const key = `${row.number.value}|${row.seller ?? row.buyer ?? ''}`;
    const known = byNumber.get(key);
    if (known === undefined) byNumber.set(key, [row]);
    else known.push(row);
  }
  return [...byNumber.values()].map((own) => {
    if (own.length === 1) return own[0]!;
    const { net: _net, tax: _tax, gross: _gross, ...first } = own[0]!;
    const notes = own.flatMap((row) => row.notes);
    return {
      ...first,
      ...totalsOf(own),
      rates: own.flatMap(({ rates }) => rates),
      notes: notes.filter(({ note }, at) => notes.findIndex((each) => each.note === note) === at),
    };
  });
}

function totalsOf(rows: readonly RegisterRow[]): Pick<RegisterRow, 'net' | 'tax' | 'gross'> {
  const total = (name: 'net' | 'tax' | 'gross') => {
    const amounts = rows.flatMap((row) => row[name] ?? []);
    if (amounts.length < rows.length) return undefined;
    return { value: sum(amounts.map(({ value }) => value)), start: amounts[0]!.start, end: amounts.at(-1)!.end };
  };
  const [net, tax, gross] = [total('net'), total('tax'), total('gross')];
  const whole = net === undefined || tax === undefined ? undefined : sum([net.value, tax.value]);
  const [printed] = rows.map((row) => row.gross);
  // Each row repeats the total of the invoice.
  const isRepeated =
    whole !== undefined &&
    printed !== undefined &&
    rows.every((row) => row.gross !== undefined && isNear(row.gross.value, whole));
  const ownGross = isRepeated
    ? printed
    : gross !== undefined && (whole === undefined || isNear(gross.value, whole))
      ? gross
      : undefined;
  return {
    ...(net === undefined ? {} : { net }),
    ...(tax === undefined ? {} : { tax }),
    ...(ownGross === undefined ? {} : { gross: ownGross }),
  };
}

function withOwner(row: RegisterRow, owner: string | undefined, isSales: boolean): RegisterRow {
  if (owner === undefined) return row;
  if (isSales) return row.seller === undefined ? { ...row, seller: owner } : row;
  return row.buyer === undefined ? { ...row, buyer: owner } : row;
}

const ownerLabel = phraseShape(
  'sujeto pasivo|contribuyente|taxable person|taxpayer|company|entity|unternehmen|unternehmer|mandant|firma|steuerpflichtiger|societe|assujetti|entreprise|soggetto passivo|contribuente|ditta|azienda|ragione sociale|denominazione|podatnik|onderneming|bedrijf|belastingplichtige|foretag|firmanavn|foretaksnavn|selskap|virksomhed|danovy subjekt|platce|sujeito passivo|empresa|yritys|kaufmann|client|mandante|titular|declarant',
);

function ownerOf(layout: Layout, header: number, behind: number): string | undefined {
  const above = layout.lines.slice(Math.max(0, header - 30), header).toReversed();
  const below = layout.lines.slice(behind, behind + 20);
  for (const { segments } of [...above, ...below]) {
    for (const [index, { text, folded }] of segments.entries()) {
      const label = ownerLabel.exec(folded);
      if (label === null || label.index > 40 || text.length > 200) continue;
      const at = text.indexOf(':', label.index);
      const rest = at === -1 ? (label.index === 0 ? text.slice(label[0].length) : '') : text.slice(at + 1);
      const shown = rest.trim() === '' ? (segments[index + 1]?.text ?? '') : rest;
      const name = companyIn(shown.trim()) ?? (at === -1 ? undefined : cleanName(shown.split(/[,;(]|\s[–—|-]\s/)[0]!));
      if (name !== undefined && name.length > 2) return name;
    }
  }
  // The nearest company that a title or a closing line names.
  const parts = [...above, ...below].flatMap(({ segments }) =>
    segments
      .filter(({ text }) => text.length < 160 && !/iban|bank|steuerberat|accountants?|prufung|software/i.test(text))
      .flatMap(({ text }) => text.split(/\s[–—|·-]\s|:\s|,\s(?=\p{Lu}\p{Ll}+ \d)/u)),
  );
  return parts.flatMap((text) => companyIn(text.trim()) ?? [])[0];
}

/** Named above the table or in a note; else the only currency of the text. */
function currencyOf(layout: Layout, header: number, behind: number): string | undefined {
  const unit = unitOfTable(layout, header, header).currency;
  if (unit !== undefined) return unit;
  const outside = [...layout.lines.slice(0, header), ...layout.lines.slice(behind)].map(({ segments }) =>
    segments.map(({ text }) => text).join(' '),
  );
  const codes = new Set(
    outside
      .flatMap((line) => line.match(/(?<![A-Za-z])(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK|HUF)(?![A-Za-z])|[€£]/g) ?? [])
      .values(),
  );
  const named = [...codes].map((code) => (code === '€' ? 'EUR' : code === '£' ? 'GBP' : code));
  return new Set(named).size === 1 ? named[0] : undefined;
}

function titleOver(layout: Layout, header: number): string {
  return layout.lines
    .slice(Math.max(0, header - 6), header)
    .map(({ segments }) => segments.map(({ folded }) => folded).join(' '))
    .join(' ');
}

/** Papers that are no invoices, in a column of types. */
const otherPaper = phraseShape(
  'offer|quote|quotation|estimate|order|order confirmation|delivery note|reminder|statement|payment|receipt|offerte|angebot|auftrag|auftragsbestatigung|kostenvoranschlag|lieferschein|mahnung|zahlung|devis|commande|bon de commande|bon de livraison|paiement|relance|preventivo|ordine|ddt|pagamento|presupuesto|oferta|pedido|albaran|pago|orderbevestiging|bestelling|pakbon|herinnering|aanmaning|betaling|tilbud|ordre|purring|offert|bestallning|paminnelse|zamowienie|wplata|nabidka|objednavka|platba|orcamento|encomenda',
);

const totalRow =
  /^(?:total|totals|totale|totaal|totalt|sum|summe|summa|suma|gesamt|razem|celkem|subtotal|zwischensumme|i alt|yhteensa|grand total)(?![a-z])/;

function rowAt(layout: Layout, header: Header, line: Line): RegisterRow | undefined {
  if (line.segments.length < 3 || totalRow.test(line.segments[0]!.folded)) return undefined;
  const cellOf = (column: Column) => {
    // A column of one rate contains no total.
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
  if (otherPaper.test(cellOf('type')?.folded ?? '')) return undefined;
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
    rates: ratesOf(layout, header, line, { net, tax, gross }, cellOf('rate')),
    ...(seller === undefined ? {} : { seller }),
    ...(buyer === undefined ? {} : { buyer }),
    ...(currency === undefined ? {} : { currency }),
    ...(net === undefined ? {} : { net }),
    ...(tax === undefined ? {} : { tax }),
    ...(gross === undefined ? {} : { gross }),
  };
}

/** The cell that shares columns with the header and no more with another header. */
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
  { net, tax, gross }: { [Name in 'net' | 'tax' | 'gross']: Amount | undefined },
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
    : [
        {
          rate,
          net,
          ...(tax === undefined ? {} : { tax }),
          ...(gross === undefined ? {} : { gross }),
          hasOwnNet: true,
        },
      ];
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
