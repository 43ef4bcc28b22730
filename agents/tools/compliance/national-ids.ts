/**
 * National identifiers of persons with a check digit, by country. Identifiers without one are not reported, because a bare
 * number of the right length is too often something else.
 */
import { isCalendarDay } from '../text/dates.ts';
import { passesEan13, passesLuhn, passesMod11And10, weighted } from './check-digits.ts';

export interface NationalId {
  readonly country: string;
  readonly name: string;
}

interface Rule extends NationalId {
  /** Pattern of the number without separators. */
  readonly shape: RegExp;
  /** Pattern of the written form, with its separators. */
  readonly written: RegExp;
  passes(bare: string): boolean;
}

const digitsAndLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
const codiceOdd: readonly number[] = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** A number that matches several is assigned to the first: the longest and most specific come first. */
const rules: readonly Rule[] = [
  // Codice fiscale: Decreto ministeriale 23 December 1976.
  {
    country: 'IT',
    name: 'codice fiscale',
    shape: /^[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]$/,
    written: /^\w{16}$/,
    passes: passesCodiceFiscale,
  },
  // NIR: INSEE; key = 97 − number mod 97; Corsica 2A, 2B as 19, 18.
  {
    country: 'FR',
    name: 'NIR',
    shape: /^[12]\d{4}(?:\d{2}|2[AB])\d{8}$/,
    written: /^[12][ ]?\d{2}[ ]?\d{2}[ ]?\w{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{2}$/,
    passes: passesNir,
  },
  {
    country: 'CH',
    name: 'AHV number',
    shape: /^756\d{10}$/,
    written: /^756\.?\d{4}\.?\d{4}\.?\d{2}$/,
    passes: passesEan13,
  },
  { country: 'RO', name: 'CNP', shape: /^[1-8]\d{12}$/, written: /^\d{13}$/, passes: passesCnp },
  {
    country: 'SE',
    name: 'personnummer',
    shape: /^(?:\d{2})?\d{10}$/,
    written: /^(?:\d{2})?\d{6}[-+]\d{4}$/,
    passes: passesPersonnummer,
  },
  {
    country: 'FI',
    name: 'henkilötunnus',
    shape: /^\d{6}[-+A]\d{3}[0-9A-Y]$/,
    written: /^\d{6}[-+A]\d{3}\w$/,
    passes: passesHetu,
  },
  {
    country: 'BE',
    name: 'national number',
    shape: /^\d{11}$/,
    written: /^\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}$/,
    passes: passesBelgian,
  },
  { country: 'NO', name: 'fødselsnummer', shape: /^\d{11}$/, written: /^\d{6} \d{5}$/, passes: passesNorwegian },
  { country: 'PL', name: 'PESEL', shape: /^\d{11}$/, written: /^\d{11}$/, passes: passesPesel },
  {
    country: 'DE',
    name: 'tax identification number',
    shape: /^[1-9]\d{10}$/,
    written: /^\d{2} ?\d{3} ?\d{3} ?\d{3}$/,
    passes: passesSteuerId,
  },
  { country: 'CZ/SK', name: 'rodné číslo', shape: /^\d{10}$/, written: /^\d{6}\/\d{4}$/, passes: passesRodneCislo },
  { country: 'BG', name: 'EGN', shape: /^\d{10}$/, written: /^\d{10}$/, passes: passesEgn },
  { country: 'ES', name: 'DNI or NIE', shape: /^[XYZ\d]\d{7}[A-Z]$/, written: /^\w-?\d{7}-?[A-Z]$/, passes: passesDni },
];

/** @param written one candidate with its separators · @returns undefined if it is not a known identifier */
export function nationalIdOf(written: string): NationalId | undefined {
  const bare = written.replace(/[ ./]/g, '').toUpperCase();
  const found = rules.find(({ shape, written: form, passes }) => {
    const compact = shape.test(bare) ? bare : bare.replaceAll('-', '').replaceAll('+', '');
    return shape.test(compact) && form.test(written.toUpperCase()) && passes(compact);
  });
  return found === undefined ? undefined : { country: found.country, name: found.name };
}

/** A century suffices to know whether the day exists: 2000 was a leap year, so 29 February passes for every yy. */
function isBirthday(yy: string, mm: number, dd: string): boolean {
  return isCalendarDay(2000 + (Number(yy) % 4 === 0 ? 0 : 1), mm, Number(dd));
}

function passesCodiceFiscale(bare: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const code = bare.charCodeAt(index);
    const value = code < 65 ? code - 48 : code - 65;
    sum += index % 2 === 0 ? codiceOdd[value]! : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === bare[15];
}

function passesNir(bare: string): boolean {
  const number = bare.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return 97 - Number(BigInt(number) % 97n) === Number(bare.slice(13));
}

function passesCnp(bare: string): boolean {
  const rest = weighted(bare, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (
    isBirthday(bare.slice(1, 3), Number(bare.slice(3, 5)), bare.slice(5, 7)) &&
    (rest === 10 ? 1 : rest) === Number(bare[12])
  );
}

function passesPersonnummer(bare: string): boolean {
  const short = bare.slice(-10);
  return isBirthday(short.slice(0, 2), Number(short.slice(2, 4)), short.slice(4, 6)) && passesLuhn(short);
}

function passesHetu(bare: string): boolean {
  const number = Number(bare.slice(0, 6) + bare.slice(7, 10));
  const isDay = isBirthday(bare.slice(4, 6), Number(bare.slice(2, 4)), bare.slice(0, 2));
  return isDay && '0123456789ABCDEFHJKLMNPRSTUVWXY'[number % 31] === bare[10];
}

function passesBelgian(bare: string): boolean {
  const check = Number(bare.slice(9));
  const isDay = isBirthday(bare.slice(0, 2), Number(bare.slice(2, 4)), bare.slice(4, 6));
  return isDay && [bare.slice(0, 9), `2${bare.slice(0, 9)}`].some((number) => 97 - (Number(number) % 97) === check);
}

function passesNorwegian(bare: string): boolean {
  const first = weighted(bare, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11;
  const second = weighted(bare, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11;
  return first === 0 && second === 0 && isBirthday(bare.slice(4, 6), Number(bare.slice(2, 4)), bare.slice(0, 2));
}

function passesPesel(bare: string): boolean {
  const sum = weighted(bare, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
  const month = Number(bare.slice(2, 4)) % 20;
  return (10 - (sum % 10)) % 10 === Number(bare[10]) && isBirthday(bare.slice(0, 2), month, bare.slice(4, 6));
}

function passesSteuerId(bare: string): boolean {
  // One digit of the first ten occurs twice or three times, the others at most once.
  const counts = new Map<string, number>();
  for (const digit of bare.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return repeated.length === 1 && repeated[0]! <= 3 && passesMod11And10(bare);
}

function passesRodneCislo(bare: string): boolean {
  const month = Number(bare.slice(2, 4));
  const plain = month > 70 ? month - 70 : month > 50 ? month - 50 : month > 20 ? month - 20 : month;
  return Number(bare) % 11 === 0 && isBirthday(bare.slice(0, 2), plain, bare.slice(4, 6));
}

function passesEgn(bare: string): boolean {
  const month = Number(bare.slice(2, 4)) % 20;
  const rest = weighted(bare, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11;
  return (rest === 10 ? 0 : rest) === Number(bare[9]) && isBirthday(bare.slice(0, 2), month, bare.slice(4, 6));
}

function passesDni(bare: string): boolean {
  const number = bare.slice(0, 8).replace('X', '0').replace('Y', '1').replace('Z', '2');
  return digitsAndLetters[Number(number) % 23] === bare[8];
}
