/** Maps every error to an HTTP status and a body. */
import { AccountError, type AccountErrorCode, type ErrorDetails } from '@cloister/accounts/base/errors';
import { keyProblemStatus, keyProblemType, problemType } from '@cloister/attestation/sealed/protocol';
import { RuntimeError, type RuntimeErrorCode } from '@cloister/runtime/pool/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asAnthropicError, wantsAnthropicErrors } from './anthropic-errors.ts';
import type { AciError, ErrorReply } from './error-reply.ts';
import { ServerError, type ServerErrorCode } from './errors.ts';
import { asOpenAiError, wantsOpenAiErrors } from './openai-errors.ts';
import { describeFault } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `admitRequest`: the admitted work, for errors that occur after admission. */
    admitted: Admitted | undefined;
  }
}

/** Work that was admitted for an account. */
export interface Admitted {
  /** Id of the account's plan. */
  readonly plan: string;
  /** Id of the requested model. */
  readonly model: string;
  /** Time of admission, in milliseconds of `performance.now()`. */
  readonly atMs: number;
}

/** What a reply may reveal about its request in addition to the route. */
export interface ErrorContext {
  readonly admitted?: Admitted | undefined;
  /** Limit of the body's size as it was sent. */
  readonly bodyBytesMax?: number | undefined;
}

export function aciError(message: string, type: string): AciError {
  return { message, type, code: null, param: null };
}

/** Error types that ACI defines and its clients look for. @see ACI §10 */
const aciTypes: Partial<Record<string, string>> = {
  ERR_SESSION_NOT_ACCEPTED: 'session_not_accepted',
  ERR_CONSTRAINT_INVALID: 'invalid_request_error',
  ERR_CONSTRAINT_UNMET: 'upstream_verification_failed',
};

const statuses: Record<RuntimeErrorCode | ServerErrorCode | AccountErrorCode, number> = {
  ERR_CONTEXT_OVERFLOW: 400,
  ERR_CHAT_TEMPLATE: 400,
  ERR_GRAMMAR_INVALID: 400,
  ERR_CHAT_TOO_COMPLEX: 400,
  ERR_GRAMMAR_TOO_COMPLEX: 400,
  ERR_GRAMMAR_UNSATISFIABLE: 400,
  ERR_TOKEN_UNKNOWN: 400,
  ERR_INPUT_EMPTY: 400,
  ERR_TOOLS_UNSUPPORTED: 400,
  ERR_INFILL_UNSUPPORTED: 400,
  ERR_QUEUE_FULL: 429,
  ERR_NOT_READY: 503,
  ERR_DRAINING: 503,
  ERR_DEADLINE: 504,
  ERR_CANCELLED: 499,
  ERR_ENGINE_LOST: 503,
  ERR_MODEL_LOAD: 503,
  ERR_MEMORY_BUDGET: 503,
  ERR_INTERNAL: 500,

  ERR_REQUEST_INVALID: 400,
  ERR_BODY_TOO_LARGE: 413,
  ERR_HEADERS_TOO_LARGE: 431,
  ERR_REQUEST_TIMEOUT: 408,
  ERR_HOST_UNKNOWN: 403,
  ERR_BODY_TYPE: 415,
  ERR_SEALED_ONLY: 400,
  ERR_SEALED_BODY: 400,
  ERR_SEALED_KEY: keyProblemStatus,
  ERR_SEALED_REPLAY: 400,
  ERR_SEALED_FULL: 429,
  ERR_MODEL_UNKNOWN: 400,
  ERR_MODEL_ABSENT: 404,
  ERR_KEY_MISSING: 401,
  ERR_KEY_INVALID: 401,
  ERR_SESSION_REQUIRED: 401,
  ERR_LINK_INVALID: 401,
  ERR_ORIGIN_REFUSED: 403,
  ERR_KEY_AMBIGUOUS: 401,
  ERR_ROUTE_UNKNOWN: 404,
  ERR_METHOD_NOT_ALLOWED: 405,
  ERR_MODEL_STATE: 409,
  ERR_MODEL_LOADING: 503,
  ERR_UNHEALTHY: 503,
  ERR_IMAGES_FULL: 429,
  ERR_NOT_ATTESTED: 503,
  ERR_ATTESTATION_BUSY: 429,
  ERR_SESSION_NOT_ACCEPTED: 412,
  ERR_CONSTRAINT_INVALID: 400,
  ERR_CONSTRAINT_UNMET: 503,
  ERR_STATE_INVALID: 400,
  ERR_RESPONSE_UNKNOWN: 404,
  ERR_OTHER_NODE: 421,
  ERR_NODE_UNKNOWN: 404,
  ERR_RECEIPT_UNKNOWN: 404,
  ERR_READER_TOO_SLOW: 499,
  ERR_COMPUTE_ABSENT: 501,
  ERR_COMPUTE_BUSY: 503,
  ERR_COMPUTE_UNREACHABLE: 502,
  ERR_COMPUTE_LOST: 502,
  ERR_USAGE: 500,
  ERR_CONFIG: 500,
  ERR_START: 500,

  ERR_KEY_LIMIT: 409,
  ERR_KEY_UNKNOWN: 404,
  ERR_NAME_INVALID: 400,
  ERR_SCOPE_INVALID: 400,
  ERR_SCOPE_MISSING: 403,
  ERR_EXPIRY_INVALID: 400,
  ERR_ACCOUNT_UNKNOWN: 404,
  ERR_ACCOUNT_EXISTS: 409,
  ERR_ACCOUNT_CLOSED: 403,
  ERR_PLAN_UNKNOWN: 404,
  ERR_PLAN_EXISTS: 409,
  ERR_PLAN_INVALID: 400,
  ERR_AMOUNT_INVALID: 400,
  ERR_REFERENCE_USED: 409,
  ERR_USAGE_UNKNOWN: 404,
  ERR_INVOICE_UNKNOWN: 404,
  ERR_RANGE_INVALID: 400,
  ERR_MODEL_NOT_IN_PLAN: 400,
  ERR_RATE_LIMIT: 429,
  ERR_QUOTA: 403,
  ERR_BALANCE: 402,
  ERR_STORE_UNAVAILABLE: 503,
  ERR_STORE: 500,
};

