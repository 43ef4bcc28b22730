/** The canonical form of JSON, byte for byte what is hashed and signed. Pure. See RFC 8785. */
import type { Json, JsonObject } from './strict-json.ts';

/**
 * @param value what JSON.parse gives: plain objects, lists, texts, finite numbers, booleans, null
 * @throws {TypeError} for anything else, and for a text with half a surrogate pair, which UTF-8 cannot carry
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return canonicalText(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no number without a value');
      // ECMAScript's own form of a number is the one that RFC 8785 §3.2.2.3 asks for.
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
      return canonicalObject(value as JsonObject);
    default:
      throw new TypeError(`canonical JSON has no ${typeof value}`);
  }
}

/** UTF-8 of `canonicalJson`. */
export function canonicalBytes(value: Json): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalJson(value));
}

function canonicalObject(object: JsonObject): string {
  // Sorting texts without a comparison function orders them by UTF-16 code units: RFC 8785 §3.2.3.
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${canonicalText(name)}:${canonicalJson(object[name]!)}`).join(',')}}`;
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('canonical JSON has no half surrogate pairs');
  return JSON.stringify(text);
}
