/**
 * Builds the check of a schema: a function that returns the value with its defaults and without the members that the schema
 * does not name, or the first mismatch. Members are read in the order of the schema. An unsupported keyword throws when the check
 * is built.
 *
 * The limits of a schema give the text of an error. For strings with a `pattern`, arrays that are absent or too short, and unions,
 * the text is the `description`, a noun phrase. For a union with a `description` the error names the whole value, otherwise the
 * place within it.
 */
import { type Check, type CheckOptions, choicesOf, everyKind, type Keywords, kindOf, kindsOf } from './keywords.ts';
import { describeValue, Mismatch } from './mismatch.ts';
import { buildChoice, buildNumber, buildText, isAbsent } from './scalar-checks.ts';

const keywords: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'anyOf', 'discriminator', 'default', 'title', 'description', 'examples', 'format'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames', 'maxProperties'],
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
  const { minItems = 0, maxItems = Infinity, description } = schema;
  const short = minItems === 1 ? 'must not be empty' : `must be an array of at least ${minItems}`;
  const named = description === undefined ? undefined : `must be ${description}`;
  const expected = maxItems === Infinity ? 'must be an array' : `must be an array of at most ${maxItems}`;
  return (value) => {
    if (!Array.isArray(value)) {
      return new Mismatch(isAbsent(value) ? (named ?? expected) : expected, describeValue(value));
    }
    if (value.length < minItems) return new Mismatch(named ?? short, describeValue(value));
    return value.length <= maxItems ? value : new Mismatch(expected, describeValue(value));
  };
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function buildObject(schema: Keywords, options: CheckOptions): Check {
  const { maxProperties = Infinity } = schema;
  const members = [...buildMembers(schema, options)];
  const checkOthers = buildOthers(schema, options);
  return (value) => {
    if (!isPlainObject(value)) return new Mismatch('must be an object', describeValue(value));
    if (maxProperties < Infinity) {
      const count = Object.keys(value).length;
      if (count > maxProperties) return new Mismatch(`must have at most ${maxProperties} entries`, String(count));
    }
    if (members.length === 0 && checkOthers === undefined) return value;
    const read: Record<string, unknown> = {};
    for (const [name, check] of members) {
      const member = check(value);
      if (member instanceof Mismatch) return member;
      if (member !== undefined) read[name] = member;
    }
    return checkOthers === undefined ? read : checkOthers(value, read);
  };
}

/** Reads one member of an object; undefined if it is absent and optional. */
export type MemberCheck = (object: Readonly<Record<string, unknown>>) => unknown;

/** By name, in the order of the schema. */
export function buildMembers(schema: Keywords, options: CheckOptions): Map<string, MemberCheck> {
  return new Map(Object.keys(schema.properties ?? {}).map((name) => [name, buildMember(schema, name, options)]));
}

function buildMember({ properties = {}, required = [] }: Keywords, name: string, options: CheckOptions): MemberCheck {
  const schema = properties[name]!;
  const check = buildCheck(schema, options);
  const isRequired = required.includes(name);
  const nullIsAbsent = options.nullIsAbsent === true && !kindsOf(schema).includes('null');
  const isInherited = name in Object.prototype;
  return (object) => {
    const value = isInherited && !Object.hasOwn(object, name) ? undefined : object[name];
    if (!isRequired && (value === undefined || (value === null && nullIsAbsent))) return schema.default;
    const read = check(value);
    return read instanceof Mismatch ? read.under(name) : read;
  };
}

type OthersCheck = (value: Readonly<Record<string, unknown>>, read: Readonly<Record<string, unknown>>) => unknown;

/** Only a name in the form of a field is repeated, since it may be a misspelling. */
const fieldName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const numberName = /^\d{1,10}$/;

/** Checks the members that `properties` does not name; undefined if they are ignored. */
function buildOthers(schema: Keywords, options: CheckOptions): OthersCheck | undefined {
  const { properties = {}, additionalProperties: others = true, propertyNames } = schema;
  if (others === true && propertyNames === undefined) return undefined;
  const checkName = propertyNames === undefined ? undefined : buildCheck(propertyNames, options);
  const namesExpected = `must have ${propertyNames?.description} as its keys`;
  const check = typeof others === 'object' ? buildCheck(others, options) : undefined;
  const isShown = (name: string) => numberName.test(name) || (options.showsNames === true && fieldName.test(name));
  const refuseName = (name: string, index: number) =>
    isShown(name)
      ? new Mismatch('is not a known field', undefined, name)
      : new Mismatch(`has an unknown field at position ${index + 1}`, undefined);
  return (value, read) => {
    const entries = Object.entries(read);
    for (const [index, name] of Object.keys(value).entries()) {
      if (Object.hasOwn(properties, name)) continue;
      if (checkName?.(name) instanceof Mismatch) return new Mismatch(namesExpected, describeValue(value));
      if (check === undefined && others === false) return refuseName(name, index);
      if (check === undefined || (options.nullIsAbsent === true && isAbsent(value[name]))) continue;
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
  const byKind = groupByKind(variants, options);
  const phrases = new Set(variants.map(phraseOf));
  const expected = `must be ${description ?? [...phrases].join(' or ')}`;
  return (value) => {
    let mismatch: Mismatch | undefined;
    for (const check of byKind.get(kindOf(value))?.(value) ?? []) {
      const read = check(value);
      if (!(read instanceof Mismatch)) return read;
      mismatch ??= read;
    }
    if (description === undefined && mismatch !== undefined) return mismatch;
    return new Mismatch(expected, describeValue(value));
  };
}

/** The variants that may accept a value, by its kind; for several arrays, those that may accept its first item. */
function groupByKind(variants: readonly Keywords[], options: CheckOptions) {
  const checks = variants.map((schema) => ({ schema, check: buildCheck(schema, options) }));
  const groupOf = (kind: string): ((value: unknown) => readonly Check[]) => {
    const group = checks.filter(({ schema }) => kindsOf(schema).includes(kind));
    const all = group.map(({ check }) => check);
    if (kind !== 'array' || group.length < 2) return () => all;
    const byItem = new Map(
      everyKind.map((itemKind) => [
        itemKind,
        group.filter(({ schema }) => kindsOf(schema.items ?? {}).includes(itemKind)).map(({ check }) => check),
      ]),
    );
    return (value) => {
      const fitting = byItem.get(kindOf((value as readonly unknown[])[0])) ?? [];
      return fitting.length === 0 ? all : fitting;
    };
  };
  return new Map(everyKind.map((kind) => [kind, groupOf(kind)]));
}

/** A union of objects that one member distinguishes. */
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

function phraseOf(schema: Keywords): string {
  if (schema.description !== undefined) return schema.description;
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(', ');
  const { type = 'anything' } = schema;
  return type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
