/** Inconsistencies between the figures of an invoice, and the particulars that it lacks. */
import { absolute, compare, divide, multiply, type Rational, rational, subtract, sum } from '../financial/rational.ts';
import type { Range } from '../text/span.ts';
import { foldText, phraseShape } from './fold.ts';
import type { InvoiceAmounts } from './invoice-amounts.ts';
import type { InvoiceDate } from './invoice-dates.ts';
import type { InvoiceNote } from './invoice-notes.ts';
import type { InvoiceParties } from './invoice-parties.ts';
import type { InvoiceTables, ItemRow } from './invoice-tables.ts';
import type { InvoiceType } from './invoice-words.ts';
import { isNear } from './money.ts';

export interface ArithmeticError extends Range {
  readonly of: 'line-amount' | 'net-total' | 'tax' | 'tax-total' | 'gross-total';
  readonly stated: Rational;
  readonly correct: Rational;
}

/** Maximum difference of the tax of a rate that is explained by rounding of its items. */
const taxRoundingMax = rational(6n, 100n);

export function findErrors(amounts: InvoiceAmounts, items: readonly ItemRow[]): ArithmeticError[] {
  return [...taxErrors(amounts), ...totalErrors(amounts), ...lineErrors(items)];
}

function taxErrors({ rates }: InvoiceAmounts): ArithmeticError[] {
  return rates.flatMap(({ rate, net, tax, gross }): ArithmeticError[] => {
    if (net === undefined || tax === undefined) return [];
    const correct = cents(divide(multiply(net.value, rate), rational(100n)));
    // If prices include the tax, it is extracted from the gross amount.
    const contained =
      gross === undefined ? undefined : divide(multiply(gross.value, rate), sum([rational(100n), rate]));
    if (
      isNear(tax.value, correct, taxRoundingMax) ||
      (contained !== undefined && isNear(tax.value, contained, taxRoundingMax))
    )
      return [];
    return [{ of: 'tax', stated: tax.value, correct, start: tax.start, end: tax.end }];
  });
}

function totalErrors(amounts: InvoiceAmounts): ArithmeticError[] {
  const { net, tax, gross, rates } = amounts;
  const errors: ArithmeticError[] = [];
  const nets = rates.map(({ net }) => net?.value);
  const taxes = rates.map(({ tax }) => tax?.value);
  const isComplete =
    rates.length > 0 &&
    rates.every(({ hasOwnNet }) => hasOwnNet) &&
    net !== undefined &&
    nets.every((value) => value !== undefined) &&
    isNear(sum(nets as Rational[]), net.value);
  const taxSum = taxes.length > 0 && taxes.every((value) => value !== undefined) ? sum(taxes as Rational[]) : undefined;
  if (
    isComplete &&
    tax !== undefined &&
    rates.length > 1 &&
    taxSum !== undefined &&
    !isNear(tax.value, taxSum, taxRoundingMax)
  ) {
    errors.push({ of: 'tax-total', stated: tax.value, correct: taxSum, start: tax.start, end: tax.end });
  }
  const whole = tax?.value ?? (isComplete ? taxSum : undefined);
  if (net === undefined || whole === undefined || gross === undefined || gross.start === net.start) return errors;
  const correct = sum([net.value, whole]);
  const isRounded =
    isNear(gross.value, correct, rational(99n, 100n)) && compare(gross.value, floorOf(gross.value)) === 0;
  // Prices that include the tax have no net total.
  if (
    !isNear(gross.value, correct, taxRoundingMax) &&
    !isNear(gross.value, net.value) &&
    !isRounded &&
    errors.length === 0 &&
    isPlausible(gross.value, correct)
  ) {
    errors.push({ of: 'gross-total', stated: gross.value, correct, start: gross.start, end: gross.end });
  }
  return errors;
}

/** A difference of more than a fifth is more likely a misread amount. */
function isPlausible(stated: Rational, correct: Rational): boolean {
  return compare(absolute(subtract(stated, correct)), absolute(divide(correct, rational(5n)))) <= 0;
}

