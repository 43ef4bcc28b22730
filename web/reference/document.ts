/** The parts of an OpenAPI 3.1 document that the reference page shows. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly deprecated?: boolean;
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly description?: string;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Reference {
  readonly $ref: string;
}

export interface Header {
  readonly schema: Schema;
  readonly description?: string;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, Header>>;
    readonly responses?: Readonly<Record<string, Answer>>;
  };
}

export interface Endpoint {
  readonly method: string;
  /** On this server, with the prefix of the document. */
  readonly path: string;
  readonly operation: Operation;
}

/** Operations in groups by the first part of their paths, in the order of the document. */
export function endpointGroups({ paths, servers }: OpenApiDocument): ReadonlyMap<string, readonly Endpoint[]> {
  const prefix = basePath(servers?.[0]?.url ?? '');
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path: `${prefix}${path}`, operation })),
  );
  // The compute API has its groups one word deeper: `/api/svc/pods`.
  return Map.groupBy(endpoints, ({ path }) => path.split('/')[path.startsWith('/api/') ? 3 : 2] ?? '');
}

function basePath(url: string): string {
  return new URL(url, location.origin).pathname.replace(/\/$/, '');
}

/** Follows a reference to an answer. */
export function answerOf(answer: Answer | Reference, { components }: OpenApiDocument): Answer {
  if (!('$ref' in answer)) return answer;
  return components.responses?.[answer.$ref.split('/').at(-1)!] ?? { description: '' };
}

/** Follows a reference to a header. */
export function headerOf(header: Header | Reference, { components }: OpenApiDocument): Header {
  if (!('$ref' in header)) return header;
  return components.headers?.[header.$ref.split('/').at(-1)!] ?? { schema: {} };
}

/** Follows a reference. @returns the name of the schema, if it has one, and the schema */
export function resolve(
  schema: Schema,
  document: OpenApiDocument,
): { readonly name?: string; readonly schema: Schema } {
  const name = schema.$ref?.split('/').at(-1);
  const known = name === undefined ? undefined : document.components.schemas[name];
  return name === undefined || known === undefined ? { schema } : { name, schema: known };
}

/** A value of the answer or body, if the document has one. */
export function exampleIn(content: Content | undefined, document: OpenApiDocument): unknown {
  const json = content?.['application/json'];
  return json === undefined ? undefined : (json.example ?? resolve(json.schema, document).schema.examples?.[0]);
}

/** The JSON schema in the answer or body, if there is one. */
export function jsonSchema(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}

/** A few words for the type and the limits of a value. */
export function typeText(schema: Schema, document: OpenApiDocument): string {
  const { name, schema: known } = resolve(schema, document);
  const { type, items, enum: values, const: constant, anyOf, oneOf, format } = known;
  const alternatives = anyOf ?? oneOf;
  if (constant !== undefined) return JSON.stringify(constant);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (alternatives !== undefined) {
    return [...new Set(alternatives.map((one) => typeText(one, document)))].join(' or ');
  }
  if (items !== undefined) return `list of ${typeText(items, document)}`;
  const word = [type ?? 'any'].flat().join(' or ');
  return [name ?? word, format, rangeOf(known)].filter((part) => part).join(', ');
}

function rangeOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string {
  const [low, high] = [minimum ?? minLength ?? minItems, maximum ?? maxLength ?? maxItems];
  const unit = (minLength ?? maxLength) === undefined ? '' : ' characters';
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return low === 0 ? '' : `at least ${low}${unit}`;
  return high === undefined ? '' : `at most ${high}${unit}`;
}
