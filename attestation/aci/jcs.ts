/** Canonical JSON (RFC 8785): the exact bytes that are hashed and signed. Pure. */
import type { Json, JsonObject } from './strict-json.ts';

/**
 * @param value a result of JSON.parse: plain objects, lists, strings, finite numbers, booleans, null
 * @throws {TypeError} for any other value, and for a string with an unpaired surrogate, which UTF-8 cannot encode
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return canonicalText(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('canonical JSON cannot represent NaN or an infinite number');
      // RFC 8785 §3.2.2.3 requires ECMAScript's number format.
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
      return canonicalObject(value as JsonObject);
    default:
      throw new TypeError(`canonical JSON cannot represent a ${typeof value}`);
  }
}

/** The UTF-8 encoding of `canonicalJson`. */
export function canonicalBytes(value: Json): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalJson(value));
}

function canonicalObject(object: JsonObject): string {
  // Sorting without a comparison function orders by UTF-16 code units, as RFC 8785 §3.2.3 requires.
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${canonicalText(name)}:${canonicalJson(object[name]!)}`).join(',')}}`;
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('canonical JSON cannot represent unpaired surrogates');
  return JSON.stringify(text);
}
