/** What clients of an interface rely on, read from its OpenAPI document. Pure. */

export interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Described {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Promised {
  /** Parameters and fields that may be sent; `messages[].role` is a field of an item. */
  readonly accepts: readonly string[];
  /** Those that must be sent. */
  readonly requires: readonly string[];
  /** Types and fields of a successful answer. */
  readonly answers: readonly string[];
}

/** @returns by method and path, such as `post /embeddings` */
export function readInterface({ paths, components }: Description): Readonly<Record<string, Promised>> {
  const fields = (schema: Schema, prefix = ''): string[] => {
    const { $ref, properties = {}, items, anyOf = [], oneOf = [] } = schema;
    if ($ref !== undefined) return fields(components.schemas[$ref.split('/').at(-1)!]!, prefix);
    return [
      ...Object.entries(properties).flatMap(([name, one]) => [`${prefix}${name}`, ...fields(one, `${prefix}${name}.`)]),
      ...(items === undefined ? [] : fields(items, `${prefix.replace(/\.$/, '')}[].`)),
      ...[...anyOf, ...oneOf].flatMap((one) => fields(one, prefix)),
    ];
  };
  const requiredOf = ({ $ref, required = [] }: Schema): readonly string[] =>
    $ref === undefined ? required : requiredOf(components.schemas[$ref.split('/').at(-1)!]!);
  const promised = ({ requestBody, responses, parameters = [] }: Described): Promised => {
    const body = requestBody?.content?.['application/json']?.schema ?? {};
    const answers = Object.entries((responses[200] ?? responses[201])?.content ?? {});
    return {
      accepts: unique([...parameters.map(({ name }) => name), ...fields(body)]),
      requires: unique([...parameters.filter((one) => one.required).map(({ name }) => name), ...requiredOf(body)]),
      answers: unique(answers.flatMap(([type, { schema }]) => [type, ...fields(schema, `${type} `)])),
    };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [`${method} ${path}`, promised(one)] as const),
  );
  return Object.fromEntries(operations);
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();

/** @returns what a client of `old` finds missing in `now`, or is newly required to send; empty: compatible */
export function findBreaks(
  old: Readonly<Record<string, Promised>>,
  now: Readonly<Record<string, Promised>>,
): readonly string[] {
  return Object.entries(old).flatMap(([name, before]) => {
    const after = now[name];
    if (after === undefined) return [`${name} is missing`];
    const without = (from: readonly string[], of: readonly string[]) => from.filter((one) => !of.includes(one));
    return [
      ...without(before.accepts, after.accepts).map((one) => `${name} no longer accepts ${one}`),
      ...without(after.requires, before.requires).map((one) => `${name} now requires ${one}`),
      ...without(before.answers, after.answers).map((one) => `${name} no longer answers ${one}`),
    ];
  });
}
