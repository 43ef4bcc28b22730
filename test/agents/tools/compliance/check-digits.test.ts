/** Published examples of identifiers with check digits; none belongs to a person. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passesIban, passesLuhn } from '../../../../agents/tools/compliance/check-digits.ts';
import { findIdentifiers } from '../../../../agents/tools/compliance/identifiers.ts';
import { nationalIdOf } from '../../../../agents/tools/compliance/national-ids.ts';

describe('IBAN', () => {
  // The examples of the SWIFT IBAN Registry.
  const examples = [
    'AT611904300234573201',
    'BE68539007547034',
    'CH9300762011623852957',
    'CZ6508000000192000145399',
    'DE89370400440532013000',
    'DK5000400440116243',
    'ES9121000418450200051332',
    'FI2112345600000785',
    'FR1420041010050500013M02606',
    'GB29NWBK60161331926819',
    'IE29AIBK93115212345678',
    'IT60X0542811101000000123456',
    'NL91ABNA0417164300',
    'NO9386011117947',
    'PL61109010140000071219812874',
    'PT50000201231234567890154',
    'SE4550000000058398257466',
  ];

  it.each(examples)('accepts %s', (iban) => {
    expect(passesIban(iban)).toBe(true);
  });

  it('refuses every single changed digit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...examples), fc.nat(), fc.integer({ min: 1, max: 9 }), (iban, seed, by) => {
        const at = 2 + (seed % (iban.length - 2));
        const digit = Number(iban[at]);
        if (Number.isNaN(digit)) return;
        const changed = iban.slice(0, at) + ((digit + by) % 10) + iban.slice(at + 1);
        expect(passesIban(changed)).toBe(false);
      }),
    );
  });
});

describe('payment cards', () => {
  it('accepts the example of ISO/IEC 7812-1 and the networks’ test numbers', () => {
    for (const digits of [
      '79927398713',
      '4111111111111111',
      '5555555555554444',
      '378282246310005',
      '6011111111111117',
    ]) {
      expect(passesLuhn(digits)).toBe(true);
    }
    expect(passesLuhn('4111111111111112')).toBe(false);
  });

  it('are recognised with their network, and not inside other long numbers', () => {
    const text = 'card 4111-1111-1111-1111 or 5555 5555 5555 4444; order 1234567890123456, ref 4111111111111112';
    expect(findIdentifiers(text).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['payment card number', 'visa'],
      ['payment card number', 'mastercard'],
    ]);
  });
});

describe('national identifiers', () => {
  // From the issuing authorities' descriptions and the encyclopaedic articles that repeat them.
  it.each([
    ['RSSMRA85T10A562S', 'IT'],
    ['2 69 05 49 588 157 80', 'FR'],
    ['756.9217.0769.85', 'CH'],
    ['811228-9874', 'SE'],
    ['131052-308T', 'FI'],
    ['85.07.30-033.28', 'BE'],
    ['44051401458', 'PL'],
    ['36574261809', 'DE'],
    ['7523169263', 'BG'],
    ['12345678Z', 'ES'],
    ['X1234567L', 'ES'],
    ['736028/5163', 'CZ/SK'],
  ])('recognises %s as of %s', (written, country) => {
    expect(nationalIdOf(written)?.country).toBe(country);
  });

  it.each([
    'RSSMRA85T10A562T',
    '811228-9875',
    '131052-308U',
    '85.07.30-033.29',
    '12345678A',
    '736028/5164',
    '2026112100',
  ])('refuses %s', (written) => {
    expect(nationalIdOf(written)).toBeUndefined();
  });
});

describe('findIdentifiers', () => {
  const kinds = (text: string) => findIdentifiers(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

  it('finds addresses, numbers and names by their shape', () => {
    const text =
      'Dr. Anna Novák <a.novak@example.com>, +49 30 901820, 2001:db8::1, 00:1A:2b:3c:4d:5e, Hauptstraße 5, 14 Harbour Row';
    expect(kinds(text)).toEqual([
      ['name with title', 'Dr. Anna Novák'],
      ['email address', 'a.novak@example.com'],
      ['phone number', '+49 30 901820'],
      ['IP address', '2001:db8::1'],
      ['MAC address', '00:1A:2b:3c:4d:5e'],
      ['postal address', 'Hauptstraße 5'],
      ['postal address', '14 Harbour Row'],
    ]);
  });

  it('does not report times, versions, sections or amounts', () => {
    expect(kinds('At 12:30:45 version 10.0.1.2 of section 1.2.3.4 cost 1,234,567.00 on 2026-11-21, see a::b')).toEqual(
      [],
    );
  });

  it('returns ranges that do not overlap', () => {
    const parts = fc.array(
      fc.constantFrom(
        'DE89 3704 0044 0532 0130 00',
        '4111 1111 1111 1111',
        '+49 30 1234567',
        'a@b.co',
        ' ',
        '1',
        '-',
        '10.1.1.1',
        '44051401359',
      ),
    );
    fc.assert(
      fc.property(parts, (list) => {
        const found = findIdentifiers(list.join(''));
        for (let index = 1; index < found.length; index += 1)
          expect(found[index]!.start).toBeGreaterThanOrEqual(found[index - 1]!.end);
      }),
    );
  });
});
