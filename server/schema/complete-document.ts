/** Completes an OpenAPI document: descriptions and examples of every field, parameter, body and answer. Pure. */
import { composeExample, type FieldTable, FieldTexts, type PlainSchema } from './field-texts.ts';

interface Document {
  readonly paths: object;
  readonly components: { readonly schemas: object };
}

type Content = Record<string, { schema: PlainSchema }>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: { readonly name: string; readonly in: string; schema: PlainSchema; description?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Record<string, { readonly content?: Content }>;
}

/**
 * @param table parameters are in it as `PLACE.NAME`, such as `query.day`
 * @returns a completed copy, and the texts of the table that it does not need
 */
export function completeDocument<Whole extends Document>(
  document: Whole,
  table: FieldTable,
): { readonly document: Whole; readonly unused: readonly string[] } {
  const texts = new FieldTexts(table);
  const whole = structuredClone(document) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, PlainSchema> };
  };
  const { schemas } = whole.components;
  const inline: { readonly schema: PlainSchema }[] = [];
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = texts.complete(schema, name);
  for (const operation of Object.values(whole.paths).flatMap((methods) => Object.values(methods))) {
    for (const parameter of operation.parameters ?? []) {
      parameter.schema = texts.complete(parameter.schema, `${operation.operationId}.${parameter.in}.${parameter.name}`);
      parameter.description ??= parameter.schema.description;
    }
    const complete = (content: Content | undefined, part: string) => {
      for (const media of Object.values(content ?? {})) {
        if (media.schema.$ref !== undefined) continue;
        media.schema = texts.complete(media.schema, `${operation.operationId}.${part}`);
        inline.push(media);
      }
    };
    complete(operation.requestBody?.content, 'body');
    // References have no content.
    for (const { content } of Object.values(operation.responses)) complete(content, 'answer');
  }
  for (const schema of [...Object.values(schemas), ...inline.map((media) => media.schema)]) {
    schema.examples ??= [composeExample(schema, schemas)];
  }
  return { document: whole as unknown as Whole, unused: texts.unused };
}
