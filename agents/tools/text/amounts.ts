/** Amounts of money in a text: a number with a currency next to it. */
import { decimal, multiply, plainDecimal } from './decimal.ts';
import { isBlank } from './lines.ts';
import { findNumbers, type NumberHint } from './numbers.ts';
import type { Range } from './span.ts';

export interface FoundAmount extends Range {
  /** ISO 4217. A bare dollar sign means USD, "kr" is undefined: see `currencyMark`. */
  readonly currency?: string;
  /** The sign as written, if it is ambiguous between currencies: "kr", "¥". */
  readonly currencyMark?: string;
  /** Exact decimal with the multiplier applied: "EUR 1.5 million" is 1500000. */
  readonly value: string;
}

/**
 * Ordered by position in the text. Accepts currency signs before and after the number (`€ 1,500.00`, `1.500,00 EUR`, `USD 2.5
 * million`, `5 Mio. €`, `100 000 Kč`). In amounts of money, a single separator before exactly three digits separates thousands
 * unless a multiplier follows.
 */
export function findAmounts(text: string, hint: NumberHint = {}): FoundAmount[] {
  const found: FoundAmount[] = [];
  for (const number of findNumbers(text, hint)) {
    if (!couldBeMoney(text, number)) continue;
    const before = text.slice(Math.max(0, number.start - 12), number.start);
    const multiplier = multiplierAfter(text, number.end);
    const valueEnd = number.end + (multiplier?.length ?? roundEnd(text, number.end));
    const first = currencyBefore(before, text.slice(number.start, number.end));
    const second = first === undefined ? currencyAfter(text, valueEnd) : undefined;
    const mark = first ?? second;
    if (mark === undefined) continue;
    const thousands = first === undefined ? 0 : zerosBefore(before.slice(0, before.length - first.length));
    const zeros = (multiplier?.zeros ?? 0) + thousands + (mark.zeros ?? 0);
    const value = multiplied(inMoney(number, multiplier !== undefined), zeros);
    found.push({
      start: first === undefined ? number.start : number.start - first.length,
      end: second === undefined ? valueEnd : valueEnd + second.length,
      ...(mark.currency === undefined ? { currencyMark: mark.written } : { currency: mark.currency }),
      value,
    });
  }
  return found;
}

/**
 * A cheap test for texts that are mostly numbers: a letter or a sign is next to the number, with at most two blanks between
 * them.
 */
function couldBeMoney(text: string, { start, end }: Range): boolean {
  let before = start - 1;
  while (before >= 0 && start - before < 3 && isBlank(text.charCodeAt(before))) before -= 1;
  const from = end + (text[end] === ',' || text[end] === '.' ? roundEnd(text, end) : 0);
  let after = from;
  while (after < text.length && after - from < 2 && isBlank(text.charCodeAt(after))) after += 1;
  return isMarkOrLetter(text, before) || isMarkOrLetter(text, after);
}

/** All characters except blanks, digits and the usual punctuation; a point may end "Fr." and "Kč.". */
function isMarkOrLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    code === 0x24 || code === 0x2e || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code > 0xa0
  );
}

interface Mark {
  readonly currency?: string;
  readonly written: string;
  /** Includes the blanks between it and the number. */
  readonly length: number;
  /** "150 TEUR" counts in thousands. */
  readonly zeros?: number;
}

const codes = new Set(
  (
    'EUR USD GBP CHF CZK PLN HUF RON BGN SEK NOK DKK ISK HRK RSD UAH TRY RUB JPY CNY HKD SGD AUD NZD CAD MXN BRL ARS CLP ' +
    'COP INR IDR KRW THB MYR PHP TWD VND ZAR ILS AED SAR QAR EGP NGN KES XDR'
  ).split(' '),
);

/** Currency signs that are not codes. Undefined: the sign alone does not identify the currency. */
const marks: ReadonlyMap<string, string | undefined> = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['us$', 'USD'],
  ['a$', 'AUD'],
  ['c$', 'CAD'],
  ['£', 'GBP'],
  ['¥', undefined],
  ['₹', 'INR'],
  ['₽', 'RUB'],
  ['₴', 'UAH'],
  ['₪', 'ILS'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['zł', 'PLN'],
  ['kč', 'CZK'],
  ['kčs', 'CZK'],
  ['ft', 'HUF'],
  ['lei', 'RON'],
  ['kr', undefined],
  ['fr', 'CHF'],
  ['sfr', 'CHF'],
  ['euro', 'EUR'],
  ['euros', 'EUR'],
  ['dollar', 'USD'],
  ['dollars', 'USD'],
  ['pounds', 'GBP'],
]);

const markBefore =
  /((?:US|A|C)\$|[€$£¥₹₽₴₪₩₺]|(?<![\p{L}\d])(?:[A-Z]{3}|TEUR|Fr|SFr|kr|Kč|[Ee]uros?|EUROS?|(?:U\.?S\.? )?[Dd]ollars?)\.?)[ \u00a0\u202f]{0,2}$/u;
