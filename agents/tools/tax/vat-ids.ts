/** Finds VAT identification numbers in a text and says whether their form and check digits are right. */
import type { Range } from '../text/span.ts';
import { type VatCountry, vatCountries } from './vat-countries.ts';

export interface FoundVatId extends Range {
  readonly country: string;
  /** Prefix and number without separators. */
  readonly number: string;
  /** A valid number may still belong to nobody: only VIES knows. */
  readonly verdict: 'valid' | 'wrong_check_digits' | 'wrong_form';
}

/**
 * In the order of the text. The prefix must stand before the number (`DE 136 695 976`, `ATU13585627`, `BE 0428.759.497`); single
 * blanks, points, hyphens and slashes inside are ignored. `wrong_form`, and numbers below eight signs, need a word like
 * "VAT" or "USt-IdNr." before them. Romanian numbers of two to four digits are not told from other text.
 */
export function findVatIds(text: string): FoundVatId[] {
  const found: FoundVatId[] = [];
  for (const match of text.matchAll(prefixShape)) {
    const start = match.index;
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const country = byPrefix.get(match[0])!;
    const at = start + match[0].length;
    const id = withForm(text, start, at, country) ?? withoutForm(text, start, at, country);
    if (id !== undefined) found.push(id);
  }
  return found;
}

/** @param number with its prefix, without separators · @returns undefined where the prefix is none of the table */
export function checkVatId(number: string): FoundVatId['verdict'] | undefined {
  const country = byPrefix.get(number.slice(0, 2));
  if (country === undefined) return undefined;
  const body = number.slice(2);
  const hasForm = country.shapes.some((shape) => {
    shape.lastIndex = 0;
    return shape.exec(body)?.[0] === body;
  });
  if (!hasForm) return 'wrong_form';
  return country.country.hasCheckDigits(body) ? 'valid' : 'wrong_check_digits';
}

interface Compiled {
  readonly country: VatCountry;
  /** Sticky, longest form first. */
  readonly shapes: readonly RegExp[];
}

const classes: Readonly<Record<string, string>> = { d: '\\d', a: '[A-Z\\d]', A: '[A-Z]', '+': '[A-Z+*]' };

const prefixShape = new RegExp(`(?<![A-Za-z0-9])(?:GR|${vatCountries.map(({ prefix }) => prefix).join('|')})`, 'g');

const byPrefix: ReadonlyMap<string, Compiled> = new Map(
  vatCountries.flatMap((country) => {
    const compiled = { country, shapes: country.forms.map(compile) };
    // Greek numbers are sometimes written with the ISO code.
    return country.prefix === 'EL'
      ? [['EL', compiled] as const, ['GR', compiled] as const]
      : [[country.prefix, compiled] as const];
  }),
);

function compile(form: string): RegExp {
  const signs = [...form].map((sign) => classes[sign] ?? sign);
  return new RegExp(`[ \\u00a0.:-]?${signs.join('[ \\u00a0./-]?')}(?![A-Za-z\\d])`, 'y');
}

function withForm(text: string, start: number, at: number, { country, shapes }: Compiled): FoundVatId | undefined {
  let wrong: FoundVatId | undefined;
  for (const shape of shapes) {
    shape.lastIndex = at;
    const match = shape.exec(text);
    if (match === null) continue;
    const body = match[0].replace(/[ \u00a0.:/-]/g, '');
    const end = at + match[0].length;
    const verdict = country.hasCheckDigits(body) ? 'valid' : 'wrong_check_digits';
    // So short that it may be anything: only words before it make it a VAT id.
    if (body.length < 8 && !isLabelled(text, start)) continue;
    const id: FoundVatId = { start, end, country: country.prefix, number: country.prefix + body, verdict };
    if (verdict === 'valid') return id;
    wrong ??= id;
  }
  return wrong;
}

const labelShape =
  /(?:\bVAT\b|\bV\.A\.T\.|USt-?Id|\bUID\b|\bTVA\b|DIČ|\bIČ DPH\b|\bBTW\b|\bIVA\b|\bP\. ?IVA\b|\bMwSt\b|\bNIP\b|\bALV\b|\bMOMS\b|ΑΦΜ)[^\n]{0,24}$/iu;
function isLabelled(text: string, at: number): boolean {
  return labelShape.test(text.slice(Math.max(0, at - 40), at));
}

const anyNumber = /[ \u00a0.:-]?(?=[A-Z]{0,3}\d)[A-Z\d](?:[ \u00a0./-]?[A-Z\d]){3,15}(?![A-Za-z\d])/y;

function withoutForm(text: string, start: number, at: number, { country }: Compiled): FoundVatId | undefined {
  if (!isLabelled(text, start)) return undefined;
  anyNumber.lastIndex = at;
  const match = anyNumber.exec(text);
  if (match === null) return undefined;
  const body = match[0].replace(/[ \u00a0.:/-]/g, '');
  return {
    start,
    end: at + match[0].length,
    country: country.prefix,
    number: country.prefix + body,
    verdict: 'wrong_form',
  };
}
