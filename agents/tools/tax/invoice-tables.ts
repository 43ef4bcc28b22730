/** Tables of an invoice: the tax analysis by rate, and the items, with columns identified by their headers. */
import { compare, type Rational, rational, sum } from '../financial/rational.ts';
import { amountRoleOf, type ColumnRole, columnRoleOf, taxWord } from './amount-words.ts';
import { type Layout, type Line, numbersIn, type Segment, type SegmentNumber } from './layout.ts';
import { type Amount, isNear, toAmount } from './money.ts';

export interface TaxTableRow {
  readonly line: number;
  readonly rate?: Rational;
  readonly isTotal: boolean;
  readonly net?: Amount;
  readonly tax?: Amount;
  readonly gross?: Amount;
}

export interface ItemRow {
  readonly line: number;
  readonly quantity?: Rational;
  readonly price?: Rational;
  readonly rate?: Rational;
  readonly hasDiscount: boolean;
  readonly amount?: Amount;
  /** In a column of its own. */
  readonly tax?: Amount;
}

export interface InvoiceTables {
  readonly taxRows: readonly TaxTableRow[];
  readonly items: readonly ItemRow[];
  /** Lines that belong to a table; labels of totals are searched in the other lines. */
  readonly lines: ReadonlySet<number>;
}

interface Header {
  readonly line: Line;
  readonly columns: readonly { readonly segment: Segment; readonly role: ColumnRole | undefined }[];
  readonly isItems: boolean;
}

export function findInvoiceTables(layout: Layout, from: number, to: number): InvoiceTables {
  const taxRows: TaxTableRow[] = [];
  const items: ItemRow[] = [];
  const lines = new Set<number>();
  for (let at = from; at < to; at += 1) {
    const header = headerAt(layout.lines[at]!);
    if (header === undefined) continue;
    lines.add(at);
    let row = at + 1;
    for (; row < to && headerAt(layout.lines[row]!) === undefined; row += 1) {
      const line = layout.lines[row]!;
      if (header.isItems) {
        if (line.follows === 'gap' && line.segments.length < 3 && items.length > 0) break;
        const total = totalOfItems(layout, header, line);
        if (total !== undefined) {
          taxRows.push(total);
          lines.add(row);
          continue;
        }
        const item = itemRow(layout, header, line);
        if (item !== undefined) items.push(item);
        continue;
      }
      const found = taxRow(layout, header, line);
      if (found === undefined) {
        if (line.segments.length === 1 && !/\d/.test(line.segments[0]!.text)) continue;
        break;
      }
      taxRows.push(found);
      lines.add(row);
    }
    at = header.isItems ? at : row - 1;
  }
  return { taxRows, items, lines };
}

function headerAt(line: Line): Header | undefined {
  const { segments } = line;
  if (
    segments.length < 2 ||
    segments.some(({ text }) => /\d[.,]\d\d/.test(text)) ||
    segments.filter(({ text }) => /\d/.test(text)).length > 1
  )
    return undefined;
  const columns = withGoodsAsBase(segments.map((segment) => ({ segment, role: columnRoleOf(segment.folded) })));
  const roles = columns.map(({ role }) => role);
  const count = (role: ColumnRole) => roles.filter((each) => each === role).length;
  const isItems =
    (count('item') > 0 || count('number') > 0 ? 1 : 0) +
      (count('quantity') > 0 ? 1 : 0) +
      (count('price') > 0 ? 1 : 0) >=
    2;
  if (isItems) return { line, columns, isItems };
  const amounts = (['net', 'tax', 'gross'] as const).filter((role) => count(role) > 0).length;
  if (amounts < 2 || count('quantity') > 0 || count('price') > 0) return undefined;
  return { line, columns, isItems };
}

/** "Code, Rate, Goods £, VAT £": between a rate and its tax, the value of the goods is what is taxed. */
function withGoodsAsBase(columns: Header['columns']): Header['columns'] {
  const has = (role: ColumnRole) => columns.some((column) => column.role === role);
  if (!has('rate') || !has('tax') || has('net') || has('gross') || has('quantity') || has('price')) return columns;
  return columns.map((column) =>
    column.role === 'item' &&
    /^(?:goods|services|sales|supplies|value|waren?|marchandises?|merc[ei]|mercancias?|goederen|varer|varor|towary)(?![a-z])/.test(
      column.segment.folded,
    )
      ? { ...column, role: 'net' as const }
      : column,
  );
}

