/** The amounts of an invoice: totals, and net, tax and gross amounts by tax rate. */
import { compare, divide, isZero, multiply, type Rational, rational, sum, zero } from '../financial/rational.ts';
import { type AmountRole, amountRoleOf, baseWord, otherAmount, prepaidLabel, taxWord } from './amount-words.ts';
import { currencyOf } from './invoice-currency.ts';
import { type RateLine, ratesInSentences, uniqueRates, withPrintedNet, withTotalsOfRates } from './invoice-rates.ts';
import { type InvoiceTables, toRate } from './invoice-tables.ts';
import {
  netsOfItems,
  ratesOfItems,
  settledRates,
  settledTotals,
  soundRates,
  type Totals,
  withNetOfInvoice,
} from './invoice-totals.ts';
import { type Layout, type Line, numbersIn } from './layout.ts';
import { type Amount, isNear, toAmount } from './money.ts';

export type { RateLine } from './invoice-rates.ts';

export interface InvoiceAmounts {
  readonly net?: Amount;
  readonly tax?: Amount;
  readonly gross?: Amount;
  readonly currency?: string;
  readonly rates: readonly RateLine[];
  /** Whether prices include the tax, so that net and tax are contained in the total. */
  readonly isInclusive: boolean;
}

interface Entry {
  readonly role: AmountRole;
  readonly rate?: Rational;
  readonly base?: Amount;
  readonly amounts: readonly Amount[];
  readonly line: number;
  /** "Total", "Net amount": the label determines the total; else a bare word such as "Base". */
  readonly label: string;
}

export function findAmountsOf(layout: Layout, from: number, to: number, tables: InvoiceTables): InvoiceAmounts {
  const lines = layout.lines.slice(from, to).filter(({ index }) => !tables.lines.has(index));
  const labelled = lines.flatMap((line) => entriesOf(layout, line, false));
  // Where no label stands apart, a sentence may state the amounts: "net £ 100, VAT 20 % £ 20, total £ 120".
  const entries =
    labelled.length > 0 || tables.taxRows.length > 0
      ? labelled
      : lines.flatMap((line) => entriesOf(layout, line, true));
  const printed = withNetOfItems(totalsOf(entries, tables), entries, tables);
  const stated = ratesInSentences(layout, from, to, printed);
  const labelledRates = stated.length > 0 ? stated : ratesOf(entries, tables, printed);
  const rates =
    labelledRates.length > 0
      ? netsOfItems(labelledRates, tables.items, printed.net)
      : ratesOfItems(tables.items, printed);
  const summed = withTotalsOfRates(printed, rates);
  const contained = summed.tax ?? singleTax(rates);
  const read = withPrintedNet(layout, from, to, contained === undefined ? summed : { ...summed, tax: contained });
  const candidates = entries.flatMap(({ role, rate, amounts }) =>
    rate === undefined || role === 'tax' ? amounts.map((amount) => ({ role, amount })) : [],
  );
  const settled = settledTotals(read, candidates, rates);
  const only = Object.keys(settled).length === 0 && rates.length === 0 ? onlyAmount(layout, lines) : undefined;
  const totals = only === undefined ? settled : { gross: only };
  const ends = entries.flatMap(({ role, line }) => (role === 'gross' || role === 'due' ? [layout.lines[line]!] : []));
  const currency = currencyOf(layout, from, to, ends);
  const shown = layout.document.text.slice(layout.lines[from]?.start ?? 0, layout.lines[to - 1]?.end ?? 0);
  const isInclusive =
    /(?:prices?|preise|prix|prezzi|precios|prijzen|priser|ceny)[^.\n]{0,40}(?:incl|inkl|ttc|iva inclus|iva incluid|toutes taxes|med m)/i.test(
      shown,
    );
  return {
    ...totals,
    ...(currency === undefined ? {} : { currency }),
    rates: soundRates(withNetOfInvoice(settledRates(rates, read, totals), totals.net), totals),
    isInclusive,
  };
}

