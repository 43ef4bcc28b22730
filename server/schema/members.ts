/** Members that the schemas of several bodies and answers share. */
import type { TEnum } from 'typebox';
import { defaulted } from './schema-reader.ts';
import { Type } from './type.ts';

export const text = Type.String();
/** A number of tokens, items or milliseconds. */
export const count = Type.Integer({ minimum: 0 });

export function flag(fallback: boolean, description?: string) {
  return defaulted(Type.Boolean(description === undefined ? {} : { description }), fallback);
}

export function choice<const Choices extends string[]>(choices: readonly [...Choices]): TEnum<Choices> {
  return Type.Enum(choices, { type: 'string' }) as unknown as TEnum<Choices>;
}