/** The header that a number stands under: the one that shares most columns, else by its place from the right. */
function columnsOf(
  header: Header,
  numbers: readonly (SegmentNumber & { readonly segment: Segment })[],
): (ColumnRole | undefined)[] {
  const usable = header.columns.filter(({ role }) => role !== 'label' && role !== 'number' && role !== 'item');
  // In a grid, the place of a cell says more than its order.
  const isPlaced = numbers.every(
    ({ segment }) => segment.grid !== 0 && segment.grid === header.columns[0]?.segment.grid,
  );
  if (numbers.length === usable.length && !header.isItems && !isPlaced) return usable.map(({ role }) => role);
  return numbers.map(({ segment, start, end }) => {
    const from = segment.from + (segment.grid === 0 ? start - segment.start : 0);
    const to = segment.grid === 0 ? from + end - start : segment.to;
    let best: ColumnRole | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const { segment: head, role } of header.columns) {
      if (head.grid !== segment.grid) continue;
      const overlap = Math.min(to, head.to) - Math.max(from, head.from);
      if (overlap > most) [best, most] = [role, overlap];
    }
    return most > -4 ? best : undefined;
  });
}

const totalWord =
  /^(?:total|totals|totale|totali|totales|totais|totaux|totaal|totalt|sum|summe|summa|suma|gesamt|gesamtsumme|razem|celkem|spolu|i alt|yhteensa|osszesen|ukupno|skupaj|ogolem|insgesamt)(?![a-z])/;

/** "Exempt art. 10 no. 20", "E10". */
const lawOrCode = /[a-z]{3}.*[a-z]{2}|^[a-z]{1,3}[-. ]?\d{1,3}$/;

function taxRow(layout: Layout, header: Header, line: Line): TaxTableRow | undefined {
  // "Exempt art. 10 no. 20": the numbers of a law are no amounts.
  const numbers = line.segments.flatMap((segment) =>
    numbersIn(layout, segment)
      .map((number) => ({ ...number, segment }))
      .filter(({ percent }) => percent !== undefined || !lawOrCode.test(segment.folded)),
  );
  const label = line.segments
    .filter(({ folded }) => /[a-z]/.test(folded))
    .map(({ folded }) => folded)
    .join(' ');
  if (!zeroWord.test(label) && /[a-z]{3,}(?: [a-z]+){4,}/.test(label)) return undefined;
  const percents = numbers.filter(({ percent }) => percent !== undefined);
  const rest = numbers.filter(({ percent }) => percent === undefined);
  const hasRateColumn = header.columns.some(({ role }) => role === 'rate');
  const bare = percents.length === 0 && hasRateColumn ? bareRate(header, rest) : undefined;
  const amounts = rest.filter((number) => number !== bare);
  // "Totale documento 714.00" below the analysis is not a row of it.
  const isTotal = totalWord.test(label) && percents.length === 0 && (amounts.length > 1 || isBareTotal(label));
  const inHead = isTotal ? undefined : rateInHead(header);
  const hasRate = percents.length > 0 || bare !== undefined || inHead !== undefined;
  if (amounts.length === 0 || (!hasRate && !isTotal && !zeroWord.test(label))) return undefined;
  const withoutRate: Header = {
    ...header,
    columns: header.columns.filter(
      ({ role }, index) => role !== 'rate' && !(index === 0 && header.columns.length > amounts.length),
    ),
  };
  const roles = columnsOf(amounts.length === withoutRate.columns.length ? withoutRate : header, amounts);
  const found: { net?: Amount; tax?: Amount; gross?: Amount } = {};
  for (const [index, number] of amounts.entries()) {
    const role = roles[index];
    const value = toAmount(number);
    if (value !== undefined && (role === 'net' || role === 'tax' || role === 'gross')) found[role] ??= value;
  }
  if (found.net === undefined && found.tax === undefined) return undefined;
  const percent = percents[0]?.percent?.value ?? bare?.value ?? inHead ?? (isTotal ? undefined : '0');
  const rate = percent === undefined ? undefined : toRate(percent);
  return { line: line.index, isTotal, ...(rate === undefined ? {} : { rate }), ...found };
}

/** "Totaal", "Total EUR"; but "Total HT", "Total VAT" and "Total to pay" name one total of the invoice. */
function isBareTotal(label: string): boolean {
  const rest = label.replace(totalWord, '').trim();
  return /^[a-z ]{2,12}:?$/.test(label) && (rest === '' || amountRoleOf(rest) === undefined);
}

/** "VAT 23 %" over the amounts of tax, and no other rate in the header. */
function rateInHead({ columns }: Header): string | undefined {
  const rates = columns.flatMap(({ segment, role }) =>
    role === 'tax' ? (/(\d{1,2}(?:[.,]\d{1,2})?) ?%/.exec(segment.folded)?.[1] ?? []) : [],
  );
  return rates.length === 1 && columns.every(({ role }) => role !== 'rate') ? rates[0]!.replace(',', '.') : undefined;
}

