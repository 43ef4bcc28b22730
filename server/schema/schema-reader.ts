/**
 * Reads parsed JSON by TypeBox schemas: one schema gives the check, the TypeScript type and the published description.
 * Knows nothing of any one interface; each has a reader of its own, which says how its refusals are thrown.
 */
import Type, { type Static, type TObject, type TOptional, type TProperties, type TSchema } from 'typebox';
import {
  buildArrayShell,
  buildCheck,
  buildMember,
  type Check,
  type CheckOptions,
  isPlainObject,
  type Keywords,
} from './checks.ts';
import { describeValue, Mismatch } from './mismatch.ts';

/** A schema whose value is `default` where the caller says nothing. */
export type Defaulted<Schema extends TSchema> = TOptional<Schema> & { readonly default: Static<Schema> };

/** Makes a member optional, with what it is where the caller says nothing. */
export function defaulted<Schema extends TSchema>(schema: Schema, value: Static<Schema>): Defaulted<Schema> {
  return Object.assign(Type.Optional(schema), { default: value }) as unknown as Defaulted<Schema>;
}

/** What reading a member of an object gives. */
export type MemberOf<Schema extends TSchema> =
  Schema extends Defaulted<infer Inner>
    ? Static<Inner>
    : Schema extends TOptional
      ? Static<Schema> | undefined
      : Static<Schema>;

export interface SchemaReaderOptions extends CheckOptions {
  /** Throws the error of the interface. */
  readonly refuse: (mismatch: Mismatch) => never;
}

export class SchemaReader {
  readonly #options: SchemaReaderOptions;
  /** Built at first use: a program that does not serve pays nothing. */
  readonly #checks = new WeakMap<TSchema, Check>();
  readonly #members = new WeakMap<TSchema, Map<string, ReturnType<typeof buildMember>>>();

  constructor(options: SchemaReaderOptions) {
    this.#options = options;
  }

  /**
   * The value with defaults, and without members that the schema does not name.
   * @param path of the value in what the caller sent, for example `tools[2]`
   */
  read<Schema extends TSchema>(schema: Schema, value: unknown, path = ''): Static<Schema> {
    const read = this.#check(schema)(value);
    return (read instanceof Mismatch ? this.refuse(read, path) : read) as Static<Schema>;
  }

  /** An object whose members are checked one by one as they are read: in the order of the reader, each before the next. */
  open<Properties extends TProperties>(schema: TObject<Properties>, value: unknown): OpenObject<Properties> {
    if (!isPlainObject(value)) return this.refuse(new Mismatch('must be an object', describeValue(value)));
    return new OpenObject(this, schema, value);
  }

  member(schema: TSchema, object: Readonly<Record<string, unknown>>, name: string): unknown {
    const members = this.#members.get(schema) ?? new Map<string, ReturnType<typeof buildMember>>();
    this.#members.set(schema, members);
    const check = members.get(name) ?? buildMember(schema as Keywords, name, this.#options);
    members.set(name, check);
    const read = check(object);
    return read instanceof Mismatch ? this.refuse(read) : read;
  }

  refuse(mismatch: Mismatch, path = ''): never {
    return this.#options.refuse(path === '' ? mismatch : mismatch.under(path));
  }

  #check(schema: TSchema): Check {
    const known = this.#checks.get(schema);
    if (known !== undefined) return known;
    const check = buildCheck(schema as Keywords, this.#options);
    this.#checks.set(schema, check);
    return check;
  }
}

type ItemOf<Schema extends TSchema> = NonNullable<Static<Schema>> extends readonly (infer Item)[] ? Item : never;

/** An object of which nothing is checked but that it is one. */
export class OpenObject<Properties extends TProperties> {
  readonly #reader: SchemaReader;
  readonly #schema: TObject<Properties>;
  readonly #value: Readonly<Record<string, unknown>>;

  constructor(reader: SchemaReader, schema: TObject<Properties>, value: Readonly<Record<string, unknown>>) {
    this.#reader = reader;
    this.#schema = schema;
    this.#value = value;
  }

  get<Name extends keyof Properties & string>(name: Name): MemberOf<Properties[Name]> {
    return this.#reader.member(this.#schema, this.#value, name) as MemberOf<Properties[Name]>;
  }

  /** Reads the items of an array one by one, each before the next is looked at; nothing where the array is absent. */
  map<Name extends keyof Properties & string, Result>(
    name: Name,
    convert: (item: ItemOf<Properties[Name]>, path: string) => Result,
  ): Result[] {
    const schema = this.#schema.properties[name] as Keywords & { readonly items: TSchema };
    const { required = [] } = this.#schema as Keywords;
    const value = this.#value[name];
    if ((value === undefined || value === null) && !required.includes(name)) return [];
    const items = buildArrayShell(schema)(value);
    if (items instanceof Mismatch) return this.#reader.refuse(items, name);
    return items.map((item, index) => {
      const path = `${name}[${index}]`;
      return convert(this.#reader.read(schema.items, item, path) as ItemOf<Properties[Name]>, path);
    });
  }

  /** Refuses a member for a rule that its schema does not say. @param expected completes "the field …" */
  refuse(name: string, expected: string): never {
    return this.#reader.refuse(new Mismatch(expected, describeValue(this.#value[name])), name);
  }
}
