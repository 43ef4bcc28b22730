/**
 * The formats and check digits of VAT identification numbers of the EU member states and Northern Ireland (XI).
 * @see Council Directive 2006/112/EC, articles 214 and 215 (prefixes; Greece uses EL); European Commission, DG TAXUD, "VIES:
 *   VAT number algorithms"; Austrian Federal Ministry of Finance, "Konstruktionsregeln der UID"; the national rules named below
 */
import { isDay, isLuhn, isMod11And10, isMod97And10, luhnDigit, remainderOf, weightedSum } from './check-digits.ts';

export interface VatCountry {
  readonly prefix: string;
  /**
   * After the prefix: d is a digit, a a capital letter or digit, A a capital letter, + a letter or one of "+*"; other
   * characters are literal.
   */
  readonly forms: readonly string[];
  /** @param number in one of the formats */
  hasCheckDigits(number: string): boolean;
}

const last = (number: string) => Number(number.at(-1));

export const vatCountries: readonly VatCountry[] = [
  { prefix: 'AT', forms: ['Udddddddd'], hasCheckDigits: austria },
  {
    prefix: 'BE',
    forms: ['dddddddddd', 'ddddddddd'],
    hasCheckDigits: (number) => {
      const digits = number.padStart(10, '0');
      return /^[01]/.test(digits) && 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8));
    },
  },
  { prefix: 'BG', forms: ['dddddddddd', 'ddddddddd'], hasCheckDigits: bulgaria },
  { prefix: 'CY', forms: ['ddddddddA'], hasCheckDigits: cyprus },
  { prefix: 'CZ', forms: ['dddddddddd', 'ddddddddd', 'dddddddd'], hasCheckDigits: czechia },
  { prefix: 'DE', forms: ['ddddddddd'], hasCheckDigits: (number) => number[0] !== '0' && isMod11And10(number) },
  {
    prefix: 'DK',
    forms: ['dddddddd'],
    hasCheckDigits: (number) => number[0] !== '0' && weightedSum(number, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  {
    prefix: 'EE',
    forms: ['ddddddddd'],
    hasCheckDigits: (number) => weightedSum(number, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  },
  {
    prefix: 'EL',
    forms: ['ddddddddd'],
    hasCheckDigits: (number) => (weightedSum(number, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === last(number),
  },
  { prefix: 'ES', forms: ['addddddda'], hasCheckDigits: spain },
  {
    prefix: 'FI',
    forms: ['dddddddd'],
    hasCheckDigits: (number) => weightedSum(number, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0,
  },
  { prefix: 'FR', forms: ['aaddddddddd'], hasCheckDigits: france },
  { prefix: 'HR', forms: ['ddddddddddd'], hasCheckDigits: isMod11And10 },
  {
    prefix: 'HU',
    forms: ['dddddddd'],
    hasCheckDigits: (number) => weightedSum(number, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0,
  },
  { prefix: 'IE', forms: ['dddddddAA', 'dddddddA', 'd+dddddA'], hasCheckDigits: ireland },
  { prefix: 'IT', forms: ['ddddddddddd'], hasCheckDigits: italy },
  { prefix: 'LT', forms: ['dddddddddddd', 'ddddddddd'], hasCheckDigits: lithuania },
  {
    prefix: 'LU',
    forms: ['dddddddd'],
    hasCheckDigits: (number) => Number(number.slice(0, 6)) % 89 === Number(number.slice(6)),
  },
  { prefix: 'LV', forms: ['ddddddddddd'], hasCheckDigits: latvia },
  {
    prefix: 'MT',
    forms: ['dddddddd'],
    hasCheckDigits: (number) => number[0] !== '0' && weightedSum(number, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0,
  },
  { prefix: 'NL', forms: ['dddddddddBdd'], hasCheckDigits: netherlands },
  {
    prefix: 'PL',
    forms: ['dddddddddd'],
    hasCheckDigits: (number) => weightedSum(number, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(number),
  },
  {
    prefix: 'PT',
    forms: ['ddddddddd'],
    hasCheckDigits: (number) => {
      const check = 11 - (weightedSum(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
      return number[0] !== '0' && (check > 9 ? 0 : check) === last(number);
    },
  },
  {
    prefix: 'RO',
    forms: ['dddddddddd', 'ddddddddd', 'dddddddd', 'ddddddd', 'dddddd', 'ddddd'],
    hasCheckDigits: romania,
  },
  {
    prefix: 'SE',
    forms: ['dddddddddddd'],
    hasCheckDigits: (number) =>
      isLuhn(number.slice(0, 10)) && Number(number.slice(10)) >= 1 && Number(number.slice(10)) <= 94,
  },
  { prefix: 'SI', forms: ['dddddddd'], hasCheckDigits: slovenia },
  {
    prefix: 'SK',
    forms: ['dddddddddd'],
    hasCheckDigits: (number) => /^[1-9]\d[2-4789]/.test(number) && remainderOf(number, 11) === 0,
  },
  { prefix: 'XI', forms: ['dddddddddddd', 'ddddddddd', 'GDddd', 'HAddd'], hasCheckDigits: britain },
];

/** Great Britain, Switzerland and Norway, whose numbers occur on invoices and in master data next to those of the EU. */
export const neighbourCountries: readonly VatCountry[] = [
  { prefix: 'GB', forms: ['dddddddddddd', 'ddddddddd', 'GDddd', 'HAddd'], hasCheckDigits: britain },
  { prefix: 'CHE', forms: ['ddddddddd'], hasCheckDigits: switzerland },
  { prefix: 'NO', forms: ['ddddddddd'], hasCheckDigits: norway },
];

/** Each second digit is doubled and its digits added, plus 4; the check digit completes the sum to a multiple of ten. */
function austria(number: string): boolean {
  const digits = number.slice(1);
  let sum = 4;
  for (let index = 0; index < 7; index += 1) {
    const value = Number(digits[index]) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10 === last(digits);
}

/** Nine digits: legal persons (BULSTAT). Ten: citizens (EGN), foreigners (LNCh), and others, by three rules. */
function bulgaria(number: string): boolean {
  if (number.length === 9) {
    const first = weightedSum(number, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
    const check = first === 10 ? (weightedSum(number, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first;
    return check === last(number);
  }
  const citizen = isEgnDate(number) && (weightedSum(number, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === last(number);
  const foreigner = weightedSum(number, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === last(number);
  const other = 11 - (weightedSum(number, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return citizen || foreigner || (other !== 10 && other % 11 === last(number));
}

/** Months count from 21 for births before 1900 and from 41 for births from 2000 on. */
function isEgnDate(number: string): boolean {
  const month = Number(number.slice(2, 4));
  const year = Number(number.slice(0, 2)) + (month > 40 ? 2000 : month > 20 ? 1800 : 1900);
  return isDay(year, month % 20, Number(number.slice(4, 6)));
}

/** Digits at odd positions are replaced by a table; the sum modulo 26 is the letter. */
function cyprus(number: string): boolean {
  if (number.startsWith('12')) return false;
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
  let sum = 0;
  for (let index = 0; index < 8; index += 1)
    sum += index % 2 === 0 ? odd[Number(number[index])]! : Number(number[index]);
  return number[8] === String.fromCharCode(65 + (sum % 26));
}

/** Eight digits: legal persons. Nine that begin with 6: special cases. Else birth numbers. */
function czechia(number: string): boolean {
  if (number.length === 8) {
    return number[0] !== '9' && (11 - (weightedSum(number, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === last(number);
  }
  if (number.length === 9 && number.startsWith('6')) {
    const rest = weightedSum(number.slice(1), [8, 7, 6, 5, 4, 3, 2]) % 11;
    return (8 - ((10 - rest + 11) % 11) + 10) % 10 === last(number);
  }
  return isBirthNumber(number);
}

/** Months of women count from 51, of overflowing days from 21 or 71. Nine digits only before 1954, without a check digit. */
function isBirthNumber(number: string): boolean {
  const short = Number(number.slice(0, 2));
  const year = number.length === 9 ? (short >= 80 ? 1800 : 1900) + short : (short < 54 ? 2000 : 1900) + short;
  if (number.length === 9 && year > 1953) return false;
  if (!isDay(year, (Number(number.slice(2, 4)) % 50) % 20, Number(number.slice(4, 6)))) return false;
  return number.length === 9 || remainderOf(number.slice(0, 9), 11) % 10 === last(number);
}

const spanishLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** DNI for persons (with X, Y, Z for foreigners, K, L, M for special cases), CIF for all others. */
function spain(number: string): boolean {
  const first = number[0]!;
  const letterOf = (digits: string) => spanishLetters[Number(digits) % 23];
  if (/\d/.test(first)) return letterOf(number.slice(0, 8)) === number[8];
  if ('XYZ'.includes(first)) return letterOf('XYZ'.indexOf(first) + number.slice(1, 8)) === number[8];
  if ('KLM'.includes(first)) return letterOf(number.slice(1, 8)) === number[8];
  if (!'ABCDEFGHJNPQRSUVW'.includes(first)) return false;
  const check = luhnDigit(number.slice(1, 8));
  return number[8] === String(check) || number[8] === 'JABCDEFGHI'[check];
}

const frenchSigns = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A key of two signs before the SIREN, whose own check is Luhn's (Monaco's, from 000, have none). */
function france(number: string): boolean {
  const siren = number.slice(2);
  if (!siren.startsWith('000') && !isLuhn(siren)) return false;
  if (/^\d{11}$/.test(number)) return remainderOf(`${siren}12`, 97) === Number(number.slice(0, 2));
  const [first, second] = [frenchSigns.indexOf(number[0]!), frenchSigns.indexOf(number[1]!)];
  if (first < 0 || second < 0) return false;
  const key = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
  return (Number(siren) + 1 + Math.floor(key / 11)) % 11 === key % 11;
}

const irishLetters = 'WABCDEFGHIJKLMNOPQRSTUV';

/** Seven digits and a letter, since 2013 with a second one; the old form has a letter or sign in the second place. */
function ireland(number: string): boolean {
  const isOld = !/^\d{7}/.test(number);
  const digits = isOld ? `0${number.slice(2, 7)}${number[0]}` : number.slice(0, 7);
  const second = number[8] === undefined ? 0 : irishLetters.indexOf(number[8]);
  if (second < 0) return false;
  return irishLetters[(weightedSum(digits, [8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23] === number[7];
}

/** Luhn, with the code of an existing office in places 8 to 10. */
function italy(number: string): boolean {
  const office = Number(number.slice(7, 10));
  const exists = (office >= 1 && office <= 100) || [120, 121, 888, 999].includes(office);
  return !/^0{7}/.test(number) && exists && isLuhn(number);
}

/** The second to last digit is 1; a remainder of 10 is computed again with shifted weights. */
function lithuania(number: string): boolean {
  if (number.at(-2) !== '1') return false;
  const sumFrom = (shift: number) =>
    [...number.slice(0, -1)].reduce((sum, digit, i) => sum + (((i + shift) % 9) + 1) * Number(digit), 0);
  const first = sumFrom(0) % 11;
  return (first === 10 ? (sumFrom(2) % 11) % 10 : first) === last(number);
}

/** Legal persons begin above 3; personal codes with a birth date, or with 32 since 2017, have their own check. */
function latvia(number: string): boolean {
  if (number[0]! > '3') return weightedSum(number, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3;
  const personal = ((1 + weightedSum(number, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === last(number);
  if (number.startsWith('32')) return personal;
  const year = 1800 + Number(number[6]) * 100 + Number(number.slice(4, 6));
  return personal && isDay(year, Number(number.slice(2, 4)), Number(number.slice(0, 2)));
}

/** Companies keep the "elfproef" of their RSIN; sole traders have MOD 97-10 over the whole number since 2020. */
function netherlands(number: string): boolean {
  const rsin = weightedSum(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && !number.startsWith('000000000');
  return number.slice(10) !== '00' && (rsin || isMod97And10(`NL${number}`));
}

function romania(number: string): boolean {
  const digits = number.padStart(10, '0');
  return number[0] !== '0' && ((weightedSum(digits, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === last(number);
}

/** Numbers with a remainder of 0 are not assigned. */
function slovenia(number: string): boolean {
  const check = 11 - (weightedSum(number, [8, 7, 6, 5, 4, 3, 2]) % 11);
  return number[0] !== '0' && check !== 11 && check % 10 === last(number);
}

/** MOD 11 over eight digits (Swiss Federal Statistical Office, enterprise identification number). */
function switzerland(number: string): boolean {
  const check = 11 - (weightedSum(number, [5, 4, 3, 2, 7, 6, 5, 4]) % 11);
  return check !== 10 && check % 11 === last(number);
}

/** MOD 11 over eight digits (Brønnøysund Register Centre, organisation number). */
function norway(number: string): boolean {
  const check = 11 - (weightedSum(number, [3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return check !== 10 && check % 11 === last(number);
}

/** Great Britain and Northern Ireland: two check digits modulo 97, since 2009 with 55 added; departments and health bodies by range. */
function britain(number: string): boolean {
  if (number.startsWith('GD')) return Number(number.slice(2)) < 500;
  if (number.startsWith('HA')) return Number(number.slice(2)) >= 500;
  const rest = weightedSum(number, [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97;
  return rest === 0 || (rest === 42 && Number(number.slice(0, 3)) >= 100);
}