/** Items whose amount is not quantity times price, if that holds for most items. */
function lineErrors(items: readonly ItemRow[]): ArithmeticError[] {
  const full = items.filter(
    ({ quantity, price, amount, hasDiscount }) =>
      quantity !== undefined && price !== undefined && amount !== undefined && !hasDiscount,
  );
  const wrong = full.filter(
    ({ quantity, price, amount }) => !isNear(cents(multiply(quantity!, price!)), amount!.value),
  );
  if (full.length < 2 || wrong.length * 2 > full.length) return [];
  return wrong.flatMap(({ quantity, price, amount }): ArithmeticError[] => {
    const correct = cents(multiply(quantity!, price!));
    // Prices per hundred or thousand, and credits without their sign, are not errors.
    const isUnit =
      [10n, 100n, 1000n].some((factor) => isNear(multiply(amount!.value, rational(factor)), correct)) ||
      isNear(absolute(amount!.value), absolute(correct));
    return isUnit
      ? []
      : [{ of: 'line-amount', stated: amount!.value, correct, start: amount!.start, end: amount!.end }];
  });
}

/** Rounded half up to two decimals. */
export function cents(value: Rational): Rational {
  const scaled = value.numerator * 200n + (value.numerator >= 0n ? value.denominator : -value.denominator);
  return rational(scaled / (2n * value.denominator), 100n);
}

function floorOf({ numerator, denominator }: Rational): Rational {
  return rational(numerator / denominator);
}

export type Particular = 'issue-date' | 'seller-vat-number' | 'buyer-vat-number' | 'buyer-address' | 'supply-date';

export interface InvoiceFacts {
  readonly type: InvoiceType;
  readonly parties: InvoiceParties;
  readonly dates: readonly InvoiceDate[];
  readonly notes: readonly InvoiceNote[];
  readonly amounts: InvoiceAmounts;
  readonly tables: InvoiceTables;
  /** VAT numbers that stand on it. */
  readonly vatNumbers: readonly { readonly country: string }[];
  readonly text: string;
}

/** The states whose sellers are bound by Article 226, and the United Kingdom, which kept it. */
const boundCountries = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI GB'.split(' '),
);
const anyTaxNumber = phraseShape(
  'steuernummer|steuer nr|st nr|tax number|tax no|nip|nif|cif|p iva|partita iva|vat|ust idnr|uid|tva|btw|moms|dic|oib|org nr|orgnr|alv|cvr',
);
/** Invoices that need not name the customer. @see Directive 2006/112/EC, Articles 220a and 226b */
const simplified =
  /\b(?:simplified invoice|factura simplificada|facture simplifiee|fattura semplificata|kleinbetragsrechnung|vereenvoudigde factuur|faktura uproszczona|forenklet faktura|forenklad faktura|fatura simplificada|zjednoduseny danovy doklad)\b/;
const despatched = phraseShape(
  'despatched|dispatched|goods delivered|delivered per|shipped per|delivery docket|per docket|see delivery note|laut lieferschein|siehe lieferschein|gemass lieferschein|selon bon de livraison|voir bon de livraison|come da ddt|vedi ddt|segun albaran|ver albaran|volgens pakbon|zie pakbon|wedlug wz|podle dodaciho listu|enligt foljesedel|iht pakkseddel',
);

/**
 * The particulars of Article 226 of Directive 2006/112/EC that the text certainly lacks. Particulars that the tool may have
 * failed to read are never reported; a pro forma invoice is not an invoice.
 */
export function findMissing(facts: InvoiceFacts): Particular[] {
  const { type, parties, dates, notes, vatNumbers, text } = facts;
  if (type === 'pro-forma' || facts.amounts.gross === undefined) return [];
  const folded = foldText(text);
  const isBound = vatNumbers.length === 0 ? false : vatNumbers.some(({ country }) => boundCountries.has(country));
  const missing: Particular[] = [];
  if (
    vatNumbers.length === 0 &&
    !anyTaxNumber.test(
      folded.replace(/(?:vat|ust|tva|btw|moms)[ ]?(?:@|\d|amount|total|rate|analysis|summary|betrag)/g, ''),
    ) &&
    facts.amounts.rates.some(({ rate }) => rate.numerator !== 0n)
  )
    missing.push('seller-vat-number');
  if (!isBound) return missing;
  const crossBorder = notes.some(({ note }) => note === 'reverse-charge' || note === 'intra-community-supply');
  if (crossBorder && vatNumbers.length === 1) missing.push('buyer-vat-number');
  const { buyer } = parties;
  if (buyer?.isLabelled === true && !buyer.hasAddress && !simplified.test(folded)) missing.push('buyer-address');
  if (!dates.some(({ role }) => role === 'supply') && type === 'invoice' && despatched.test(folded))
    missing.push('supply-date');
  if (facts.parties.seller !== undefined && !/\d{4}|\d\d?[./]\d\d?[./]\d\d/.test(text)) missing.push('issue-date');
  return missing;
}