/** "Euro 6", "Euro 2024": a norm or an event, and a year below the heading "in Euro". */
const noAmountOfEuro = /^(?:\d|(?:19|20)\d\d)$/;
const markAfter =
  /[ \u00a0\u202f]{0,2}(?:(?:de |di |d['’])(?=[Ee]uros?|[Dd]ollars?))?((?:US|A|C)\$|[Tk]€|[€$£¥₹₽₴₪₩₺]|(?:[A-Z]{3}|TEUR|kEUR|KEUR|(?:U\.?S\.? )?[Dd]ollars?|[Ee]uros?|[Pp]ounds|Ft|lei|kr|K[čČ]s?|zł|Fr|SFr)(?![\p{L}\d]))/uy;

function currencyBefore(before: string, number: string): Mark | undefined {
  const match = markBefore.exec(before);
  if (match === null || (/^euros?$/i.test(match[1]!) && noAmountOfEuro.test(number))) return undefined;
  return markOf(match[1]!, match[0].length);
}

/** "15.000,- EUR": a dash in place of the cents. */
function roundEnd(text: string, at: number): number {
  return /^[,.][-–—]{1,2}/.exec(text.slice(at, at + 3))?.[0].length ?? 0;
}

const inThousands = new Set(['TEUR', 'kEUR', 'KEUR', 'T€', 'k€']);

function currencyAfter(text: string, at: number): Mark | undefined {
  markAfter.lastIndex = at;
  const match = markAfter.exec(text);
  return match === null ? undefined : markOf(match[1]!, match[0].length);
}

function markOf(written: string, length: number): Mark | undefined {
  const bare = written.endsWith('.') ? written.slice(0, -1) : written;
  if (inThousands.has(bare)) return { currency: 'EUR', written: bare, length, zeros: 3 };
  if (codes.has(bare)) return { currency: bare, written: bare, length };
  const key = /dollars?$/i.test(bare) ? 'dollars' : bare.toLowerCase();
  if (!marks.has(key)) return undefined;
  const currency = marks.get(key);
  return currency === undefined ? { written: bare, length } : { currency, written: bare, length };
}

interface Multiplier {
  readonly zeros: number;
  readonly length: number;
}

const multiplierShape =
  /[ \u00a0\u202f]{0,2}(thousand|thsd|tsd|tis|tys|milliers?|migliaia|duizend|tusen|milliards?|miliardi|miliardo|miljard|miljarder|milliarder|milione|milioni|millones|millón|miljoen|miljoner|millioner|million|millions|millionen|milionů|milionu|miliony|mill|mio|mil|mln|billion|billions|milliarden|mrd|mld|bn|trillion|lakhs?|crores?|k|m|b)(?![\p{L}\d])\.?/iuy;

const zerosOf: ReadonlyMap<string, number> = new Map([
  ...['thousand', 'thsd', 'tsd', 'tis', 'tys', 'millier', 'milliers', 'migliaia', 'duizend', 'tusen', 'k'].map(
    (word) => [word, 3] as const,
  ),
  ...['million', 'millions', 'millionen', 'milionů', 'milionu', 'miliony', 'mill', 'mio', 'mil', 'mln', 'm'].map(
    (word) => [word, 6] as const,
  ),
  ...['milione', 'milioni', 'millones', 'millón', 'miljoen', 'miljoner', 'millioner'].map((word) => [word, 6] as const),
  ...['milliard', 'milliards', 'miliardi', 'miliardo', 'miljard', 'miljarder', 'milliarder'].map(
    (word) => [word, 9] as const,
  ),
  ...['billion', 'billions', 'milliarden', 'mrd', 'mld', 'bn', 'b'].map((word) => [word, 9] as const),
  ['trillion', 12],
  ...['lakh', 'lakhs'].map((word) => [word, 5] as const),
  ...['crore', 'crores'].map((word) => [word, 7] as const),
]);

/** The word behind a number that multiplies it, in lower case, and its powers of ten: 6 in "1.2 million". */
export function multiplierBehind(
  text: string,
  at: number,
): { readonly word: string; readonly zeros: number } | undefined {
  const multiplier = multiplierAfter(text, at);
  if (multiplier === undefined) return undefined;
  const word = text
    .slice(at, at + multiplier.length)
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');
  return { word, zeros: multiplier.zeros };
}

function multiplierAfter(text: string, at: number): Multiplier | undefined {
  multiplierShape.lastIndex = at;
  const match = multiplierShape.exec(text);
  if (match === null) return undefined;
  // A point belongs to an abbreviation only if the text continues: "5 Mio. EUR", not "5 million."
  const withPoint =
    match[0].endsWith('.') &&
    match[1]!.length <= 4 &&
    /^[ \u00a0][A-Z€$£\p{Ll}]/u.test(text.slice(at + match[0].length, at + match[0].length + 2));
  const length = match[0].endsWith('.') && !withPoint ? match[0].length - 1 : match[0].length;
  return { zeros: zerosOf.get(match[1]!.toLowerCase()) ?? 0, length };
}

/** "T€ 450", "k€ 450" and "M€ 4.5" count in thousands and millions. */
function zerosBefore(before: string): number {
  const scale = /(?<![\p{L}\d])([TkKM])$/u.exec(before)?.[1];
  return scale === undefined ? 0 : scale === 'M' ? 6 : 3;
}

/** "€ 1.234" is a thousand and more; "€ 1.234 million" and "€ 1,234 million" are read as numbers are. */
function inMoney({ value, ambiguous }: { value: string; ambiguous: boolean }, scaled: boolean): string {
  return ambiguous && !scaled ? value.replace('.', '') : value;
}

function multiplied(value: string, zeros: number): string {
  return plainDecimal(multiply(decimal(value), { units: 10n ** BigInt(zeros), scale: 0 }));
}
