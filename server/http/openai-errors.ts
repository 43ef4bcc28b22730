/**
 * The routes of `/v1` under `/openai/v1`, with errors as OpenAI's clients read them. The requests are the same, except that a chat
 * may have more choices, and so are the answers.
 * @see https://platform.openai.com/docs/guides/error-codes
 */
import type { IncomingMessage } from 'node:http';
import type { ErrorReply } from './error-reply.ts';

const prefix = '/openai';
const wanted = Symbol("errors in OpenAI's format");
const prefixed = Symbol('a path below /openai/v1');

/** Cohere's clients put this version of their own into the path. */
const aliases: Readonly<Record<string, string>> = { '/v2/rerank': '/v1/rerank' };

type MarkedRequest = IncomingMessage & { [wanted]?: true; [prefixed]?: true };

/**
 * For Fastify's `rewriteUrl`: marks a request below the prefix, and gives the path of `/v1`.
 * @param options.everywhere also marks requests of `/v1` itself, except those of ACI, which defines its own errors
 */
export function openAiRewriter({ everywhere }: { everywhere: boolean }): (request: IncomingMessage) => string {
  return (request) => {
    const { url = '/' } = request;
    const hasPrefix = url.startsWith(`${prefix}/v1/`);
    const path = hasPrefix ? url.slice(prefix.length) : (aliases[url] ?? url);
    const isMarked = hasPrefix || (everywhere && path.startsWith('/v1/') && !path.startsWith('/v1/aci/'));
    if (isMarked) (request as MarkedRequest)[wanted] = true;
    if (hasPrefix) (request as MarkedRequest)[prefixed] = true;
    return path;
  };
}

export function wantsOpenAiErrors(request: IncomingMessage): boolean {
  return (request as MarkedRequest)[wanted] === true;
}

/** Whether a request came below `/openai/v1`, where limits are OpenAI's if those of the contract for `/v1` are lower. */
export function isOpenAiPath(request: IncomingMessage): boolean {
  return (request as MarkedRequest)[prefixed] === true;
}

/** What clients of OpenAI tell apart by status or code; every other error keeps its status and our code. */
const known: Readonly<Record<string, { readonly status?: number; readonly code: string; readonly type?: string }>> = {
  ERR_MODEL_ABSENT: { code: 'model_not_found' },
  ERR_MODEL_UNKNOWN: { status: 404, code: 'model_not_found' },
  ERR_MODEL_NOT_IN_PLAN: { status: 404, code: 'model_not_found' },
  ERR_CONTEXT_OVERFLOW: { code: 'context_length_exceeded' },
  ERR_STATE_INVALID: { code: 'previous_response_not_found' },
  ERR_KEY_MISSING: { code: 'invalid_api_key' },
  ERR_KEY_INVALID: { code: 'invalid_api_key' },
  ERR_KEY_AMBIGUOUS: { code: 'invalid_api_key' },
  ERR_RATE_LIMIT: { code: 'rate_limit_exceeded', type: 'requests' },
  ERR_QUOTA: { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' },
  ERR_BALANCE: { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' },
};

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};

/** The same error with OpenAI's object as `error`; `details` stay. */
export function asOpenAiError({ status, headers, body }: ErrorReply): ErrorReply {
  const { error, details, ...rest } = body;
  const ours = String(details.code);
  const theirs = known[ours];
  const shown = theirs?.status ?? status;
  const text = typeof error === 'string' ? error : error.message;
  // LangChain looks for these words, and not for the code.
  const message = ours === 'ERR_CONTEXT_OVERFLOW' ? `maximum context length exceeded: ${text}` : text;
  const type = theirs?.type ?? types[shown] ?? (shown >= 500 ? 'server_error' : 'invalid_request_error');
  // OpenAI's clients retry every 429 unless this header forbids it.
  const retry = theirs?.code === 'insufficient_quota' ? { 'x-should-retry': 'false' } : {};
  return {
    status: shown,
    headers: { ...headers, ...retry },
    body: {
      ...rest,
      error: { message, type, param: fieldOf(ours, message), code: theirs?.code ?? ours },
      details: { ...details, status: shown },
    },
  };
}

/** A refusal of a body begins with the name of the field. */
function fieldOf(code: string, message: string): string | null {
  return code === 'ERR_REQUEST_INVALID' || code === 'ERR_STATE_INVALID'
    ? (/^`([^`]{1,200})`/.exec(message)?.[1] ?? null)
    : null;
}