/** If only the items state taxable amounts, their sum is the net amount, provided that adding the tax gives the total. */
function withNetOfItems(totals: Totals, entries: readonly Entry[], { items }: InvoiceTables): Totals {
  const { net, tax, gross } = totals;
  const amounts = items.flatMap(({ amount }) => amount ?? []);
  const taxes =
    tax === undefined
      ? entries
          .filter(({ role, rate }) => role === 'tax' && rate !== undefined)
          .flatMap(({ amounts: own }) => own.at(-1) ?? [])
      : [tax];
  if (net !== undefined || gross === undefined || amounts.length === 0 || taxes.length === 0) return totals;
  const value = sum(amounts.map((amount) => amount.value));
  if (!isNear(sum([value, ...taxes.map((amount) => amount.value)]), gross.value)) return totals;
  return { ...totals, net: { value, start: amounts[0]!.start, end: amounts.at(-1)!.end } };
}

/** "Flat fee 640.00 EUR": the only amount of money on an invoice without a label is what it charges. */
function onlyAmount(layout: Layout, lines: readonly Line[]): Amount | undefined {
  const found: Amount[] = [];
  for (const { segments } of lines) {
    for (const segment of segments) {
      for (const number of numbersIn(layout, segment)) {
        const [from, to] = [number.start - segment.start, number.end - segment.start];
        const isPriced = /[.,]\d{2}$/.test(segment.text.slice(from, to)) && isMoney(segment.text, from, to);
        const amount = number.percent === undefined && isPriced ? toAmount(number) : undefined;
        if (amount !== undefined) found.push(amount);
      }
    }
  }
  const [first] = found;
  return first !== undefined && found.every(({ value }) => compare(value, first.value) === 0) ? first : undefined;
}

/** One rate alone: its tax is the invoice's. */
function singleTax(rates: readonly RateLine[]): Amount | undefined {
  return rates.length === 1 ? rates[0]!.tax : undefined;
}

/** Labels with their amounts; a line may hold several. */
function entriesOf(layout: Layout, line: Line, withProse: boolean): Entry[] {
  const entries: Entry[] = [];
  let label = '';
  let baseRate: Rational | undefined;
  let pending:
    | { role: AmountRole; rate?: Rational; base?: Amount; amounts: Amount[]; line: number; label: string }
    | undefined;
  const close = () => {
    if (pending !== undefined && pending.amounts.length > 0) entries.push(pending);
    pending = undefined;
  };
  for (const segment of line.segments) {
    if (segment.text.length > 300) return [];
    if (!withProse && isProse(segment.folded)) return entries;
    let at = 0;
    for (const number of numbersIn(layout, segment)) {
      const start = number.start - segment.start;
      const before = segment.folded.slice(at, start);
      at = number.end - segment.start;
      label = `${label} ${before}`.trim();
      if (number.percent !== undefined) {
        at = Math.max(at, number.percent.end - segment.start);
        const rate = toRate(number.percent.value);
        if (rate === undefined) continue;
        if (pending !== undefined && pending.amounts.length > 0) close();
        const role = rateRole(label, segment.folded.slice(at, at + 16));
        if (role !== undefined) pending = { role, rate, amounts: [], line: line.index, label };
        if (role === 'net') baseRate = rate;
        label = role === undefined ? label : '';
        continue;
      }
      if (!isMoney(segment.text, number.start - segment.start, at)) {
        if (/[a-z]/.test(before)) label = `${label} #`;
        continue;
      }
      const amount = toAmount(number);
      if (amount === undefined) continue;
      if (
        pending?.rate !== undefined &&
        pending.amounts.length === 0 &&
        pending.base === undefined &&
        baseWord.test(label)
      ) {
        pending = { ...pending, base: amount };
      } else if (
        /[a-z]/.test(label.replace(/(?:eur|usd|gbp|chf|nok|sek|dkk|pln|czk|kr|zl|huf|ron)\b/g, '')) ||
        pending === undefined
      ) {
        const isRest =
          pending?.rate !== undefined &&
          pending.amounts.length === 0 &&
          (amountRoleOf(label) === undefined || amountRoleOf(label) === 'tax');
        if (isRest) pending!.amounts.push(amount);
        else {
          close();
          const role = otherAmount.test(label) || label.includes('#') ? undefined : amountRoleOf(label);
          // "Base 21 % 440.00 VAT 92.40": the tax belongs to the preceding rate.
          const own = role === 'tax' && baseRate !== undefined ? { rate: baseRate } : {};
          if (role !== undefined) pending = { role, ...own, amounts: [amount], line: line.index, label };
        }
      } else pending.amounts.push(amount);
      label = '';
    }
    label = `${label} ${segment.folded.slice(at)}`.trim();
  }
  close();
  return entries;
}