/** Default of `Retry-After` in seconds, for errors that do not carry their own. */
const retryAfterSeconds: Partial<Record<string, number>> = {
  ERR_QUEUE_FULL: 1,
  ERR_IMAGES_FULL: 5,
  ERR_NOT_READY: 30,
  ERR_MODEL_LOADING: 30,
  ERR_UNHEALTHY: 10,
  ERR_DRAINING: 5,
  ERR_ENGINE_LOST: 5,
  ERR_MODEL_LOAD: 30,
  ERR_MEMORY_BUDGET: 30,
  ERR_STORE_UNAVAILABLE: 5,
  ERR_NOT_ATTESTED: 30,
  ERR_ATTESTATION_BUSY: 5,
  ERR_SEALED_FULL: 60,
  ERR_CONSTRAINT_UNMET: 30,
  ERR_COMPUTE_BUSY: 5,
};

/** Errors after which a client does better on a new connection, which a balancer leads to another node. */
const endsConnection: ReadonlySet<string> = new Set(['ERR_DRAINING', 'ERR_STORE_UNAVAILABLE']);

/** Replacements for Fastify's own errors. */
const frameworkErrors: Partial<Record<string, (context: ErrorContext) => ServerError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ bodyBytesMax }) => bodyTooLarge(bodyBytesMax),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ServerError('ERR_BODY_TYPE', 'send JSON, as Content-Type: application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('the length of the body differs from its Content-Length'),
  FST_ERR_BAD_URL: () => badRequest('the path is not a valid URL'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ServerError('ERR_ROUTE_UNKNOWN', 'this path does not exist'),
  ECONNRESET: () => badRequest('the connection closed before the request was complete'),
};

/**
 * @param endpoint route pattern, for example `/v1/models/:id`
 * @returns the reply to the client; unexpected errors reveal nothing internal
 */
export function errorReply(error: unknown, endpoint: string, context: ErrorContext = {}): ErrorReply {
  const known = knownError(error, context);
  if (known === undefined) {
    const details = { status: 500, endpoint, code: 'ERR_INTERNAL', ...workDetails(context, 500) };
    return { status: 500, headers: {}, body: { error: 'internal error', details } };
  }
  const { code, message, details } = known;
  const status = statuses[code];
  const aciType = aciTypes[code];
  const retryAfter = details.retryAfterSeconds ?? retryAfterSeconds[code];
  return {
    status,
    headers: {
      ...(known instanceof AccountError ? known.headers : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(Number(retryAfter))) }),
      ...(status === 401 ? { 'www-authenticate': `Bearer realm="cloister"` } : {}),
      ...(code === 'ERR_SEALED_KEY' ? { 'content-type': problemType } : {}),
      ...(endsConnection.has(code) ? { connection: 'close' } : {}),
      ...(code === 'ERR_METHOD_NOT_ALLOWED' ? { allow: String(details.allow) } : {}),
    },
    body: {
      // Clients of sealed bodies look for this type (RFC 9457).
      ...(code === 'ERR_SEALED_KEY' ? { type: keyProblemType, title: message } : {}),
      error: status === 500 ? 'internal error' : aciType === undefined ? message : aciError(message, aciType),
      details: {
        status,
        endpoint,
        code,
        ...withoutRetryAfter(details),
        ...workDetails(context, status),
        ...(retryAfter === undefined ? {} : { retry_after: Math.ceil(Number(retryAfter)) }),
      },
    },
  };
}

