/** The error envelope (C-023), and the mapping from errors to statuses. */
import { AccountError, type AccountErrorCode } from '@cloister/accounts/base/errors';
import { isOutage } from '@cloister/accounts/database/store-faults';
import { readOn } from '@cloister/server/http/error-replies';
import { ServerError, type ServerErrorCode } from '@cloister/server/http/errors';
import { describeFault } from '@cloister/server/http/request-log';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ComputeError, type ComputeErrorCode, statusOf } from '../base/errors.ts';

/** Maps error codes of accounts and of the shared plugins to codes of this API. Codes that are absent become INTERNAL. */
const known: Partial<Record<AccountErrorCode | ServerErrorCode, ComputeErrorCode>> = {
  ERR_KEY_LIMIT: 'KEY_LIMIT',
  ERR_KEY_UNKNOWN: 'NOT_FOUND',
  ERR_NAME_INVALID: 'INVALID_REQUEST',
  ERR_SCOPE_INVALID: 'INVALID_REQUEST',
  ERR_EXPIRY_INVALID: 'INVALID_REQUEST',
  ERR_ACCOUNT_CLOSED: 'INVALID_API_KEY',
  ERR_STORE_UNAVAILABLE: 'UNAVAILABLE',
  ERR_REQUEST_INVALID: 'INVALID_REQUEST',
  ERR_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  ERR_BODY_TYPE: 'BODY_TYPE',
  ERR_HEADERS_TOO_LARGE: 'HEADERS_TOO_LARGE',
  ERR_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  ERR_ROUTE_UNKNOWN: 'NOT_FOUND',
  ERR_METHOD_NOT_ALLOWED: 'METHOD_NOT_ALLOWED',
};

const frameworkErrors: Partial<Record<string, () => ComputeError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ComputeError('BODY_TOO_LARGE', 'the request body is too large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ComputeError('BODY_TYPE', 'send JSON, as Content-Type: application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('the length of the body differs from its Content-Length'),
  FST_ERR_BAD_URL: () => badRequest('the path is not a valid URL'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ComputeError('NOT_FOUND', 'no endpoint has this path'),
  ECONNRESET: () => badRequest('the connection closed before the request was complete'),
};

const retrySeconds = 5;

export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @returns the response for the caller; unexpected errors reveal no internal detail (C-033) */
export function computeErrorReply(error: unknown, now: number): ErrorReply {
  const { code, message, fields, retryAfterSeconds, allow } = toKnown(error);
  const status = statusOf[code];
  const retryAfter = retryAfterSeconds ?? (status === 503 ? retrySeconds : undefined);
  return {
    status,
    headers: {
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }),
      ...(allow === undefined ? {} : { allow }),
    },
    body: {
      success: false,
      error: message,
      message,
      code,
      status,
      status_code: status,
      timestamp: new Date(now).toISOString(),
      ...fields,
    },
  };
}

export function sendComputeError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  now: number,
): FastifyReply {
  const { status, headers, body } = computeErrorReply(error, now);
  request.outcome = String(body.code);
  if (status === 500) request.log.error({ fault: describeFault(error) }, 'internal error');
  if (status === 413) readOn(request, reply);
  return reply.code(status).headers(headers).send(body);
}

interface Known {
  readonly code: ComputeErrorCode;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number | undefined;
  readonly allow?: string;
}

function toKnown(error: unknown): Known {
  if (error instanceof ComputeError) return error;
  if (error instanceof AccountError || error instanceof ServerError) {
    const code = known[error.code];
    if (code === undefined) return internal;
    const allow = error.code === 'ERR_METHOD_NOT_ALLOWED' ? { allow: String(error.details.allow) } : {};
    return { code, message: error.message, fields: {}, ...allow };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return frameworkErrors[code]?.() ?? (isOutage(error) ? unavailable : internal);
}

const internal: Known = {
  code: 'INTERNAL',
  message: 'an unexpected error occurred: retry with exponential backoff',
  fields: {},
};

const unavailable: Known = {
  code: 'UNAVAILABLE',
  message: 'the database is temporarily unreachable: try again',
  fields: {},
};

function badRequest(message: string): ComputeError {
  return new ComputeError('INVALID_REQUEST', message);
}
