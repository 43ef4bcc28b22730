/** Error codes of the compute API. They are part of the wire format (C-024); each comment is the caller's action. */
export type ComputeErrorCode =
  | 'INVALID_API_KEY' // Send a live key as `X-API-Key`.
  | 'SESSION_REQUIRED' // Sign in: this endpoint takes no API key.
  | 'ORIGIN_REFUSED' // The request came from another site.
  | 'MISSING_SCOPE' // Use a key with the scope that `scope` names.
  | 'INVALID_REQUEST' // A field is missing, unknown, or of the wrong form: the message names it.
  | 'PRICE_NOT_ACCEPTED' // Leave prices out of the body: the service sets the price.
  | 'SSH_KEY_REQUIRED' // Register an SSH key, or name one of several.
  | 'SSH_KEY_NOT_FOUND' // List the account's SSH keys.
  | 'TEMPLATE_UNKNOWN' // List the templates.
  | 'IMAGE_UNAVAILABLE' // The image cannot be prepared: use another one.
  | 'SETTINGS_REFUSED' // The engine cannot use a command, variable or port: change it.
  | 'BODY_TOO_LARGE' // Send less.
  | 'BODY_TYPE' // Send JSON.
  | 'HEADERS_TOO_LARGE' // Send a shorter path and fewer headers.
  | 'REQUEST_TIMEOUT' // Send the whole request at once.
  | 'INSUFFICIENT_BALANCE' // Top up: `required` and `balance` say by how much.
  | 'MACHINE_NOT_FOUND' // List the machines again.
  | 'NOT_FOUND' // There is no such resource on this account.
  | 'METHOD_NOT_ALLOWED' // Use one of the methods in `Allow`.
  | 'MACHINE_UNAVAILABLE' // Another tenant has the machine: list the machines and choose another.
  | 'POD_DEPLOYING' // Try again in a minute.
  | 'KEY_EXISTS' // The account has this SSH key already.
  | 'KEY_LIMIT' // Revoke a key first.
  | 'LIMIT_REACHED' // The account has reached the maximum number of these resources: delete one.
  | 'IDEMPOTENCY_MISMATCH' // This Idempotency-Key belongs to another request: use a new one.
  | 'IDEMPOTENCY_RUNNING' // The first request with this key is still running: retry after `Retry-After`.
  | 'RATE_LIMITED' // Retry after `Retry-After` seconds.
  | 'NOT_SUPPORTED' // The pod's kind cannot do this: the message names the call that does.
  | 'ENGINE_REFUSED' // Nothing was charged: choose another machine, or retry later.
  | 'UPSTREAM_UNAVAILABLE' // Price or availability could not be checked; nothing was charged: retry.
  | 'OUTCOME_UNKNOWN' // The first hour stays held; it is refunded automatically if the pod does not appear in the list.
  | 'UNAVAILABLE' // Temporary; nothing was charged: retry after `Retry-After`.
  | 'INTERNAL'; // Unexpected: retry with backoff.

/** The HTTP status of each code. */
export const statusOf: Readonly<Record<ComputeErrorCode, number>> = {
  INVALID_API_KEY: 401,
  SESSION_REQUIRED: 401,
  ORIGIN_REFUSED: 403,
  MISSING_SCOPE: 403,
  INVALID_REQUEST: 400,
  PRICE_NOT_ACCEPTED: 400,
  SSH_KEY_REQUIRED: 400,
  SSH_KEY_NOT_FOUND: 404,
  TEMPLATE_UNKNOWN: 400,
  IMAGE_UNAVAILABLE: 400,
  SETTINGS_REFUSED: 400,
  BODY_TOO_LARGE: 413,
  BODY_TYPE: 415,
  HEADERS_TOO_LARGE: 431,
  REQUEST_TIMEOUT: 408,
  INSUFFICIENT_BALANCE: 402,
  MACHINE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  MACHINE_UNAVAILABLE: 409,
  POD_DEPLOYING: 409,
  KEY_EXISTS: 409,
  KEY_LIMIT: 409,
  LIMIT_REACHED: 409,
  IDEMPOTENCY_MISMATCH: 409,
  IDEMPOTENCY_RUNNING: 409,
  RATE_LIMITED: 429,
  NOT_SUPPORTED: 501,
  ENGINE_REFUSED: 502,
  UPSTREAM_UNAVAILABLE: 502,
  OUTCOME_UNKNOWN: 502,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** Additional members of an error response, such as `charged`, `required`, `needsSshKey`. */
export type ErrorFields = Readonly<Record<string, string | number | boolean>>;

export class ComputeError extends Error {
  override readonly name = 'ComputeError';
  readonly code: ComputeErrorCode;
  readonly fields: ErrorFields;
  readonly retryAfterSeconds: number | undefined;

  /** @param message for tenants: names the next call, and repeats nothing of the request except field names */
  constructor(
    code: ComputeErrorCode,
    message: string,
    options: { cause?: unknown; fields?: ErrorFields; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fields = Object.freeze({ ...options.fields });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** An error of the deploy step, with `charged: false` (C-021). */
export function notCharged(
  code: ComputeErrorCode,
  message: string,
  options: { cause?: unknown; fields?: ErrorFields; retryAfterSeconds?: number } = {},
): ComputeError {
  return new ComputeError(code, message, { ...options, fields: { ...options.fields, charged: false } });
}

export function notFound(what: string, next: string): ComputeError {
  return new ComputeError('NOT_FOUND', `this account has no ${what} with this id: ${next}`);
}
