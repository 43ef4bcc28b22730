/**
 * Turns a schema into a function that reads a value: the value with its defaults and without the members that no schema
 * names, or the first mismatch. Members are read in the order of the schema. What is not checked here is a mistake in the
 * schema, and throws when the schema is first used.
 *
 * Where a limit alone does not say what is expected, `description` does, as a noun phrase: of a string with a `pattern`, of
 * an array that is too short, and of a union, which then answers for all that is within it.
 */
import { describeValue, Mismatch } from './mismatch.ts';

/** The keywords of JSON Schema that are checked or say something. */
export interface Keywords {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Keywords[];
  /** Of a union of objects: the member that tells them apart. */
  readonly discriminator?: { readonly propertyName: string };
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  /** `false` refuses members that no schema names; by default they are ignored. */
  readonly additionalProperties?: boolean | Keywords;
  readonly patternProperties?: Readonly<Record<string, Keywords>>;
  readonly maxProperties?: number;
  readonly items?: Keywords;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly title?: string;
  /** Only says something: `pattern` is what is checked. */
  readonly format?: string;
  readonly description?: string;
}

export interface CheckOptions {
  /** Whether a member that is `null` counts as absent, where the schema does not take `null`. */
  readonly nullIsAbsent?: boolean;
  /** Whether a refusal repeats the names of members that no schema names. They are the caller's words. */
  readonly showsNames?: boolean;
  /** Whether strings may have the character U+0000, which PostgreSQL does not store. */
  readonly takesNul?: boolean;
}

/** Returns what was read, or a mismatch. */
export type Check = (value: unknown) => unknown;

const keywords: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'anyOf', 'discriminator', 'default', 'title', 'description', 'format'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'maxProperties'],
  ...['items', 'minItems', 'maxItems', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
]);

/** @throws {TypeError} for a schema with a keyword or a type that is not checked */
export function buildCheck(schema: Keywords, options: CheckOptions): Check {
  const unknown = Object.keys(schema).find((keyword) => !keywords.has(keyword));
  if (unknown !== undefined) throw new TypeError(`a schema has the keyword ${unknown}, which is not checked`);
  if (schema.anyOf !== undefined) return buildUnion(schema, schema.anyOf, options);
  const choices = choicesOf(schema);
  if (choices !== undefined) return buildChoice(choices);
  switch (schema.type) {
    case undefined:
      return (value) => value;
    case 'null':
      return (value) => (value === null ? value : new Mismatch('must be null', describeValue(value)));
    case 'boolean':
      return (value) =>
        typeof value === 'boolean' ? value : new Mismatch('must be true or false', describeValue(value));
    case 'integer':
    case 'number':
      return buildNumber(schema);
    case 'string':
      return buildText(schema, options);
    case 'array':
      return buildArray(schema, options);
    case 'object':
      return buildObject(schema, options);
    default:
      throw new TypeError(`a schema has the type ${schema.type}, which is not checked`);
  }
}

