/** Check digit schemes that numbers of several countries share. Arguments are digits only unless stated otherwise. */

/** Σ digit · weight over as many digits as there are weights. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

/** @see ISO/IEC 7812-1, annex B: the Luhn formula; true if the last digit is the check digit */
export function isLuhn(digits: string): boolean {
  return luhnSum(digits) % 10 === 0;
}

/** The check digit that makes `digits` followed by it valid. */
export function luhnDigit(digits: string): number {
  return (10 - (luhnSum(`${digits}0`) % 10)) % 10;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
}

/** @see ISO/IEC 7064, hybrid system MOD 11,10; true if the last digit is the check digit */
export function isMod11And10(digits: string): boolean {
  let product = 10;
  for (let index = 0; index < digits.length - 1; index += 1) {
    const sum = (Number(digits[index]) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** @see ISO/IEC 7064, MOD 97-10 over digits and capital letters, where A counts as 10; true if the remainder is 1 */
export function isMod97And10(text: string): boolean {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Computes the remainder of a number of any length. */
export function remainderOf(digits: string, modulus: number): number {
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % modulus;
  return remainder;
}

/** Whether year, month (1…12) and day form a valid Gregorian date. */
export function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= days[month - 1]!;
}
