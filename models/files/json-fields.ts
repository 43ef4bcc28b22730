/** Reads parsed JSON strictly, field by field; each error names the field, the expected value and the actual value. Pure. */
import { ModelError } from '../interface/errors.ts';

/** A value and its location: `{ owner: 'catalogue.json: model "x-TEE"', path: 'files[0].bytes' }`. */
export interface Field {
  readonly owner: string;
  readonly path: string;
  readonly value: unknown;
}

export type Fields = { readonly [key: string]: Field | undefined };

/** @param name of the file, for the message · @throws {ModelError} ERR_MODEL_LOAD */
export function parseJsonObject(text: string, name: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below, like a value that is not an object.
  }
  throw new ModelError('ERR_MODEL_LOAD', `${name} must contain a JSON object`);
}

/**
 * Says that a file is not JSON, and where if the engine knows. The engine's own message would quote the file.
 * @param error from `JSON.parse`
 */
export function notJson(error: unknown): string {
  const place = /line (\d+) column (\d+)/.exec((error as Error).message);
  return `is not valid JSON${place === null ? '' : `: see line ${place[1]}, column ${place[2]}`}`;
}

/** @returns the fields of an object, without prototype. @param allowed if set, other fields are refused */
export function fieldsOf(field: Field, allowed?: readonly string[]): Fields {
  const { owner, path, value } = field;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(field, 'an object');
  const fields: { [key: string]: Field } = Object.create(null);
  for (const [key, inner] of Object.entries(value)) {
    if (allowed !== undefined && !allowed.includes(key)) {
      throw invalid(`${placeOf(field)}: unknown field ${shown(key)}; expected one of ${allowed.join(', ')}`);
    }
    fields[key] = { owner, path: path === '' ? key : `${path}.${key}`, value: inner };
  }
  return fields;
}

/** @param parent the object of the field, for the error message */
export function required(fields: Fields, key: string, parent: Field): Field {
  const field = fields[key];
  if (field !== undefined) return field;
  throw invalid(`${placeOf(parent)}: field ${key} is missing`);
}

export function itemsOf(field: Field, { min = 0, max }: { min?: number; max: number }): Field[] {
  const { owner, path, value } = field;
  if (!Array.isArray(value)) return refuse(field, 'a list');
  if (value.length < min || value.length > max) return refuse(field, `a list of ${min} to ${max} items`);
  return value.map((item, index) => ({ owner, path: `${path}[${index}]`, value: item }));
}

export function uniqueItems<Item>(field: Field, parse: (item: Field) => Item): Item[] {
  const items = itemsOf(field, { max: 100 }).map(parse);
  return new Set(items).size === items.length ? items : refuse(field, 'a list without repetition');
}

export function text(field: Field): string {
  return typeof field.value === 'string' ? field.value : refuse(field, 'text');
}

export function matching(field: Field, pattern: RegExp, expected: string): string {
  return pattern.test(text(field)) ? text(field) : refuse(field, expected);
}

export function oneOf<const Choice extends string>(field: Field, choices: readonly Choice[]): Choice {
  return choices.find((choice) => choice === field.value) ?? refuse(field, `one of ${choices.join(', ')}`);
}

export function integer(field: Field, min: number, max: number): number {
  const { value } = field;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value + 0; // −0 → 0
  return refuse(field, `a whole number from ${min} to ${max}`);
}

export function boolean(field: Field): boolean {
  return typeof field.value === 'boolean' ? field.value : refuse(field, 'true or false');
}

export function decimal(field: Field, min: number, max: number): number {
  const { value } = field;
  if (typeof value === 'number' && value >= min && value <= max) return value + 0;
  return refuse(field, `a number from ${min} to ${max}`);
}

/** @throws {ModelError} ERR_CATALOGUE_INVALID, always */
export function refuse(field: Field, expected: string): never {
  throw invalid(`${placeOf(field)} must be ${expected}, got ${shown(field.value)}`);
}

export function invalid(message: string): ModelError {
  return new ModelError('ERR_CATALOGUE_INVALID', message);
}

/** Formats a value on one short line. Does not descend into it: hostile input may be nested a million levels deep. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const whole = JSON.stringify(value) ?? String(value);
  return whole.length > 100 ? `${whole.slice(0, 100)}…` : whole;
}

function placeOf({ owner, path }: Field): string {
  return path === '' ? owner : `${owner}: ${path}`;
}
