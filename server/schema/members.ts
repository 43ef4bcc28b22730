/** Members that several bodies have in common. */
import type { TEnum } from 'typebox';
import { defaulted } from './schema-reader.ts';
import { Type } from './type.ts';

export const text = Type.String();

export function flag(fallback: boolean, description?: string) {
  return defaulted(Type.Boolean(description === undefined ? {} : { description }), fallback);
}

export function choice<const Choices extends string[]>(choices: readonly [...Choices]): TEnum<Choices> {
  return Type.Enum(choices, { type: 'string' }) as unknown as TEnum<Choices>;
}
