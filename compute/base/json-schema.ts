/**
 * The part of JSON Schema that requests and the configuration need, checked here, so that a refusal says in one sentence
 * which field is wrong and never echoes what was written in it. The same objects are published as OpenAPI.
 */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly oneOf?: readonly JsonSchema[];
  readonly $ref?: string;
}

/** An object that takes these fields and no others. @param optional names of `properties` that may be left out */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [], description }: { optional?: readonly string[]; description?: string } = {},
): JsonSchema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

/** @returns a sentence about the first thing that is wrong, or undefined */
export function findMismatch(schema: JsonSchema, value: unknown, path = ''): string | undefined {
  const subject = path === '' ? 'the request body' : `\`${path}\``;
  const { type } = schema;
  if (type !== undefined && ![type].flat().some((name) => isOfType(name, value))) {
    return value === undefined ? `${subject} is missing` : `${subject} must be ${words([type].flat())}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) {
    return `${subject} must be one of ${schema.enum.map((one) => JSON.stringify(one)).join(', ')}`;
  }
  if (typeof value === 'string') return textMismatch(schema, value, subject);
  if (typeof value === 'number') return numberMismatch(schema, value, subject);
  if (Array.isArray(value)) return arrayMismatch(schema, value, { path, subject });
  if (typeof value === 'object' && value !== null) return objectMismatch(schema, value, { path, subject });
  return undefined;
}

function textMismatch(schema: JsonSchema, value: string, subject: string): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  // PostgreSQL stores none, and nothing that comes in here has a use for it.
  if (value.includes('\0')) return `${subject} must not hold the character U+0000`;
  if (value.length < minLength || value.length > maxLength) {
    return `${subject} must have ${minLength} to ${maxLength} characters, got ${value.length}`;
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    return `${subject} must be ${schema.description ?? `of the form ${pattern}`}`;
  }
  return undefined;
}

function numberMismatch(schema: JsonSchema, value: number, subject: string): string | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value >= minimum && value <= maximum) return undefined;
  return `${subject} must be from ${minimum} to ${maximum}`;
}

/**
 * A refusal names a field that is not known (C-026), since it may be a misspelling of one that is; a name that no field
 * could have is the caller's text, and is not repeated.
 */
const fieldName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

interface Place {
  readonly path: string;
  readonly subject: string;
}

function arrayMismatch(schema: JsonSchema, value: readonly unknown[], { path, subject }: Place): string | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (value.length < minItems || value.length > maxItems) {
    return `${subject} must have ${minItems} to ${maxItems} entries, got ${value.length}`;
  }
  if (items === undefined) return undefined;
  return firstOf(value.keys(), (index) => findMismatch(items, value[index], `${path}[${index}]`));
}

function objectMismatch(schema: JsonSchema, value: object, { path, subject }: Place): string | undefined {
  const {
    properties = {},
    required = [],
    additionalProperties = true,
    maxProperties = Number.POSITIVE_INFINITY,
  } = schema;
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (names.length > maxProperties) return `${subject} must have at most ${maxProperties} entries, got ${names.length}`;
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = required.find((name) => !Object.hasOwn(members, name));
  if (missing !== undefined) return `\`${inner(missing)}\` is missing`;
  return firstOf(names.entries(), ([index, name]) => {
    if (Object.hasOwn(properties, name)) return findMismatch(properties[name]!, members[name], inner(name));
    if (additionalProperties === true) return undefined;
    const isNamed = fieldName.test(name);
    if (additionalProperties !== false) {
      return findMismatch(additionalProperties, members[name], isNamed ? inner(name) : `${path}[${index}]`);
    }
    if (isNamed) return `\`${inner(name)}\` is not a field that is known here`;
    return `${subject} has a field that is not known here: the one at position ${index + 1}`;
  });
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function words(types: readonly string[]): string {
  return types.map((type) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)).join(' or ');
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
