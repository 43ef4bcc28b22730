/** Options and types shared by all TypeBox schemas of this service. */
import type { Static, TSchema } from 'typebox';

/** Options of an object that refuses unknown fields. */
export const closed = { additionalProperties: false } as const;

/** The type of a schema's values, read-only all the way down. */
export type ReadonlyStatic<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value;
