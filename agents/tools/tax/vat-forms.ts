/** The form and check digits of one VAT identification number, by its country. */
import { neighbourCountries, type VatCountry, vatCountries } from './vat-countries.ts';

export type VatVerdict = 'valid' | 'wrong_check_digits' | 'wrong_form';

export interface CompiledCountry {
  readonly country: VatCountry;
  /** Sticky, longest form first. */
  readonly shapes: readonly RegExp[];
}

const classes: Readonly<Record<string, string>> = { d: '\\d', a: '[A-Z\\d]', A: '[A-Z]', '+': '[A-Z+*]' };

const countries = [...vatCountries, ...neighbourCountries];

/** No letter or digit may precede it; after a hyphen, it is a part of another number. */
export const prefixShape = new RegExp(
  `(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)(?:GR|${countries.map(({ prefix }) => prefix).join('|')})`,
  'g',
);

export const byPrefix: ReadonlyMap<string, CompiledCountry> = new Map(
  countries.flatMap((country) => {
    const compiled = { country, shapes: country.forms.map(compile) };
    // Greek numbers are sometimes written with the ISO code.
    return country.prefix === 'EL'
      ? [['EL', compiled] as const, ['GR', compiled] as const]
      : [[country.prefix, compiled] as const];
  }),
);

function compile(form: string): RegExp {
  const signs = [...form].map((sign) => classes[sign] ?? sign);
  // Norway and Switzerland write the name of the tax behind the number, often without a blank.
  const end = '(?=(?:MVA|MWST|MwSt|TVA|IVA)?(?![A-Za-z\\d]))';
  return new RegExp(`[ \\u00a0.:-]?${signs.join('[ \\u00a0./-]?')}${end}`, 'y');
}

/** @param number with its prefix, without separators · @returns undefined if the prefix is not in the table */
export function checkVatId(number: string): VatVerdict | undefined {
  const prefix = number.startsWith('CHE') ? 'CHE' : number.slice(0, 2);
  const country = byPrefix.get(prefix);
  if (country === undefined) return undefined;
  const body = number.slice(prefix.length);
  const hasForm = country.shapes.some((shape) => {
    shape.lastIndex = 0;
    return shape.exec(body)?.[0] === body;
  });
  if (!hasForm) return 'wrong_form';
  return country.country.hasCheckDigits(body) ? 'valid' : 'wrong_check_digits';
}
