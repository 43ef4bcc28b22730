/** `GET /v1/openapi.json`: the OpenAPI document. */
import type { FastifyInstance } from 'fastify';
import { type Deprecation, deprecations } from '../../http/deprecations.ts';

/**
 * The document is loaded at the first request: most servers are never asked for it.
 * @param table of deprecations, which the document marks
 */
export function descriptionRoutes(app: FastifyInstance, table: readonly Deprecation[] = deprecations): void {
  let text: string | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    if (text === undefined) {
      const { openApiDocument } = await import('./openapi.ts');
      text = JSON.stringify(markDeprecated(openApiDocument, table));
    }
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

interface Operation {
  deprecated?: boolean;
  readonly parameters?: readonly { readonly name: string; deprecated?: boolean }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: { $ref: string } } } };
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, { deprecated?: boolean }> }> };
}

function markDeprecated(document: unknown, table: readonly Deprecation[]): Document {
  const marked = structuredClone(document) as Document;
  for (const { method, path, field } of table) {
    const name = path.replace(/^\/v1/, '').replace(/:(\w+)/g, '{$1}');
    const operation = marked.paths[name]?.[method.toLowerCase()];
    if (operation === undefined) continue;
    const body = operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
    const part =
      field === undefined
        ? operation
        : (marked.components.schemas[body]?.properties?.[field] ??
          operation.parameters?.find((parameter) => parameter.name === field));
    if (part !== undefined) part.deprecated = true;
  }
  return marked;
}
