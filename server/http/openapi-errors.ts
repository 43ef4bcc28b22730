/** The errors of the OpenAPI document: each status with its meaning, its headers, and the body that the server would send. */
import { AccountError } from '@cloister/accounts/base/errors';
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import { asAnthropicError } from './anthropic-errors.ts';
import { errorReply } from './error-replies.ts';
import { ServerError } from './errors.ts';
import { anthropicHeaders, callerHeaders, everyHeader, modelHeaders } from './openapi-headers.ts';

/** `own`: of routes that need a key or session; `open`: of the others; `model`: of requests to a model; `anthropic`: as its clients read them. */
export type ErrorForm = 'own' | 'open' | 'model' | 'anthropic';

/** The meaning of each error status, and an error that has it. */
const refusals: Readonly<Record<number, readonly [description: string, error: Error]>> = {
  400: [
    'a parameter is wrong: the text names it',
    new ServerError('ERR_REQUEST_INVALID', '`temperature` must be a number from 0 to 2, got 9'),
  ],
  401: [
    'the key is missing or invalid',
    new ServerError('ERR_KEY_INVALID', 'the API key is unknown, revoked or expired'),
  ],
  402: [
    'the balance does not cover what the request can cost: top up',
    new AccountError('ERR_BALANCE', 'the balance does not cover this request'),
  ],
  403: [
    'the quota of tokens is used up (`details.usage`), or the key lacks the scope that `details.scope` names',
    new AccountError('ERR_SCOPE_MISSING', 'this key lacks the scope balance', { details: { scope: 'balance' } }),
  ],
  404: [
    'the account has no such resource',
    new AccountError('ERR_USAGE_UNKNOWN', 'this account has no request with this id'),
  ],
  413: [
    'the body is larger than `details.limit` bytes',
    new ServerError('ERR_BODY_TOO_LARGE', 'the request body is too large: at most 65536 bytes are accepted', {
      details: { limit: 65_536 },
    }),
  ],
  415: ['the body is not JSON', new ServerError('ERR_BODY_TYPE', 'send JSON, as Content-Type: application/json')],
  429: [
    'too many requests: retry, not before `Retry-After`',
    new AccountError('ERR_RATE_LIMIT', 'too many requests per minute', { details: { retryAfterSeconds: 12 } }),
  ],
  500: ['server error: retry with backoff', new Error('unexpected')],
  503: [
    'not ready, or stopping: retry, not before `Retry-After`',
    new ServerError('ERR_MODEL_LOADING', 'the model is loading: try again'),
  ],
  504: [
    'the request ran out of time: ask for fewer tokens or steps',
    new RuntimeError('ERR_DEADLINE', 'the request ran out of time; ask for fewer tokens'),
  ],
};

const sampleId = 'req_EXAMPLE';
const samplePath = '/v1/example';

/** The statuses of requests to a model. */
export const modelErrorStatuses = [400, 401, 402, 403, 413, 415, 429, 500, 503, 504] as const;

/** Statuses whose answers tell when to retry. */
const retryable: ReadonlySet<number> = new Set([429, 503]);

/** References to headers of the document. */
export const headerRefs = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const forms: Readonly<Record<ErrorForm, { readonly schema: string; readonly headers: readonly string[] }>> = {
  own: { schema: 'Error', headers: callerHeaders },
  open: { schema: 'Error', headers: everyHeader },
  model: { schema: 'Error', headers: modelHeaders },
  anthropic: { schema: 'AnthropicError', headers: [...modelHeaders, ...anthropicHeaders] },
};

const nameOf = (form: ErrorForm, status: string) => `${form}Error${status}`;

/** The errors of every form and status, for `components`. */
export const errorResponses: JsonObject = Object.fromEntries(
  (Object.keys(forms) as ErrorForm[]).flatMap((form) =>
    Object.entries(refusals).map(([status, [description, error]]) => {
      const { schema, headers } = forms[form];
      const reply = errorReply(error, samplePath);
      const { body } = form === 'anthropic' ? asAnthropicError(reply, sampleId) : reply;
      const names = [...headers, ...(retryable.has(Number(status)) ? ['Retry-After'] : [])];
      const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: body } };
      return [nameOf(form, status), { description, headers: headerRefs(...names), content }];
    }),
  ),
) as JsonObject;

/** References to errors of the document, by status. */
export function errorAnswers(statuses: readonly number[], form: ErrorForm = 'own'): JsonObject {
  return Object.fromEntries(
    statuses.map((status) => [
      // Clients of Anthropic know 529 as the status of an overloaded server.
      form === 'anthropic' && status === 503 ? 529 : status,
      { $ref: `#/components/responses/${nameOf(form, String(status))}` },
    ]),
  );
}
