/**
 * Builders of schemas with TypeBox's types but without its code, whose 700 modules need 8 MB in each thread. They build plain
 * JSON Schema.
 */
import type * as TypeBox from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;

type Options = Readonly<Record<string, unknown>>;
type Schema = object;

/** Optional members, which `required` of their object does not list. */
const optional = new WeakSet<Schema>();

function markOptional(schema: Schema): Schema {
  const marked = { ...schema };
  optional.add(marked);
  return marked;
}

function buildObject(properties: Readonly<Record<string, Schema>>, options?: Options): Schema {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name]!));
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties, ...options };
}

const ofType = (type: string) => (options?: Options) => ({ type, ...options });

const builders = {
  Array: (items: Schema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: buildObject,
  Optional: markOptional,
  Partial: ({ required: _, ...schema }: { readonly required?: unknown }, options?: Options) => ({
    ...schema,
    ...options,
  }),
  /** Names are checked only by `propertyNames` in `options`. */
  Record: (_: Schema, item: Schema, options?: Options) => ({ type: 'object', additionalProperties: item, ...options }),
  String: ofType('string'),
  Union: (variants: readonly Schema[], options?: Options) => ({ anyOf: variants, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

export const Type = builders as unknown as Builders;
