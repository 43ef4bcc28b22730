/**
 * Parses untrusted JSON strictly: refuses duplicate members, non-finite numbers and documents above limits, because two parsers may read
 * such a text differently. Pure.
 */
import { AttestationError } from '../base/errors.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

const depthMax = 32;

const whiteSpace = ' \t\n\r';
const punctuation = '{}[],:';
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @param input text, or UTF-8 bytes
 * @param limits.what names the document in messages · `charactersMax` refuses longer texts before parsing
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED, without quoting the text
 */
export function parseStrictJson(input: string | Uint8Array, limits: { what: string; charactersMax: number }): Json {
  const { what, charactersMax } = limits;
  if (input.length > charactersMax) throw malformed(what, `of at most ${charactersMax} characters`);
  let text: string;
  let value: Json;
  try {
    text = typeof input === 'string' ? input : utf8.decode(input);
    value = JSON.parse(text) as Json;
  } catch {
    // The engine's message would quote the text.
    throw malformed(what, 'JSON in UTF-8');
  }
  refuseAmbiguity(text, what);
  return value;
}

/** Iterates over the tokens of valid JSON. */
function refuseAmbiguity(text: string, what: string): void {
  /** The member names of each open object; undefined for an open list. */
  const open: (Set<string> | undefined)[] = [];
  let previous = '';
  for (const token of tokensOf(text)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
      if (open.length > depthMax) throw malformed(what, `at most ${depthMax} levels deep`);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ':') {
      const name = JSON.parse(previous) as string;
      const seen = open.at(-1);
      if (seen?.has(name)) throw malformed(what, `free of duplicate members, but has ${quoteName(name)} twice`);
      seen?.add(name);
    } else if (/^[-\d]/.test(token) && !hasOneValue(token)) {
      throw malformed(what, 'free of integers beyond the safe range');
    }
    previous = token;
  }
}

/** Parsers differ on integers beyond 2^53, and so do signatures over them: only the canonical spelling is accepted. */
function hasOneValue(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  return !/^-?\d+$/.test(token) || Number.isSafeInteger(value) || JSON.stringify(value) === token;
}

/** Strings with quotes, punctuation, and other tokens of valid JSON, in linear time. */
function* tokensOf(text: string): Generator<string, void, undefined> {
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (whiteSpace.includes(character)) {
      at += 1;
      continue;
    }
    const start = at;
    if (character === '"') at = endOfText(text, start);
    else if (punctuation.includes(character)) at += 1;
    else while (at < text.length && !`${whiteSpace}${punctuation}`.includes(text[at]!)) at += 1;
    yield text.slice(start, at);
  }
}

/** @returns the end of the string that opens at `start`. A quote after an odd number of backslashes does not end it. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
}

/**
 * @param members.required must all be present · `optional` may be present · other members are refused
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export function objectOf(
  value: Json | undefined,
  what: string,
  members: { required: readonly string[]; optional?: readonly string[] },
): JsonObject {
  const object = anyObjectOf(value, what);
  const { required, optional = [] } = members;
  for (const name of Object.keys(object)) {
    if (!required.includes(name) && !optional.includes(name)) {
      throw new AttestationError('ERR_EVIDENCE_MALFORMED', `${what} has no member ${quoteName(name)}`);
    }
  }
  const missing = required.find((name) => !Object.hasOwn(object, name));
  if (missing !== undefined) {
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', `${what} lacks its member "${missing}"`);
  }
  return object;
}

/** An object with arbitrary members. */
export function anyObjectOf(value: Json | undefined, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(what, 'an object');
  return value as JsonObject;
}

/** @param countMax refuses longer lists */
export function listOf(value: Json | undefined, what: string, countMax: number): readonly Json[] {
  if (!Array.isArray(value) || value.length > countMax) throw malformed(what, `a list of at most ${countMax}`);
  return value;
}

export function textOf(value: Json | undefined, what: string, charactersMax = 1024): string {
  if (typeof value !== 'string' || value.length > charactersMax) {
    throw malformed(what, `a text of at most ${charactersMax} characters`);
  }
  return value;
}

/** A string or `null`. */
export function nullableTextOf(value: Json | undefined, what: string): string | undefined {
  return value === null ? undefined : textOf(value, what);
}

export function flagOf(value: Json | undefined, what: string): boolean {
  if (typeof value !== 'boolean') throw malformed(what, 'true or false');
  return value;
}

/** A non-negative safe integer. */
export function countOf(value: Json | undefined, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw malformed(what, 'a whole number');
  return value;
}

/** @param bytes the number of bytes, as twice as many lowercase hexadecimal digits */
export function hexOf(value: Json | undefined, what: string, bytes: number): string {
  if (typeof value !== 'string' || value.length !== 2 * bytes || !/^[0-9a-f]*$/.test(value)) {
    throw malformed(what, `${2 * bytes} lowercase hexadecimal digits`);
  }
  return value;
}

/** `sha256:` and 64 lowercase hexadecimal digits. */
export function digestOf(value: Json | undefined, what: string): string {
  if (typeof value !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(value)) {
    throw malformed(what, '"sha256:" and 64 lowercase hexadecimal digits');
  }
  return value;
}

/** Standard base64 with padding. */
export function base64Of(value: Json | undefined, what: string, bytesMax: number): Uint8Array<ArrayBuffer> {
  const text = textOf(value, what, Math.ceil(bytesMax / 3) * 4);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw malformed(what, 'base64');
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  // Ten times as fast as `Uint8Array.from` with a function, which matters for a quote per connection.
  for (let index = 0; index < bytes.length; index++) bytes[index] = letters.charCodeAt(index);
  return bytes;
}

export function malformed(what: string, expected: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `${what} must be ${expected}`);
}

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
