/** Builds the operations of the OpenAPI document. Each feature describes its own routes with these functions. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import type { TObject } from 'typebox';
import { type ErrorForm, errorAnswers, headerRefs, modelErrorStatuses } from './openapi-errors.ts';
import { anthropicHeaders, callerHeaders, everyHeader, modelHeaders } from './openapi-headers.ts';

/** How a client repeats a request (C-038); `docs/reference/errors-and-retries.md` has more. */
export const retryGuidance =
  'Retry 429, 500, 502 and 503 with exponential backoff from 1 s, at most 5 times, and not before `Retry-After` where it is ' +
  'sent. Do not retry other statuses unchanged. A refused request is not charged.';

/** A reference to a schema by its name in the document. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });

interface ModelRequest {
  readonly id: string;
  readonly summary: string;
  /** Name of the body's schema. */
  readonly body: string;
  readonly content: JsonObject;
  /** Names of headers of the answer that only this operation has. */
  readonly headers?: readonly string[];
  /** Parameters of the request in addition to its body. */
  readonly parameters?: readonly JsonObject[];
  /** The form in which clients of this route read errors. */
  readonly errorForm?: Extract<ErrorForm, 'model' | 'anthropic'>;
}

/** A POST that a model answers. */
export function describeModelRequest({
  id,
  summary,
  body,
  content,
  headers = [],
  parameters = [],
  errorForm = 'model',
}: ModelRequest): JsonObject {
  const sent = [...modelHeaders, ...(errorForm === 'anthropic' ? anthropicHeaders : []), ...headers];
  return {
    post: {
      operationId: id,
      summary,
      ...optionalParts({ access: undefined, parameters }),
      requestBody: { required: true, content: json(ref(body)) },
      responses: {
        200: { description: 'the answer', headers: headerRefs(...sent), content },
        ...errorAnswers(modelErrorStatuses, errorForm),
      },
    },
  };
}

interface Read {
  readonly schema: JsonObject;
  readonly parameters?: readonly JsonObject[];
  /** Who may call the route; default: API keys and sessions. */
  readonly access?: Access;
  /** Names of headers of the answer that only this operation has. */
  readonly headers?: readonly string[];
  /** Statuses of errors in addition to those of every route. */
  readonly errors?: readonly number[];
}

type Access = 'open' | 'session';

/** A GET that answers JSON. */
export function describeRead(
  id: string,
  summary: string,
  { schema, parameters = [], access, errors = [], headers: own = [] }: Read,
): JsonObject {
  const headers = headersFor(access);
  const statuses = [...new Set([...errors, 401, 404, 429, 500])].sort((a, b) => a - b);
  const responses = {
    200: { description: 'the answer', headers: headerRefs(...headers, ...own), content: json(schema) },
    ...errorAnswers(statuses, access === 'open' ? 'open' : 'own'),
  };
  return { get: { operationId: id, summary, ...optionalParts({ access, parameters }), responses } };
}

interface Change extends Omit<Read, 'errors' | 'headers'> {
  readonly id: string;
  readonly summary: string;
  /** Name of the body's schema. */
  readonly body?: string;
  /** Of the answer; default 200. */
  readonly status?: number;
}

/** A POST or DELETE that no model answers. */
export function describeChange(
  method: 'post' | 'delete',
  { id, summary, body, status = 200, schema, parameters = [], access }: Change,
): JsonObject {
  const requestBody = body === undefined ? {} : { requestBody: { required: true, content: json(ref(body)) } };
  const headers = headersFor(access);
  const statuses = body === undefined ? [401, 403, 404, 500] : [400, 401, 403, 413, 415, 500];
  const responses = {
    [status]: { description: 'done', headers: headerRefs(...headers), content: json(schema) },
    ...errorAnswers(statuses, access === 'open' ? 'open' : 'own'),
  };
  return {
    [method]: { operationId: id, summary, ...optionalParts({ access, parameters }), ...requestBody, responses },
  };
}

function optionalParts({ access, parameters }: Required<Pick<Read, 'parameters'>> & { access: Access | undefined }) {
  const security = access === 'open' ? [] : [{ session: [] }];
  return { ...(access === undefined ? {} : { security }), ...(parameters.length === 0 ? {} : { parameters }) };
}

const headersFor = (access: Access | undefined) => (access === 'open' ? everyHeader : callerHeaders);

export const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } });
export const inQuery = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'query', schema });

/** The members of a query, each as a parameter. */
export const parametersOf = (query: TObject): JsonObject[] =>
  Object.entries(query.properties).map(([name, schema]) => inQuery(name, schema as JsonObject));
