/**
 * Errors as Anthropic's clients read them.
 * @see https://docs.claude.com/en/api/errors
 */
import type { FastifyRequest } from 'fastify';
import { isAnthropicClient } from './anthropic-version.ts';
import type { ErrorReply } from './error-reply.ts';

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
  504: 'timeout_error',
};

/** Statuses that differ from ours. */
const statuses: Readonly<Record<string, number>> = { ERR_MODEL_UNKNOWN: 404, ERR_MODEL_NOT_IN_PLAN: 404 };

const messagesPath = /^\/v1\/messages(?:[/?]|$)/;

/** Whether the client of a request reads errors of this form: below `/v1/messages` every client does, also for paths that do not exist. */
export function wantsAnthropicErrors(request: FastifyRequest): boolean {
  return messagesPath.test(request.url) || isAnthropicClient(request);
}

/** The same error with Anthropic's object as `error`; `details` stay. */
export function asAnthropicError({ status, headers, body }: ErrorReply, requestId: string): ErrorReply {
  const { error, details } = body;
  const code = String(details.code);
  // Their clients know 529 as the status of an overloaded server.
  const shown = statuses[code] ?? (status === 503 ? 529 : status);
  const text = typeof error === 'string' ? error : error.message;
  const type = types[shown] ?? (shown >= 500 ? 'api_error' : 'invalid_request_error');
  return {
    status: shown,
    headers: { ...headers, 'request-id': requestId },
    body: {
      type: 'error',
      error: { type, message: messageOf(code, text) },
      request_id: requestId,
      details: { ...details, status: shown },
    },
  };
}

function messageOf(code: string, text: string): string {
  switch (code) {
    // Agents shorten a conversation when they read these words.
    case 'ERR_CONTEXT_OVERFLOW':
      return `prompt is too long: ${text}`;
    case 'ERR_KEY_MISSING':
      return 'send an API key as `x-api-key: …` or `Authorization: Bearer …`';
    default:
      return text;
  }
}
