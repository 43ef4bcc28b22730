/** Checks of single values: choices, numbers, texts. */
import type { Check, CheckOptions, Keywords } from './keywords.ts';
import { describeValue, Mismatch } from './mismatch.ts';

/** Whether an invalid value is reported as absent. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

export function buildChoice(choices: readonly unknown[]): Check {
  const taken = new Set(choices);
  const list = choices.map((choice) => JSON.stringify(choice)).join(', ');
  const missing = choices.length === 1 ? `must be ${list}` : `must be a ${typeof choices[0]}`;
  return (value) => {
    if (taken.has(value)) return value;
    return new Mismatch(isAbsent(value) ? missing : `must be one of ${list}`, describeValue(value));
  };
}

export function buildNumber({ type, minimum = -Infinity, maximum = Infinity }: Keywords): Check {
  const isInteger = type === 'integer';
  const expected = `must be ${isInteger ? 'an integer' : 'a number'}${rangeText(minimum, maximum)}`;
  return (value) => {
    const isFit = typeof value === 'number' && Number.isFinite(value) && value >= minimum && value <= maximum;
    // Adding 0 turns −0 into 0.
    return isFit && (!isInteger || Number.isInteger(value)) ? value + 0 : new Mismatch(expected, describeValue(value));
  };
}

function rangeText(minimum: number, maximum: number): string {
  if (maximum === Infinity) return minimum === -Infinity ? '' : ` of at least ${minimum}`;
  return minimum === -Infinity ? ` of at most ${maximum}` : ` from ${minimum} to ${maximum}`;
}

export function buildText(schema: Keywords, { takesNul = true }: CheckOptions): Check {
  const { minLength = 0, maxLength = Infinity, pattern, description } = schema;
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const length = lengthText(minLength, maxLength);
  return (value) => {
    if (typeof value !== 'string') return new Mismatch('must be a string', describeValue(value));
    if (value === '' && minLength > 0) return new Mismatch('must not be an empty string', undefined);
    if (value.length < minLength || value.length > maxLength) {
      return new Mismatch(`must have ${length} characters`, String(value.length));
    }
    if (!takesNul && value.includes('\0')) return new Mismatch('must not have the character U+0000', 'a string');
    if (form === undefined || form.test(value)) return value;
    return new Mismatch(`must be ${description ?? `of the form ${pattern}`}`, 'a string');
  };
}

function lengthText(minLength: number, maxLength: number): string {
  if (maxLength === Infinity) return `at least ${minLength}`;
  return minLength === 0 ? `at most ${maxLength}` : `${minLength} to ${maxLength}`;
}
