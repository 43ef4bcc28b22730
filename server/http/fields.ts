/**
 * Reads the fields of a JSON object one by one, by name and range. A wrong one is ERR_REQUEST_INVALID, and its
 * message may echo numbers but never a string: texts in a request are the caller's secrets.
 */
import { ServerError } from './errors.ts';

export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** An object of the request and where it stands in it. A field that is `null` counts as absent. */
export class Fields {
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #path: string;

  /** @param path as the caller would write it, for example `messages[2]`; empty for the body · @throws if no object */
  constructor(value: unknown, path = '') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw refusal(path, 'must be an object', value);
    }
    this.#record = value as Readonly<Record<string, unknown>>;
    this.#path = path;
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined;
  }

  /** The unchecked value; undefined for null. */
  raw(key: string): unknown {
    return this.#record[key] ?? undefined;
  }

  /** `key` as the caller would write it. */
  path(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }

  /** Throws for `key`: `expected` completes the sentence "`key` …". */
  refuse(key: string, expected: string): never {
    throw refusal(this.path(key), expected, this.#record[key]);
  }

  number(key: string, { min, max, fallback }: NumberRange & { fallback: number }): number {
    const value = this.raw(key);
    if (value === undefined) return fallback;
    // Adding 0 turns −0 into 0.
    if (typeof value === 'number' && value >= min && value <= max) return value + 0;
    return this.refuse(key, `must be a number from ${min} to ${max}`);
  }

  integer<Fallback extends number | undefined>(
    key: string,
    { min, max, fallback }: NumberRange & { fallback: Fallback },
  ): number | Fallback {
    const value = this.raw(key);
    if (value === undefined) return fallback;
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value) + 0;
    return this.refuse(key, `must be an integer from ${min} to ${max}`);
  }

  boolean(key: string, fallback: boolean): boolean {
    const value = this.raw(key) ?? fallback;
    return typeof value === 'boolean' ? value : this.refuse(key, 'must be true or false');
  }

  /** A string that has to be there. */
  text(key: string): string {
    return this.optionalText(key) ?? this.refuse(key, 'must be a string');
  }

  optionalText(key: string): string | undefined {
    const value = this.raw(key);
    if (value === undefined || typeof value === 'string') return value;
    return this.refuse(key, 'must be a string');
  }

  choice<const Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    const choice = choices.find((one) => one === value);
    return choice ?? this.refuse(key, `must be one of ${choices.map((one) => `"${one}"`).join(', ')}`);
  }

  object(key: string): Fields | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : new Fields(value, this.path(key));
  }

  list(key: string, { max }: { max: number }): readonly unknown[] | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length <= max) return value;
    return this.refuse(key, `must be an array of at most ${max}`);
  }
}

/** Levels of a JSON schema or of tool parameters: deeper ones would recurse too far further down. */
const schemaDepthMax = 64;
/** As the grammar compiler takes (`native/src/grammar/schema_document.cc`). */
const schemaBytesMax = 256 * 1024;

/** The JSON text of a schema. @throws if it is nested too deep or too long */
export function schemaText(schema: unknown, path: string): string {
  if (isDeeperThan(schema, schemaDepthMax)) {
    throw new ServerError('ERR_REQUEST_INVALID', `\`${path}\` must not be nested more than ${schemaDepthMax} deep`);
  }
  const text = JSON.stringify(schema);
  const bytes = Buffer.byteLength(text);
  if (bytes <= schemaBytesMax) return text;
  throw new ServerError(
    'ERR_REQUEST_INVALID',
    `\`${path}\` must have at most ${schemaBytesMax} bytes as JSON, got ${bytes}`,
  );
}

/** Recursive, but never deeper than `depthMax`. */
function isDeeperThan(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const values = Object.values(value);
  if (depthMax === 0) return values.length > 0;
  return values.some((one) => isDeeperThan(one, depthMax - 1));
}

function refusal(path: string, expected: string, value: unknown): ServerError {
  const subject = path === '' ? 'the request body' : `\`${path}\``;
  return new ServerError('ERR_REQUEST_INVALID', `${subject} ${expected}, got ${describe(value)}`);
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'string' ? 'a string' : 'an object';
}
