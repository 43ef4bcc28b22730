/** What an OpenAPI document lacks, so that tests of every document demand the same. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { needsExample, partsOf } from '../../server/schema/field-texts.ts';

type Json = Record<string, unknown>;
type Schema = Parameters<typeof partsOf>[0];

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Operation {
  readonly summary: string;
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; description?: string; schema: Schema }[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, Answer & { readonly $ref?: string }>;
}

interface Answer {
  readonly description: string;
  readonly headers?: Record<string, { $ref?: string; description?: string; schema: Schema }>;
  readonly content?: Record<string, Media>;
}

export interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, Schema>;
    readonly headers?: Json;
    readonly responses?: Json;
  };
}

/** Follows a reference within the document. */
export function follow<Value extends { $ref?: string }>(value: Value, document: Document): Value {
  if (value.$ref === undefined) return value;
  const found = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((part, name) => (part as Json | undefined)?.[name], document);
  if (found === undefined) throw new Error(`nothing is at ${value.$ref}`);
  return found as Value;
}

/** Every operation with its method and path. */
export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation })),
  );

/** One line for each field, parameter, header, body and answer without a description, or without an example that its schema accepts. */
export function gapsOf(document: Document): string[] {
  const gaps: string[] = [];
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  // The same field often has several places.
  const seen = new Set<string>();
  const check = (schema: Schema, example: unknown, place: string) => {
    const key = JSON.stringify([schema, example]);
    if (seen.has(key)) return;
    seen.add(key);
    const inDocument = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Schema;
    const accepts = ajv.compile(inDocument);
    if (!accepts(example)) gaps.push(`${place}: the example is wrong: ${ajv.errorsText(accepts.errors)}`);
  };
  const fields = (schema: Schema, place: string) => {
    for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
      if (typeof field.description !== 'string') gaps.push(`${place}.${name}: no description`);
      if (needsExample(field)) gaps.push(`${place}.${name}: no example`);
      for (const example of (field.examples ?? []) as unknown[]) check(field, example, `${place}.${name}`);
      fields(field, `${place}.${name}`);
    }
    for (const part of partsOf(schema)) fields(part, place);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    fields(schema, name);
    if (schema.examples === undefined) gaps.push(`${name}: no example`);
    for (const example of (schema.examples ?? []) as unknown[]) check(schema, example, name);
  }
  for (const { name, operation } of operationsOf(document)) {
    if (!operation.summary) gaps.push(`${name}: no summary`);
    for (const parameter of operation.parameters ?? []) {
      if (!parameter.description) gaps.push(`${name} ${parameter.name}: no description`);
      if (needsExample(parameter.schema)) gaps.push(`${name} ${parameter.name}: no example`);
    }
    const media = (content: Record<string, Media>, place: string) => {
      for (const [type, { schema, example }] of Object.entries(content)) {
        if (schema.$ref === undefined) fields(schema, place);
        if (schema.format === 'binary') continue;
        const given = example ?? (follow(schema, document).examples as unknown[] | undefined)?.[0];
        if (given === undefined) gaps.push(`${place} ${type}: no example`);
        else check(schema, given, `${place} ${type}`);
      }
    };
    if (operation.requestBody !== undefined) media(operation.requestBody.content, `${name} body`);
    for (const [status, given] of Object.entries(operation.responses)) {
      const answer = follow(given, document);
      if (!answer.description) gaps.push(`${name} ${status}: no description`);
      for (const [header, value] of Object.entries(answer.headers ?? {})) {
        const { description, schema } = follow(value, document);
        if (!description || needsExample(schema)) gaps.push(`${name} ${status} ${header}: no description or example`);
      }
      if (answer.content === undefined) gaps.push(`${name} ${status}: no content`);
      else media(answer.content, `${name} ${status}`);
    }
  }
  return gaps;
}
