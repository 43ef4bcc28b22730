/**
 * Errors as Anthropic's clients read them.
 * @see https://docs.claude.com/en/api/errors
 */
import type { ErrorReply } from './error-reply.ts';

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** Statuses that differ from ours. */
const statuses: Readonly<Record<string, number>> = { ERR_MODEL_UNKNOWN: 404, ERR_MODEL_NOT_IN_PLAN: 404 };

/** The same error with Anthropic's object as `error`; `details` stay. */
export function asAnthropicError({ status, headers, body }: ErrorReply, requestId: string): ErrorReply {
  const { error, details } = body;
  const code = String(details.code);
  const shown = statuses[code] ?? status;
  const text = typeof error === 'string' ? error : error.message;
  // Agents shorten a conversation when they read these words.
  const message = code === 'ERR_CONTEXT_OVERFLOW' ? `prompt is too long: ${text}` : text;
  const type = types[shown] ?? (shown >= 500 ? 'api_error' : 'invalid_request_error');
  return {
    // Their clients know 529 as the status of an overloaded server.
    status: shown === 503 ? 529 : shown,
    headers: { ...headers, 'request-id': requestId },
    body: { type: 'error', error: { type, message }, request_id: requestId, details: { ...details, status: shown } },
  };
}
