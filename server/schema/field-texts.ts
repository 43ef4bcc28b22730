/**
 * Completes JSON schemas for publication with the descriptions and examples of a table, so that the schemas that validate requests stay
 * small and one name has one meaning. Pure.
 */

/** A description, or a description and an example. */
export type FieldText = string | readonly [description: string, example: unknown];

/**
 * By the name of a field, or by the end of its path where the name alone has another meaning: `id`, `pricing.image`,
 * `ChatBody.model`. The longest match counts. The name of a schema gives the example of the whole schema.
 */
export type FieldTable = Readonly<Record<string, FieldText>>;

/** A JSON schema as plain JSON. */
export type PlainSchema = Record<string, unknown>;

type Schemas = Readonly<Record<string, unknown>>;
const referencePrefix = '#/components/schemas/';

export class FieldTexts {
  readonly #table: FieldTable;
  readonly #used = new Set<string>();

  constructor(table: FieldTable) {
    this.#table = table;
  }

  /** Names of the table that described nothing so far. */
  get unused(): readonly string[] {
    return Object.keys(this.#table).filter((name) => !this.#used.has(name));
  }

  /**
   * A copy in which fields without a description have that of the table, and values without an example too.
   * @param path the name of the schema, or of the parameter
   */
  complete(schema: unknown, path: string): PlainSchema {
    const copy = JSON.parse(JSON.stringify(schema)) as PlainSchema;
    this.#fill(copy, path);
    return copy;
  }

  #fill(schema: PlainSchema, path: string): void {
    const text = schema.$ref === undefined || path.includes('.') ? this.#find(path) : undefined;
    if (text !== undefined) {
      const [description, example] = typeof text === 'string' ? [text] : text;
      schema.description ??= description;
      if (example !== undefined && !hasOwnValue(schema)) schema.examples ??= [example];
    }
    for (const [name, field] of Object.entries((schema.properties ?? {}) as PlainSchema)) {
      this.#fill(field as PlainSchema, `${path}.${name}`);
    }
    for (const inside of partsOf(schema)) this.#fillInside(inside, path);
  }

  /** Alternatives and items have the path of their field, whose text they do not repeat. */
  #fillInside(schema: PlainSchema, path: string): void {
    for (const [name, field] of Object.entries((schema.properties ?? {}) as PlainSchema)) {
      this.#fill(field as PlainSchema, `${path}.${name}`);
    }
    for (const inside of partsOf(schema)) this.#fillInside(inside, path);
  }

  #find(path: string): FieldText | undefined {
    for (let rest = path; ; rest = rest.slice(rest.indexOf('.') + 1)) {
      if (Object.hasOwn(this.#table, rest)) {
        this.#used.add(rest);
        return this.#table[rest];
      }
      if (!rest.includes('.')) return undefined;
    }
  }
}

/** Items and alternatives of a schema. */
export function partsOf({ items, anyOf = [], oneOf = [] }: PlainSchema): readonly PlainSchema[] {
  return [
    ...(items === undefined ? [] : [items]),
    ...(anyOf as PlainSchema[]),
    ...(oneOf as PlainSchema[]),
  ] as PlainSchema[];
}

/** Whether a reader could not guess a value: the schema names none, and has no fields that have examples of their own. */
export function needsExample(schema: PlainSchema): boolean {
  if ('examples' in schema || '$ref' in schema || hasOwnValue(schema)) return false;
  const parts = partsOf(schema);
  if (parts.length > 0) return parts.every((part) => !hasFields(part)) && parts.some(needsExample);
  return schema.properties === undefined;
}

/** Whether the schema itself names a value, or has only two. */
function hasOwnValue(schema: PlainSchema): boolean {
  return (
    ['const', 'enum', 'default'].some((keyword) => keyword in schema) ||
    ['boolean', 'null'].includes(String(schema.type))
  );
}

function hasFields(schema: PlainSchema): boolean {
  return schema.properties !== undefined || schema.$ref !== undefined || partsOf(schema).some(hasFields);
}

const depthMax = 8;

/** A value with every field, from the examples of the fields. @param schemas of `components`, by name */
export function composeExample(schema: PlainSchema, schemas: Schemas, depth = 0): unknown {
  const { $ref, examples, properties, type } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof $ref === 'string') {
    return composeExample(schemas[$ref.slice(referencePrefix.length)] as PlainSchema, schemas, depth + 1);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [part] = partsOf(schema);
  if (depth > depthMax) return null;
  if (schema.items !== undefined) return [composeExample(part!, schemas, depth + 1)];
  if (properties !== undefined) {
    const fields = Object.entries(properties as PlainSchema);
    return Object.fromEntries(
      fields.map(([name, field]) => [name, composeExample(field as PlainSchema, schemas, depth + 1)]),
    );
  }
  if (part !== undefined) return composeExample(part, schemas, depth + 1);
  return type === 'object' ? {} : type === 'boolean' ? true : null;
}
