/** Reads the results of tools, whose members may be missing, and builds facts from them. Pure. */
import type { Json } from './agent.ts';
import type { Fact, FactValue } from './vocabulary.ts';

/** @param fields those that are undefined are omitted */
export function factOf(kind: string, fields: { readonly [field: string]: FactValue | undefined }): Fact {
  const given = Object.entries(fields).filter((entry): entry is [string, FactValue] => entry[1] !== undefined);
  return { kind, value: Object.fromEntries(given) };
}

export function stringOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function field(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [key: string]: Json })[name];
}

/** @returns an empty array if there is no such list */
export function list(value: Json | undefined, name: string): readonly Json[] {
  const items = field(value, name);
  return Array.isArray(items) ? (items as readonly Json[]) : [];
}

/** @returns an empty string if there is no such text */
export function text(value: Json | undefined, name: string): string {
  return stringOf(field(value, name)) ?? '';
}
