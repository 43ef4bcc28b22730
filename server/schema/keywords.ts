/** The keywords of JSON Schema that schemas of this server may use. */

export interface Keywords {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Keywords[];
  /** Of a union of objects: the member that tells them apart. */
  readonly discriminator?: { readonly propertyName: string };
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  /** `false` refuses members that no schema names; by default they are ignored. */
  readonly additionalProperties?: boolean | Keywords;
  /** Its `description` completes "must have … as its keys". */
  readonly propertyNames?: Keywords;
  readonly maxProperties?: number;
  readonly items?: Keywords;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly title?: string;
  /** An annotation: not checked. */
  readonly format?: string;
  readonly description?: string;
}

export interface CheckOptions {
  /** Whether a member that is `null` counts as absent, where the schema does not take `null`. */
  readonly nullIsAbsent?: boolean;
  /** Whether a refusal repeats the names of members that no schema names. They are the caller's words. */
  readonly showsNames?: boolean;
  /** Whether strings may have the character U+0000, which PostgreSQL does not store. */
  readonly takesNul?: boolean;
}

/** Returns what was read, or a mismatch. */
export type Check = (value: unknown) => unknown;

/** The only values that a schema takes; undefined where it does not list them. */
export function choicesOf(schema: Keywords): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

export const everyKind = ['string', 'number', 'boolean', 'null', 'array', 'object'];

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The kinds of JSON values that a schema may take. */
export function kindsOf(schema: Keywords): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(kindsOf);
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.map(kindOf);
  if (schema.type === undefined) return everyKind;
  return [schema.type === 'integer' ? 'number' : schema.type];
}
