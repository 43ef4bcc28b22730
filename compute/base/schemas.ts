/** What all TypeBox schemas of this service share. */
import { Type } from '@cloister/server/schema/type';
import type { Static, TObjectOptions, TSchema } from 'typebox';

/** Options of an object that refuses unknown fields. */
export const closed = { additionalProperties: false } as const;

/** An object with any member names. `Type.Record` would match the names against a pattern, which no line break fits. */
export function recordOf<Item extends TSchema>(item: Item, options: TObjectOptions = {}) {
  return Type.Unsafe<Record<string, Static<Item>>>({ type: 'object', ...options, additionalProperties: item });
}

/** The type of a schema's values, read-only all the way down. */
export type ReadonlyStatic<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value;
