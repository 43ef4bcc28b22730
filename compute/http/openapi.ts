/** Builds the OpenAPI document from the records that also define the routes. */
import { completeDocument } from '@cloister/server/schema/complete-document';
import type { TSchema } from 'typebox';
import { ComputeError } from '../base/errors.ts';
import { errorSchema } from '../schemas/basics.ts';
import type { ComputeOptions } from '../service/service.ts';
import { computeErrorReply } from './error-replies.ts';
import { fieldTexts } from './field-texts.ts';
import type { Access, Operation } from './operation.ts';

/** Error statuses of every endpoint. */
const everywhere = [429, 500] as const;

const descriptions: Readonly<Record<number, string>> = {
  200: 'success',
  201: 'created',
  400: 'a field is missing, unknown or invalid: the message names it',
  401: 'no valid API key or session',
  402: 'the balance does not cover the first hour: `required` and `balance` are the amounts',
  403: 'the key lacks the scope that `scope` names, or the request came from another site',
  404: 'the account has no such resource',
  409: 'conflict with the current state: the message names the next call',
  429: 'too many requests: retry, not before `Retry-After`',
  500: 'unexpected error: retry with backoff',
  501: 'not supported for this kind of pod',
  502: 'the machine refused or did not answer: `charged` tells whether the first hour is held',
  503: 'temporarily unavailable: retry, not before `Retry-After`; nothing was charged',
};

const samples: Readonly<Record<number, ComputeError>> = {
  400: new ComputeError('INVALID_REQUEST', '`name` must be a string of 1 to 64 characters'),
  401: new ComputeError('INVALID_API_KEY', 'send a live API key as `X-API-Key`'),
  402: new ComputeError('INSUFFICIENT_BALANCE', 'the balance does not cover the first hour', {
    fields: { charged: false, required: 1, balance: 0.25 },
  }),
  403: new ComputeError('MISSING_SCOPE', 'this key lacks the scope pods', { fields: { scope: 'pods' } }),
  404: new ComputeError('NOT_FOUND', 'this account has no pod with this id: list the pods'),
  409: new ComputeError('MACHINE_UNAVAILABLE', 'another tenant has the machine: list the machines and choose another'),
  429: new ComputeError('RATE_LIMITED', 'too many requests', { retryAfterSeconds: 4 }),
  500: new ComputeError('INTERNAL', 'an unexpected error occurred: retry with exponential backoff'),
  501: new ComputeError('NOT_SUPPORTED', 'a virtual machine has no log here: read it through SSH'),
  502: new ComputeError('ENGINE_REFUSED', 'the machine refused the pod: choose another', {
    fields: { charged: false },
  }),
  503: new ComputeError('UNAVAILABLE', 'the database is temporarily unreachable: try again'),
};
const sampleTime = Date.UTC(2026, 10, 24);

const header = (description: string, example: number | string) => ({
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string', examples: [example] },
});

const everyHeader = {
  'X-Request-Id': header('ID of the request, for support', 'n3FhV0qTqkQ4xB1c'),
  'X-RateLimit-Limit': header('requests allowed by the tightest limit', 10),
  'X-RateLimit-Remaining': header('requests that remain of it', 9),
  'X-RateLimit-Reset': header('Unix seconds at which it allows all requests again', 1_795_478_400),
};

/** C-038. */
const guidance =
  'Confidential VMs and standard pods, rented by the second. Retry 429, 500, 502 and 503 with exponential backoff from one ' +
  'second, at most five times and not before `Retry-After`. Repeat a deploy only with the same `Idempotency-Key`; do not repeat ' +
  'a deploy whose response has `charged: true`, but list the pods instead.';

const retryAfter = header('whole seconds to wait', 4);
/** Statuses whose responses can have `Retry-After`: 409 while a deploy or the first request with the same key is in progress. */
const retryable: ReadonlySet<number> = new Set([409, 429, 503]);

export function openApiDocument(operations: readonly Operation[], { baseUrl }: Pick<ComputeOptions, 'baseUrl'>) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  const document = {
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
  return completeDocument(document, fieldTexts).document;
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
    ...(access === 'open' ? {} : { security: securityOf(access), 'x-scope': access }),
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
      ...Object.fromEntries(statuses.map((status) => [status, refusal(status)])),
    },
  };
}

function response(status: number, schema: TSchema) {
  const headers = retryable.has(status) ? { ...everyHeader, 'Retry-After': retryAfter } : everyHeader;
  return { description: descriptions[status]!, headers, content: json(schema) };
}

/** An error, with the body that the service would send. */
function refusal(status: number) {
  const { description, headers } = response(status, errorSchema);
  const content = {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: computeErrorReply(samples[status], sampleTime).body,
    },
  };
  return { description, headers, content };
}

function parameter(name: string, place: 'path' | 'query' | 'header', schema: TSchema) {
  return { name, in: place, required: place === 'path', schema };
}

function json(schema: TSchema) {
  return { 'application/json': { schema } };
}

/** A page of this service sends the session where a program sends a key. */
function securityOf(access: Access): readonly Record<string, string[]>[] {
  return access === 'session' || access === 'signed-in' ? [{ session: [] }] : [{ key: [] }, { session: [] }];
}