/** Of a value that is refused: sent or not, it says nothing. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function choicesOf(schema: Keywords): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

function buildChoice(choices: readonly unknown[]): Check {
  const taken = new Set(choices);
  const list = choices.map((choice) => JSON.stringify(choice)).join(', ');
  const missing = choices.length === 1 ? `must be ${list}` : `must be a ${typeof choices[0]}`;
  return (value) => {
    if (taken.has(value)) return value;
    return new Mismatch(isAbsent(value) ? missing : `must be one of ${list}`, describeValue(value));
  };
}

function buildNumber({ type, minimum = -Infinity, maximum = Infinity }: Keywords): Check {
  const isInteger = type === 'integer';
  const isOfType = isInteger ? Number.isInteger : Number.isFinite;
  const expected = `must be ${isInteger ? 'an integer' : 'a number'}${rangeText(minimum, maximum)}`;
  return (value) => {
    // Adding 0 turns −0 into 0.
    if (isOfType(value) && (value as number) >= minimum && (value as number) <= maximum) return (value as number) + 0;
    return new Mismatch(expected, describeValue(value));
  };
}

function rangeText(minimum: number, maximum: number): string {
  if (maximum === Infinity) return minimum === -Infinity ? '' : ` of at least ${minimum}`;
  return minimum === -Infinity ? ` of at most ${maximum}` : ` from ${minimum} to ${maximum}`;
}

function buildText(schema: Keywords, { takesNul = true }: CheckOptions): Check {
  const { minLength = 0, maxLength = Infinity, pattern, description } = schema;
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const length = maxLength === Infinity ? `at least ${minLength}` : `${minLength} to ${maxLength}`;
  return (value) => {
    if (typeof value !== 'string') return new Mismatch('must be a string', describeValue(value));
    if (value.length < minLength || value.length > maxLength) {
      return new Mismatch(`must have ${length} characters`, String(value.length));
    }
    if (!takesNul && value.includes('\0')) return new Mismatch('must not have the character U+0000', 'a string');
    if (form === undefined || form.test(value)) return value;
    return new Mismatch(`must be ${description ?? `of the form ${pattern}`}`, 'a string');
  };
}

function buildArray(schema: Keywords, options: CheckOptions): Check {
  const checkShell = buildArrayShell(schema);
  const checkItem = buildCheck(schema.items ?? {}, options);
  return (value) => {
    const items = checkShell(value);
    if (items instanceof Mismatch) return items;
    // Most arrays of texts and numbers are read as they are.
    let read: unknown[] | undefined;
    for (let index = 0; index < items.length; index++) {
      const item = checkItem(items[index]);
      if (item instanceof Mismatch) return item.under(`[${index}]`);
      if (item === items[index]) continue;
      read ??= [...items];
      read[index] = item;
    }
    return read ?? items;
  };
}

/** Checks an array without its items. */
export function buildArrayShell(schema: Keywords): (value: unknown) => readonly unknown[] | Mismatch {
  const { minItems = 0, maxItems = Infinity, description = `an array of at least ${minItems}` } = schema;
  const expected = maxItems === Infinity ? 'must be an array' : `must be an array of at most ${maxItems}`;
  return (value) => {
    const isShort = isAbsent(value) || (Array.isArray(value) && value.length < minItems);
    if (isShort && minItems > 0) return new Mismatch(`must be ${description}`, describeValue(value));
    return Array.isArray(value) && value.length <= maxItems ? value : new Mismatch(expected, describeValue(value));
  };
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function buildObject(schema: Keywords, options: CheckOptions): Check {
  const { properties = {}, maxProperties = Infinity } = schema;
  const members = Object.keys(properties).map((name) => ({ name, check: buildMember(schema, name, options) }));
  const checkOthers = buildOthers(schema, options);
  return (value) => {
    if (!isPlainObject(value)) return new Mismatch('must be an object', describeValue(value));
    if (maxProperties < Infinity) {
      const count = Object.keys(value).length;
      if (count > maxProperties) return new Mismatch(`must have at most ${maxProperties} entries`, String(count));
    }
    if (members.length === 0 && checkOthers === undefined) return value;
    const read: Record<string, unknown> = {};
    for (const { name, check } of members) {
      const member = check(value);
      if (member instanceof Mismatch) return member;
      if (member !== undefined) read[name] = member;
    }
    return checkOthers === undefined ? read : checkOthers(value, read);
  };
}

/** Reads one member of an object; undefined where it is absent and may be. */
export function buildMember(
  { properties = {}, required = [] }: Keywords,
  name: string,
  options: CheckOptions,
): (object: Readonly<Record<string, unknown>>) => unknown {
  const schema = properties[name]!;
  const check = buildCheck(schema, options);
  const isRequired = required.includes(name);
  const nullIsAbsent = options.nullIsAbsent === true && !kindsOf(schema).includes('null');
  return (object) => {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (!isRequired && (value === undefined || (value === null && nullIsAbsent))) return schema.default;
    const read = check(value);
    return read instanceof Mismatch ? read.under(name) : read;
  };
}

type OthersCheck = (value: Readonly<Record<string, unknown>>, read: Readonly<Record<string, unknown>>) => unknown;

/** A name that a field could have may be a misspelling of one; no other is repeated. */
const fieldName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const numberName = /^\d{1,10}$/;

/** What becomes of the members that `properties` does not name; undefined where they are ignored. */
function buildOthers(schema: Keywords, options: CheckOptions): OthersCheck | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties: others = true } = schema;
  const forms = Object.entries(patternProperties).map(([pattern, inner]) => ({
    form: new RegExp(pattern, 'u'),
    check: buildCheck(inner, options),
  }));
  if (forms.length === 0 && others === true) return undefined;
  const checkRest = typeof others === 'object' ? buildCheck(others, options) : undefined;
  const isShown = (name: string) => numberName.test(name) || (options.showsNames === true && fieldName.test(name));
  const refuseName = (name: string, index: number) =>
    isShown(name)
      ? new Mismatch('is not a field that is known here', undefined, name)
      : new Mismatch(`has a field that is not known here: the one at position ${index + 1}`, undefined);
  return (value, read) => {
    const entries = Object.entries(read);
    for (const [index, name] of Object.keys(value).entries()) {
      if (Object.hasOwn(properties, name)) continue;
      const check = forms.find(({ form }) => form.test(name))?.check ?? checkRest;
      if (check === undefined && others === false) return refuseName(name, index);
      if (check === undefined || (options.nullIsAbsent === true && value[name] === null)) continue;
      const member = check(value[name]);
      if (member instanceof Mismatch) return member.under(isShown(name) ? name : `[${index}]`);
      entries.push([name, member]);
    }
    // Unlike an assignment, this makes a member of the name `__proto__` too.
    return Object.fromEntries(entries);
  };
}

