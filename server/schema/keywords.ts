/** The supported keywords of JSON Schema. */

export interface Keywords {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Keywords[];
  /** The member that distinguishes the objects of a union. */
  readonly discriminator?: { readonly propertyName: string };
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  /** `false` refuses members that the schema does not name; by default they are ignored. */
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
  /** Whether `null` counts as absent if the schema does not accept `null`. */
  readonly nullIsAbsent?: boolean;
  /** Whether an error repeats the names of unknown members, which are text of the caller. */
  readonly showsNames?: boolean;
  /** Whether strings may have the character U+0000, which PostgreSQL does not store. */
  readonly takesNul?: boolean;
}

/** Returns the value with defaults, or a mismatch. */
export type Check = (value: unknown) => unknown;

/** The values that a schema lists; undefined if it lists none. */
export function choicesOf(schema: Keywords): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

export const everyKind = ['string', 'number', 'boolean', 'null', 'array', 'object'];

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The kinds of JSON values that a schema may accept. */
export function kindsOf(schema: Keywords): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(kindsOf);
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.map(kindOf);
  if (schema.type === undefined) return everyKind;
  return [schema.type === 'integer' ? 'number' : schema.type];
}