/** The code in the reply to `error`. */
export function errorCode(error: unknown, request: FastifyRequest): string {
  return String(errorReply(error, endpointOf(request)).body.details.code);
}

/** The reply to an error of `request`. */
export function replyFor(error: unknown, request: FastifyRequest): ErrorReply {
  const { admitted, routeOptions } = request;
  const reply = errorReply(error, endpointOf(request), { admitted, bodyBytesMax: routeOptions.bodyLimit });
  if (wantsAnthropicErrors(request)) return asAnthropicError(reply, request.id);
  return wantsOpenAiErrors(request.raw) ? asOpenAiError(reply) : reply;
}

/** The route pattern of a request, for error details and metrics. */
export function endpointOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

/** Sends every error that a route or a hook throws. */
export function sendErrorReplies(app: FastifyInstance): void {
  app.decorateRequest('admitted', undefined);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

/** For handlers that reply with an error without throwing it. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = replyFor(error, request);
  request.outcome = String(body.details.code);
  if (status === 500) request.log.error({ fault: describeFault(error) }, 'internal error');
  if (status === 413) readOn(request, reply);
  return reply.code(status).headers(headers).send(body);
}

/**
 * Keeps the connection of a body that is too large open and discards the rest of the body until the request times out.
 * Closing in mid-body would reset the connection, and most clients would never read the error.
 */
export function readOn({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  raw.resume();
}

/** @param bytesMax undefined if it is unknown */
export function bodyTooLarge(bytesMax: number | undefined): ServerError {
  if (bytesMax === undefined) return new ServerError('ERR_BODY_TOO_LARGE', 'the request body is too large');
  const message = `the request body is too large: at most ${bytesMax} bytes are accepted`;
  return new ServerError('ERR_BODY_TOO_LARGE', message, { details: { limit: bytesMax } });
}

/** Details of admitted work (I-068). There is one attempt, since the models run in this process. */
function workDetails({ admitted }: ErrorContext, status: number): Readonly<Record<string, unknown>> {
  if (admitted === undefined) return {};
  const { plan, model, atMs } = admitted;
  const attempt = { step: 'model', url: model, status, latency_ms: Math.round(performance.now() - atMs) };
  return { plan, attempts: [attempt] };
}

type KnownError = RuntimeError | ServerError | AccountError;

function knownError(error: unknown, context: ErrorContext): KnownError | undefined {
  if (error instanceof RuntimeError || error instanceof ServerError || error instanceof AccountError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return frameworkErrors[code]?.(context);
}

function badRequest(message: string): ServerError {
  return new ServerError('ERR_REQUEST_INVALID', message);
}

function withoutRetryAfter({ retryAfterSeconds: _, ...rest }: ErrorDetails) {
  return rest;
}
