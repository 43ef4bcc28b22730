import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLayout } from '../../../../agents/tools/tax/layout.ts';
import { vatCountries } from '../../../../agents/tools/tax/vat-countries.ts';
import { checkVatId, findVatIds } from '../../../../agents/tools/tax/vat-ids.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

/** Published examples from the documentation of python-stdnum 2.x, module eu.vat, and of the national formats that it cites. */
const published: readonly string[] = [
  'ATU13585627',
  'BE0428759497',
  'BE403019261',
  'BG175074752',
  'BG7523169263',
  'BG8032056031',
  'BG7111042925',
  'CY10259033P',
  'CZ25123891',
  'CZ640903926',
  'CZ7103192745',
  'DE136695976',
  'DK13585628',
  'EE100931558',
  'EL094259216',
  'ESB64717838',
  'ES54362315K',
  'ESX2482300W',
  'ESX5253868R',
  'ESM1234567L',
  'ESJ99216582',
  'FI20774740',
  'FR40303265045',
  'FR23334175221',
  'FRK7399859412',
  'FR4Z123456782',
  'FR16000063601',
  'HR33392005961',
  'HU12892312',
  'IE6433435F',
  'IE6433435OA',
  'IE8D79739I',
  'IT00743110157',
  'LT119511515',
  'LT100001919017',
  'LT100004801610',
  'LU15027442',
  'LV40003521600',
  'LV16117519997',
  'LV32867300679',
  'MT11679112',
  'NL004495445B01',
  'NL002455799B11',
  'PL8567346215',
  'PT501964843',
  'RO18547290',
  'SE123456789701',
  'SI50223054',
  'SK2022749619',
  'XI980780684',
];

/** Invalid numbers, from the same source. */
const refused: readonly string[] = [
  'BE0431150351',
  'BG175074751',
  'CY10259033Z',
  'CZ25123890',
  'CZ7103192746',
  'ESB64717839',
  'ES54362315Z',
  'ESJ99216583',
  'HU12892313',
  'IE6433435E',
  'LT100001919018',
  'LV40003521601',
  'LV16137519997',
  'LV32867300677',
  'MT11679113',
  'NL123456789B90',
  'RO18547291',
  'SE123456789101',
  'SK2022749618',
  'XI802311781',
];

describe('VAT ids', () => {
  it('are known for the 27 member states and Northern Ireland', () => {
    expect(vatCountries.map(({ prefix }) => prefix).join(' ')).toBe(
      'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI',
    );
    expect(new Set(published.map((number) => number.slice(0, 2))).size).toBe(28);
  });

  it.each(published)('%s is valid', (number) => {
    expect(checkVatId(number)).toBe('valid');
  });

  it.each(refused)('%s has wrong check digits', (number) => {
    expect(checkVatId(number)).toBe('wrong_check_digits');
  });

  it.each(['ATU1358562', 'DE12345678', 'NL123456789C01', 'IT0074311015', 'FR403032650'])(
    '%s has a wrong form',
    (number) => {
      expect(checkVatId(number)).toBe('wrong_form');
    },
  );

  it('are never valid after a change of any one digit in a scheme with one check digit', () => {
    // Weighted sums and MOD 11,10 catch every single error; Luhn does too.
    const single = published.filter((number) => /^(?:AT|DE|DK|EE|FI|HR|HU|IT|SK|MT|LU|BE0)/.test(number));
    fc.assert(
      fc.property(fc.constantFrom(...single), fc.nat(20), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const at = 2 + (place % (number.length - 2));
        const digit = number[at]!;
        if (!/\d/.test(digit)) return;
        const changed = number.slice(0, at) + ((Number(digit) + by) % 10) + number.slice(at + 1);
        // Italian office codes may change from one that exists to another; the check digit still differs.
        expect(checkVatId(changed)).not.toBe('valid');
      }),
    );
  });

  it('follow the two Dutch rules: numbers of sole traders pass modulo 97 alone', () => {
    expect(checkVatId('NL000099998B57')).toBe('valid');
  });
});

describe('finding VAT ids', () => {
  const find = (text: string) =>
    findVatIds(readLayout(documentOf(text))).map(({ number, verdict }) => `${number} ${verdict}`);

  it('accepts separators, and ignores words after the number', () => {
    expect(find('VAT ID: DE 136 695 976, ATU13585627 WIEN; BE 0428.759.497 and NL004495445B01.')).toEqual([
      'DE136695976 valid',
      'ATU13585627 valid',
      'BE0428759497 valid',
      'NL004495445B01 valid',
    ]);
  });

  it('returns the position of the whole number', () => {
    const text = 'our VAT no. FR 40 303 265 045 applies';
    const [id] = findVatIds(readLayout(documentOf(text)));
    expect(text.slice(id!.start, id!.end)).toBe('FR 40 303 265 045');
  });

  it('reports Greek numbers as EL, with either prefix', () => {
    expect(find('GR094259216 EL094259216')).toEqual(['EL094259216 valid', 'EL094259216 valid']);
  });

  it('reports a wrong form only after a word for VAT', () => {
    expect(find('USt-IdNr. DE12345')).toEqual(['DE12345 wrong_form']);
    expect(find('Order DE12345')).toEqual([]);
  });

  it('accepts short numbers only after a word for VAT', () => {
    expect(find('Order RO 20240 of 2024')).toEqual([]);
    expect(find('VAT RO 20240')).toEqual(['RO20240 wrong_check_digits']);
  });

  it('ignores prefixes within a word', () => {
    expect(find('INDE136695976 xATU13585627')).toEqual([]);
  });
});