function buildUnion(schema: Keywords, variants: readonly Keywords[], options: CheckOptions): Check {
  if (schema.discriminator !== undefined) return buildTagged(schema.discriminator.propertyName, variants, options);
  const { description } = schema;
  const candidates = variants.map((variant) => ({
    ...{ kinds: kindsOf(variant), itemKinds: kindsOf(variant.items ?? {}) },
    check: buildCheck(variant, options),
  }));
  const expected = `must be ${description ?? variants.map(phraseOf).join(' or ')}`;
  return (value) => {
    const kind = kindOf(value);
    let fitting = candidates.filter(({ kinds }) => kinds.includes(kind));
    if (Array.isArray(value) && fitting.length > 1) {
      const first = fitting.filter(({ itemKinds }) => value.length === 0 || itemKinds.includes(kindOf(value[0])));
      if (first.length > 0) fitting = first;
    }
    let mismatch: Mismatch | undefined;
    for (const { check } of fitting) {
      const read = check(value);
      if (!(read instanceof Mismatch)) return read;
      mismatch ??= read;
    }
    const isClear = description === undefined && fitting.length === 1;
    return isClear && mismatch !== undefined ? mismatch : new Mismatch(expected, describeValue(value));
  };
}

/** A union of objects that one member tells apart. */
function buildTagged(tag: string, variants: readonly Keywords[], options: CheckOptions): Check {
  const checks = new Map<unknown, Check>();
  for (const variant of variants) {
    const check = buildCheck(variant, options);
    for (const choice of choicesOf(variant.properties?.[tag] ?? {}) ?? []) checks.set(choice, check);
  }
  const checkTag = buildChoice([...checks.keys()]);
  return (value) => {
    if (!isPlainObject(value)) return new Mismatch('must be an object', describeValue(value));
    const read = checkTag(value[tag]);
    return read instanceof Mismatch ? read.under(tag) : checks.get(read)!(value);
  };
}

const everyKind = ['string', 'number', 'boolean', 'null', 'array', 'object'];

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The kinds of JSON values that a schema may take. */
function kindsOf(schema: Keywords): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(kindsOf);
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.map(kindOf);
  if (schema.type === undefined) return everyKind;
  return [schema.type === 'integer' ? 'number' : schema.type];
}

function phraseOf(schema: Keywords): string {
  if (schema.description !== undefined) return schema.description;
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(', ');
  const { type = 'anything' } = schema;
  return type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
