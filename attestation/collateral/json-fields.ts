/** Typed members of Intel's JSON documents. Unknown members are ignored, because Intel adds members within a version. */
import { fromHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws {AttestationError} ERR_COLLATERAL_MALFORMED */
export function parseJsonObject(text: string, what: string): JsonObject {
  try {
    return objectAt({ value: JSON.parse(text) as unknown }, 'value', what);
  } catch (cause) {
    if (cause instanceof AttestationError) throw cause;
    throw new AttestationError('ERR_COLLATERAL_MALFORMED', `${what} is not JSON`, { cause });
  }
}

export function objectAt(parent: JsonObject, name: string, what = name): JsonObject {
  const value = parent[name];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(what, 'an object');
  return value as JsonObject;
}

/** An array of objects. */
export function objectsAt(parent: JsonObject, name: string): JsonObject[] {
  const value = parent[name];
  if (!Array.isArray(value) || value.length > 1000) throw malformed(name, 'a list');
  return value.map((_, index) => objectAt(value as unknown as JsonObject, String(index), `${name}[${index}]`));
}

export function textAt(parent: JsonObject, name: string): string {
  const value = parent[name];
  if (typeof value !== 'string') throw malformed(name, 'a text');
  return value;
}

export function integerAt(parent: JsonObject, name: string, max: number): number {
  const value = parent[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) {
    throw malformed(name, `an integer from 0 to ${max}`);
  }
  return value;
}

/** @param length in bytes */
export function hexAt(parent: JsonObject, name: string, length: number): Uint8Array {
  const bytes = fromHex(textAt(parent, name));
  if (bytes?.length !== length) throw malformed(name, `${2 * length} hexadecimal digits`);
  return bytes;
}

/** Milliseconds since 1970 of `2025-06-19T10:16:03Z`. */
export function timeAt(parent: JsonObject, name: string): number {
  const text = textAt(parent, name);
  const ms = Date.parse(text);
  const isExact = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) && !Number.isNaN(ms);
  // Some engines' Date.parse converts February 30 to March: the result must have the same digits.
  if (!isExact || new Date(ms).toISOString().slice(0, 19) !== text.slice(0, 19)) throw malformed(name, 'a time in UTC');
  return ms;
}

/** A list of strings; an absent member counts as an empty list. */
export function textsAt(parent: JsonObject, name: string): string[] {
  const value = parent[name] ?? [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw malformed(name, 'a list of texts');
  return value as string[];
}

function malformed(name: string, expected: string): AttestationError {
  return new AttestationError('ERR_COLLATERAL_MALFORMED', `${name} must be ${expected}`);
}
