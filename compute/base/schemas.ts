/** What the TypeBox schemas of this service have in common. */
import { type Static, type TObjectOptions, type TSchema, Type } from 'typebox';

/** Of an object that takes the fields it names and no others. */
export const closed = { additionalProperties: false } as const;

/** An object whose members have names of somebody's choice. `Type.Record` would hold the names against a pattern. */
export function recordOf<Item extends TSchema>(item: Item, options: TObjectOptions = {}) {
  return Type.Unsafe<Record<string, Static<Item>>>({ type: 'object', ...options, additionalProperties: item });
}

/** A value that fits the schema, for readers alone. */
export type Fitting<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value;