/** Rows of an analysis for what is not taxed. */
const zeroWord =
  /^(?:[a-z]{0,2}\d{0,3}\s{1,3})?(?:exempt|zero|steuerfrei|reverse|exonere|esente|exento|exenta|vrijgesteld|fritatt|momsfri|zw|np|oo|osvobozeno|isento|non imponibil|escluso art|fuori campo|autoliquidation|inversione contabile|no sujet|export|intra|nicht steuerbar|avgiftsfri|verlegd)/;

/** In a column of rates, the sign may be missing: "23", "8,1". */
function bareRate(
  header: Header,
  numbers: readonly (SegmentNumber & { readonly segment: Segment })[],
): SegmentNumber | undefined {
  const index = columnsOf({ ...header, isItems: true }, numbers).indexOf('rate');
  const found = numbers[index];
  return found !== undefined && /^\d{1,2}(?:\.\d{1,2})?$/.test(found.value) ? found : undefined;
}

export function toRate(value: string): Rational | undefined {
  const amount = toAmount({ value, ambiguous: false, start: 0, end: 0 });
  return amount !== undefined && compare(amount.value, rational(-1n)) > 0 && compare(amount.value, rational(30n)) < 0
    ? amount.value
    : undefined;
}

/** The row of totals below items with columns for net, tax and gross amounts: its amounts must add up. */
function totalOfItems(layout: Layout, header: Header, line: Line): TaxTableRow | undefined {
  if (!totalWord.test(line.segments[0]!.folded.replace(/^[^a-z]+/, ''))) return undefined;
  const numbers = line.segments.flatMap((segment) =>
    numbersIn(layout, segment)
      .filter(({ percent }) => percent === undefined)
      .map((number) => ({ ...number, segment })),
  );
  const roles = columnsOf({ ...header, isItems: true }, numbers);
  const at = (role: ColumnRole) => {
    const number = numbers[roles.indexOf(role)];
    return number === undefined ? undefined : toAmount(number);
  };
  const [net, tax, gross] = [at('net'), at('tax'), at('gross')];
  if (net === undefined || tax === undefined || gross === undefined) return undefined;
  return isNear(sum([net.value, tax.value]), gross.value)
    ? { line: line.index, isTotal: true, net, tax, gross }
    : undefined;
}

function itemRow(layout: Layout, header: Header, line: Line): ItemRow | undefined {
  // Totals and taxes below the items are not items.
  const label = line.segments[0]!.folded;
  if (totalWord.test(label) || (taxWord.test(label) && label.length < 40 && !/^\d/.test(label))) return undefined;
  const segments = line.segments.filter(
    ({ text }) =>
      /^[^\p{L}]*\d[^\p{L}]*(?:\p{L}{1,6}\.?)?$/u.test(text) ||
      /^\(?-?[€£$]?[\d.,' \u00a0]+\)?\s?(?:€|EUR|CHF|kr|zł|£)?$/.test(text) ||
      /%/.test(text),
  );
  const numbers = segments.flatMap((segment) =>
    numbersIn(layout, segment)
      .slice(0, 1)
      .map((number) => ({ ...number, segment })),
  );
  if (numbers.length < 2) return undefined;
  const roles = columnsOf({ ...header, isItems: true }, numbers);
  const at = (role: ColumnRole) => numbers[roles.indexOf(role)];
  const valueIn = (role: ColumnRole) => {
    const number = at(role);
    return number === undefined || number.percent !== undefined ? undefined : toAmount(number)?.value;
  };
  const percent = numbers.find((number, index) => number.percent !== undefined && roles[index] !== 'discount');
  const bare = at('rate');
  const rate = toRate(
    percent?.percent?.value ?? (bare !== undefined && /^\d{1,2}(?:\.\d{1,2})?$/.test(bare.value) ? bare.value : 'x'),
  );
  const amountRole = (['net', 'gross'] as const).find(
    (role) => at(role) !== undefined && at(role)!.percent === undefined,
  );
  const amount = amountRole === undefined ? undefined : toAmount(at(amountRole)!);
  const discount = at('discount');
  const [quantity, price] = [valueIn('quantity'), valueIn('price')];
  const taxed = at('tax');
  const tax = taxed === undefined || taxed.percent !== undefined ? undefined : toAmount(taxed);
  if (amount === undefined && rate === undefined) return undefined;
  return {
    line: line.index,
    hasDiscount: discount !== undefined || numbers.filter((number) => number.percent !== undefined).length > 1,
    ...(quantity === undefined ? {} : { quantity }),
    ...(price === undefined ? {} : { price }),
    ...(rate === undefined ? {} : { rate }),
    ...(amount === undefined ? {} : { amount }),
    ...(tax === undefined ? {} : { tax }),
  };
}
