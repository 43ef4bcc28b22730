/**
 * Reads parsed JSON by TypeBox schemas: one schema gives the check, the TypeScript type and the published description.
 * Each interface has its own reader, which throws its errors.
 */
import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox';
import { buildArrayShell, buildCheck, buildMembers, isPlainObject, type MemberCheck } from './checks.ts';
import type { Check, CheckOptions, Keywords } from './keywords.ts';
import { describeValue, Mismatch } from './mismatch.ts';
import { Type } from './type.ts';

/** A schema whose value is `default` if the member is absent. */
export type Defaulted<Schema extends TSchema> = TOptional<Schema> & { readonly default: Static<Schema> };

/** Makes a member optional, with a default. */
export function defaulted<Schema extends TSchema>(schema: Schema, value: Static<Schema>): Defaulted<Schema> {
  return Object.assign(Type.Optional(schema), { default: value }) as unknown as Defaulted<Schema>;
}

/** The type of a member after reading. */
export type MemberOf<Schema extends TSchema> =
  Schema extends Defaulted<infer Inner>
    ? Static<Inner>
    : Schema extends TOptional
      ? Static<Schema> | undefined
      : Static<Schema>;

/** The type of a value after reading: members with a default are present. */
export type ReadOf<Schema extends TSchema> =
  Schema extends TObject<infer Properties>
    ? Static<Schema> & {
        [Name in keyof Properties as Properties[Name] extends { default: unknown } ? Name : never]: MemberOf<
          Properties[Name]
        >;
      }
    : Static<Schema>;

export interface SchemaReaderOptions extends CheckOptions {
  /** Throws the error of the interface for a mismatch. */
  readonly refuse: (mismatch: Mismatch) => never;
}

export class SchemaReader {
  readonly #options: SchemaReaderOptions;
  /** Built at first use, so that programs that do not serve have no cost. */
  readonly #checks = new WeakMap<TSchema, Check>();
  readonly #members = new WeakMap<TSchema, ReadonlyMap<string, MemberCheck>>();

  constructor(options: SchemaReaderOptions) {
    this.#options = options;
  }

  /**
   * Returns the value with defaults, without members that the schema does not name.
   * @param path of the value in the body, for example `tools[2]`
   */
  read<Schema extends TSchema>(schema: Schema, value: unknown, path = ''): ReadOf<Schema> {
    const read = this.checkOf(schema)(value);
    return (read instanceof Mismatch ? this.refuse(read, path) : read) as ReadOf<Schema>;
  }

  /**
   * Opens an object whose members are checked when they are read, so that rules between members can be checked in order.
   * @throws {TypeError} for a schema that restricts the names of members, which only `read` checks
   */
  open<Properties extends TProperties>(schema: TObject<Properties>, value: unknown): OpenObject<Properties> {
    if (!isPlainObject(value)) return this.refuse(new Mismatch('must be an object', describeValue(value)));
    let members = this.#members.get(schema);
    if (members === undefined) {
      members = buildOpenMembers(schema as Keywords, this.#options);
      this.#members.set(schema, members);
    }
    return new OpenObject(this, { schema, members, value });
  }

  refuse(mismatch: Mismatch, path = ''): never {
    return this.#options.refuse(path === '' ? mismatch : mismatch.under(path));
  }

  checkOf(schema: TSchema): Check {
    const known = this.#checks.get(schema);
    if (known !== undefined) return known;
    const check = buildCheck(schema as Keywords, this.#options);
    this.#checks.set(schema, check);
    return check;
  }
}

function buildOpenMembers(schema: Keywords, options: CheckOptions): ReadonlyMap<string, MemberCheck> {
  const limits = ['additionalProperties', 'propertyNames', 'maxProperties'];
  const limit = limits.find((keyword) => Object.hasOwn(schema, keyword));
  if (limit !== undefined) throw new TypeError(`an opened object has the keyword ${limit}, which is not checked`);
  return buildMembers(schema, options);
}

type ItemOf<Schema extends TSchema> = NonNullable<Static<Schema>> extends readonly (infer Item)[] ? Item : never;

interface OpenObjectParts<Properties extends TProperties> {
  readonly schema: TObject<Properties>;
  readonly members: ReadonlyMap<string, MemberCheck>;
  readonly value: Readonly<Record<string, unknown>>;
}

/** An object whose members are checked when they are read. */
export class OpenObject<Properties extends TProperties> {
  readonly #reader: SchemaReader;
  readonly #schema: TObject<Properties>;
  readonly #members: ReadonlyMap<string, MemberCheck>;
  readonly #value: Readonly<Record<string, unknown>>;

  constructor(reader: SchemaReader, { schema, members, value }: OpenObjectParts<Properties>) {
    this.#reader = reader;
    this.#schema = schema;
    this.#members = members;
    this.#value = value;
  }

  get<Name extends keyof Properties & string>(name: Name): MemberOf<Properties[Name]> {
    const read = this.#members.get(name)!(this.#value);
    return (read instanceof Mismatch ? this.#reader.refuse(read) : read) as MemberOf<Properties[Name]>;
  }

  /** Whether the caller sent a member of this name, in the schema or not. */
  has(name: string): boolean {
    return Object.hasOwn(this.#value, name) && this.#value[name] !== null && this.#value[name] !== undefined;
  }

  /** As `get`, but undefined instead of the default if the member is absent. */
  given<Name extends keyof Properties & string>(name: Name): MemberOf<Properties[Name]> | undefined {
    return this.has(name) ? this.get(name) : undefined;
  }

  /** Checks and converts the items of an array one by one; empty if the array is absent. */
  map<Name extends keyof Properties & string, Result>(
    name: Name,
    convert: (item: ItemOf<Properties[Name]>, index: number) => Result,
  ): Result[] {
    const schema = this.#schema.properties[name] as Keywords & { readonly items: TSchema };
    const { required = [] } = this.#schema as Keywords;
    const value = this.#value[name];
    if ((value === undefined || value === null) && !required.includes(name)) return [];
    const items = buildArrayShell(schema)(value);
    if (items instanceof Mismatch) return this.#reader.refuse(items, name);
    const check = this.#reader.checkOf(schema.items);
    return items.map((item, index) => {
      const read = check(item);
      if (read instanceof Mismatch) return this.#reader.refuse(read, `${name}[${index}]`);
      return convert(read as ItemOf<Properties[Name]>, index);
    });
  }

  /** Refuses a member for a rule that its schema cannot express. @param expected completes "the field …" */
  refuse(name: string, expected: string): never {
    return this.#reader.refuse(new Mismatch(expected, describeValue(this.#value[name]), name));
  }
}