/**
 * A rate next to a tax belongs to the tax; one next to "base" or "net" is the rate of that taxable amount; that of a discount
 * is neither.
 */
function rateRole(label: string, behind: string): 'tax' | 'net' | undefined {
  // "Grunnlag mva 25 %", "Base IVA 21 %": what the tax is charged on.
  const isBase = amountRoleOf(label) === 'net';
  if (!isBase && taxWord.test(`${label} ${behind}`)) return 'tax';
  const isDiscount = /rabat|discount|remise|skonto|sconto|descuento|korting|nachlass|sleva|desconto|escompte/.test(
    label,
  );
  return !isDiscount && isBase ? 'net' : undefined;
}

/** A sentence has no labels: there are too many words on both sides of its numbers. */
function isProse(folded: string): boolean {
  return folded.length > 70 && folded.split(/\s+/).filter((word) => /^[a-z]{2,}[,.]?$/.test(word)).length > 11;
}

/** Two decimals, an adjacent currency, or separated thousands; not a part of a number with letters. */
function isMoney(text: string, start: number, end: number): boolean {
  const shown = text.slice(start, end);
  if (/[.,]\d{2}\)?$/.test(shown)) return !/^[./]\d/.test(text.slice(end, end + 2));
  if (
    /^[\s]?(?:€|EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK|kr|Kč|zł|£|\$|Ft|,-|,–|\.-|:-)/.test(text.slice(end)) ||
    /(?:€|EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK|kr|£|\$)\s?[-(]?$/.test(text.slice(0, start))
  )
    return true;
  return text.trim() === shown.trim() && /^\(?-?\d{1,3}(?:[ \u00a0\u202f.,'’]\d{3})*\)?$|^\(?-?\d+\)?$/.test(shown);
}

/** A later total sums up what precedes it; an explicit total has precedence over an amount to pay. */
function totalsOf(entries: readonly Entry[], { taxRows }: InvoiceTables): Totals {
  const last = (role: AmountRole) =>
    entries.findLast((entry) => entry.role === role && entry.rate === undefined)?.amounts.at(-1);
  const totalRow = taxRows.findLast(({ isTotal }) => isTotal);
  const onlyRow =
    taxRows.filter(({ isTotal }) => !isTotal).length === 1 ? taxRows.find(({ isTotal }) => !isTotal) : undefined;
  const hasPrepayment = entries.some(({ label }) => prepaidLabel.test(label));
  const bases = entries.filter(({ role, rate }) => role === 'net' && rate !== undefined);
  const net =
    totalRow?.net ?? last('net') ?? onlyRow?.net ?? (bases.length === 1 ? bases[0]!.amounts.at(-1) : undefined);
  const tax = totalRow?.tax ?? last('tax') ?? onlyRow?.tax;
  const due = hasPrepayment ? undefined : last('due');
  const candidates = [totalRow?.gross, explicitGross(entries), due, onlyRow?.gross].filter(
    (amount) => amount !== undefined,
  );
  const fitting =
    net === undefined || tax === undefined
      ? undefined
      : candidates.find(({ value }) => isNear(value, sum([net.value, tax.value])));
  // "Sum 100, VAT 25, total 125": a sum above the tax is the net amount.
  const sums = entries
    .filter(({ role, rate }) => role === 'gross' && rate === undefined)
    .flatMap(({ amounts }) => amounts.slice(-1));
  // The amount due may be less than the total: tax withheld, a payment on account.
  const isPart = fitting === undefined && net !== undefined && tax !== undefined && candidates[0] === due;
  const gross = fitting ?? (isPart ? undefined : candidates[0]);
  const netOfSums =
    net ??
    sums.find(
      (amount) =>
        gross !== undefined &&
        tax !== undefined &&
        amount !== gross &&
        isNear(sum([amount.value, tax.value]), gross.value),
    );
  return {
    ...(netOfSums === undefined ? {} : { net: netOfSums }),
    ...(tax === undefined ? {} : { tax }),
    ...(gross === undefined ? {} : { gross }),
  };
}

function explicitGross(entries: readonly Entry[]): Amount | undefined {
  const gross = entries.filter(({ role, rate }) => role === 'gross' && rate === undefined);
  const explicit = gross.findLast(({ label }) =>
    /gross|brutto|ttc|inc|ink|invoice|rechnung|fattura|factura|factuur|faktura|grand|end|gesamt|dph|iva|tvac|credit|gutschrift|pro forma/.test(
      label,
    ),
  );
  return (explicit ?? gross.at(-1))?.amounts.at(-1);
}

function ratesOf(entries: readonly Entry[], tables: InvoiceTables, totals: Totals): RateLine[] {
  const rows = tables.taxRows.filter(({ isTotal, rate }) => !isTotal && rate !== undefined);
  const lines =
    rows.length > 0
      ? rows.map((row) => ({ ...row, rate: row.rate!, hasOwnNet: row.net !== undefined }))
      : merged(entries, totals);
  if (lines.length > 0)
    return uniqueRates(
      lines.map(({ rate, net, tax, gross, hasOwnNet }) => ({
        rate,
        hasOwnNet,
        ...(net && { net }),
        ...(tax && { tax }),
        ...(gross && { gross }),
      })),
    );
  // Without a rate next to the tax: the rate of all items, or none if no tax is charged.
  const { net, tax } = totals;
  const itemRates = tables.items.flatMap(({ rate }) => (rate === undefined ? [] : [rate]));
  const [first] = itemRates;
  const same = first !== undefined && itemRates.every((rate) => compare(rate, first) === 0) ? first : undefined;
  if (net === undefined) return [];
  if (tax !== undefined && isZero(tax.value)) return [{ rate: zero, net, tax, hasOwnNet: false }];
  if (same === undefined || (tax === undefined && !isZero(same))) return [];
  return [{ rate: same, net, ...(tax === undefined ? {} : { tax }), hasOwnNet: false }];
}

/** "VAT 19 % on 100.00: 19.00"; a rate without its own base uses the net total if it is the only rate. */
function merged(entries: readonly Entry[], { net, tax }: Totals): RateLine[] {
  const lines = entries.flatMap((entry): RateLine[] => {
    if (entry.rate === undefined || entry.role !== 'tax') return [];
    const { base, own, gross } = split(entry);
    if (own === undefined) return [];
    return [
      {
        rate: entry.rate,
        tax: own,
        hasOwnNet: base !== undefined,
        ...(base === undefined ? {} : { net: base }),
        ...(gross === undefined ? {} : { gross }),
      },
    ];
  });
  const bases = entries.filter(({ role, rate }) => role === 'net' && rate !== undefined);
  const withBases = lines.map((line) => {
    const base = line.net ?? bases.find(({ rate }) => compare(rate!, line.rate) === 0)?.amounts[0];
    return base === undefined ? line : { ...line, net: base, hasOwnNet: true };
  });
  const rates = uniqueRates(withBases);
  if (rates.length === 1 && rates[0]!.net === undefined && net !== undefined) return [{ ...rates[0]!, net }];
  return rates.length === 1 && rates[0]!.net === undefined && tax === undefined ? rates : rates;
}

/** Determines which of up to three amounts are base, tax and gross: by arithmetic, else by order. */
function split({ rate, base, amounts }: Entry): {
  readonly base?: Amount;
  readonly own?: Amount;
  readonly gross?: Amount;
} {
  const all = base === undefined ? [...amounts] : [base, ...amounts];
  if (all.length === 1) return { own: all[0]! };
  for (const net of all) {
    const own = all.find(
      (each) =>
        each !== net && isNear(each.value, divide(multiply(net.value, rate!), rational(100n)), rational(5n, 100n)),
    );
    if (own === undefined) continue;
    const gross = all.find((each) => each !== net && each !== own && isNear(each.value, sum([net.value, own.value])));
    return { base: net, own, ...(gross === undefined ? {} : { gross }) };
  }
  if (base !== undefined) return { base, own: amounts.at(-1)! };
  return all.length === 2 ? { base: all[0]!, own: all[1]! } : { own: all.at(-1)! };
}
