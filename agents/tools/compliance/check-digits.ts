/** Check digits of identifiers of persons and their accounts. Each function expects the bare characters, without separators. */

/** Luhn, ISO/IEC 7812-1 annex B: payment cards, Swedish personal numbers. @param digits only digits */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}

/** ISO 13616: lengths by country, from the SWIFT IBAN Registry. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 ' +
    'GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
    'MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 ' +
    'VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

/** @param country two capitals · @returns undefined if the country's IBANs are unknown */
export function ibanLength(country: string): number | undefined {
  return ibanLengths.get(country);
}

/** ISO 13616 with ISO/IEC 7064 MOD 97-10. @param iban capitals and digits */
export function passesIban(iban: string): boolean {
  if (iban.length !== ibanLength(iban.slice(0, 2)) || !/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false;
  return remainder97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** Letters are replaced by 10 to 35, two digits each. */
function remainder97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** @returns the sum of digits times weights */
export function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits.charCodeAt(index) - 48), 0);
}

/** ISO/IEC 7064 MOD 11,10: German tax number, Croatian OIB. @param digits with the check digit */
export function passesMod11And10(digits: string): boolean {
  let product = 10;
  for (let index = 0; index < digits.length - 1; index += 1) {
    const sum = (digits.charCodeAt(index) - 48 + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === digits.charCodeAt(digits.length - 1) - 48;
}

/** EAN-13: Swiss AHV numbers. */
export function passesEan13(digits: string): boolean {
  return weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}
