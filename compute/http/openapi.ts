/** The OpenAPI document, made from the same records as the routes. */
import type { TSchema } from 'typebox';
import { errorSchema } from '../schemas/basics.ts';
import type { ComputeOptions } from '../service/service.ts';
import type { Access, Operation } from './operation.ts';

/** What any endpoint can answer. */
const everywhere = [429, 500] as const;

const descriptions: Readonly<Record<number, string>> = {
  200: 'done',
  201: 'made',
  400: 'a field is missing, unknown or of the wrong form: the text names it',
  401: 'no live key, or no session',
  402: 'the account cannot pay the first hour: `required` and `balance` say by how much',
  403: 'the key lacks the scope that `scope` names, or another site asked',
  404: 'there is no such resource on this account',
  409: 'impossible at the moment',
  429: 'too many requests: retry, not before `Retry-After`',
  500: 'unexpected: retry with backoff',
  501: 'this kind of pod cannot do it',
  502: 'the machine refused, or did not answer: `charged` says whether the hour is held',
  503: 'unavailable for the moment: retry, not before `Retry-After`; nothing was charged',
};

const rateHeaders = {
  'X-RateLimit-Limit': { description: 'of the tightest limit', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Unix seconds', schema: { type: 'integer' } },
};

/** C-038. */
const guidance =
  'Confidential VMs and standard pods, rented by the second. Retry 429, 500, 502 and 503 with exponential backoff from one ' +
  'second, at most five times and not before `Retry-After`. Repeat a deploy only with the same `Idempotency-Key`, and not at ' +
  'all where the answer says `charged: true`: list the pods instead.';

const retryAfter = { description: 'whole seconds to wait', schema: { type: 'integer' } };
/** Statuses whose answers can have it: 409 while a deploy or the first request with the same key is under way. */
const retryable: ReadonlySet<number> = new Set([409, 429, 503]);

export function openApiDocument(operations: readonly Operation[], { baseUrl }: Pick<ComputeOptions, 'baseUrl'>) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Compute', version: '1', description: guidance },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-cloister_session' },
      },
    },
  };
}

function describe({
  id,
  summary,
  access,
  method,
  path,
  body,
  alternatives,
  query = {},
  answers,
  errors = [],
}: Operation) {
  const statuses = [...new Set([...errors, ...(access === 'open' ? [] : [401, 403]), ...everywhere])].sort(
    (a, b) => a - b,
  );
  return {
    operationId: id,
    summary,
    ...(access === 'open' ? {} : { security: [securityOf(access)], 'x-scope': access }),
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter(name!, 'path', { type: 'string' })),
      ...Object.entries(query).map(([name, schema]) => parameter(name, 'query', schema)),
      ...(method === 'GET' ? [] : [parameter('Idempotency-Key', 'header', { type: 'string', maxLength: 255 })]),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json({ ...body, ...(alternatives && { oneOf: alternatives }) }) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, schema]) => [status, response(Number(status), schema)]),
      ),
      ...Object.fromEntries(
        statuses.map((status) => [status, response(status, { $ref: '#/components/schemas/Error' })]),
      ),
    },
  };
}

function response(status: number, schema: TSchema) {
  const headers = retryable.has(status) ? { ...rateHeaders, 'Retry-After': retryAfter } : rateHeaders;
  return { description: descriptions[status] ?? '', headers, content: json(schema) };
}

function parameter(name: string, place: 'path' | 'query' | 'header', schema: TSchema) {
  return { name, in: place, required: place === 'path', schema };
}

function json(schema: TSchema) {
  return { 'application/json': { schema } };
}

function securityOf(access: Access): Record<string, string[]> {
  return access === 'session' ? { session: [] } : { key: [] };
}
