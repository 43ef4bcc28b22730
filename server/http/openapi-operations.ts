/** Builds the operations of the OpenAPI document. Each feature describes its own routes with these functions. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import type { TObject } from 'typebox';

/** How a client repeats a request (C-038); `docs/reference/errors-and-retries.md` has more. */
export const retryGuidance =
  'Retry 429, 500, 502 and 503 with exponential backoff from 1 s, at most 5 times, and not before `Retry-After` where it is ' +
  'sent. Do not retry other statuses unchanged. A refused request is not charged.';

/** The meaning of each error status of a request to a model. */
const refusals: Readonly<Record<number, string>> = {
  400: 'a parameter is wrong: the text names it',
  401: 'the key is missing or invalid',
  402: 'the balance does not cover what the request can cost: top up',
  403: 'the quota of tokens is used up (`details.usage`), or the key lacks the scope that `details.scope` names',
  413: 'the body is larger than `details.limit` bytes',
  415: 'the body is not JSON',
  429: 'too many requests: retry, not before `Retry-After`',
  500: 'server error: retry with backoff',
  503: 'not ready, or stopping: retry, not before `Retry-After`',
  504: 'the request ran out of time: ask for fewer tokens or steps',
};

/** A reference to a schema by its name in the document. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
/** The schema of answers that the document does not describe further. */
export const anyObject: JsonObject = { type: 'object' };

const retryHeaders: JsonObject = {
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds; also `details.retry_after`.' },
};

const refusedAnswers: JsonObject = Object.fromEntries(
  Object.entries(refusals).map(([status, description]) => [
    status,
    {
      description,
      ...(['429', '503'].includes(status) ? { headers: retryHeaders } : {}),
      content: json(ref('Error')),
    },
  ]),
);

const rateHeaders: JsonObject = {
  'X-RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'Of the tightest limit on requests, if there is one.',
  },
  'X-RateLimit-Remaining': { schema: { type: 'integer' } },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'Unix seconds.' },
};

const attestedHeaders: JsonObject = {
  'X-Confidential': {
    schema: { type: 'string', enum: ['true', 'simulated'] },
    description: 'Absent without an enclave.',
  },
  'X-Receipt-Id': { schema: { type: 'string' }, description: 'Fetches the receipt of this answer.' },
};

interface ModelRequest {
  readonly id: string;
  readonly summary: string;
  /** Name of the body's schema. */
  readonly body: string;
  readonly content: JsonObject;
  /** Headers of the answer that only this operation has. */
  readonly headers?: JsonObject;
}

/** A POST that a model answers. */
export function describeModelRequest({ id, summary, body, content, headers = {} }: ModelRequest): JsonObject {
  return {
    post: {
      operationId: id,
      summary,
      requestBody: { required: true, content: json(ref(body)) },
      responses: {
        200: { description: 'the answer', headers: { ...rateHeaders, ...attestedHeaders, ...headers }, content },
        ...refusedAnswers,
      },
    },
  };
}

interface Read {
  readonly schema: JsonObject;
  readonly parameters?: readonly JsonObject[];
  /** Who may call the route; default: API keys and sessions. */
  readonly access?: Access;
}

type Access = 'open' | 'session';

/** A GET that answers JSON. */
export function describeRead(id: string, summary: string, { schema, parameters = [], access }: Read): JsonObject {
  const responses = { 200: { description: 'the answer', content: json(schema) }, ...errorAnswers([401, 404, 500]) };
  return { get: { operationId: id, summary, ...optionalParts({ access, parameters }), responses } };
}

interface Change extends Read {
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
  const responses = {
    [status]: { description: 'done', content: json(schema) },
    ...errorAnswers(body === undefined ? [401, 403, 404, 500] : [400, 401, 403, 413, 415, 500]),
  };
  return {
    [method]: { operationId: id, summary, ...optionalParts({ access, parameters }), ...requestBody, responses },
  };
}

function optionalParts({ access, parameters }: Required<Pick<Read, 'parameters'>> & { access: Access | undefined }) {
  const security = access === 'open' ? [] : [{ session: [] }];
  return { ...(access === undefined ? {} : { security }), ...(parameters.length === 0 ? {} : { parameters }) };
}

function errorAnswers(statuses: readonly number[]): JsonObject {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: refusals[status] ?? 'the account has no such resource', content: json(ref('Error')) },
    ]),
  );
}

export const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } });
export const inQuery = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'query', schema });

/** The members of a query, each as a parameter. */
export const parametersOf = (query: TObject): JsonObject[] =>
  Object.entries(query.properties).map(([name, schema]) => inQuery(name, schema as JsonObject));
