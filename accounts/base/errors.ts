/** Error codes of the accounts. The comment at each code is the caller's action. */
export type AccountErrorCode =
  | 'ERR_KEY_LIMIT' // The account has the maximum number of live keys: revoke one first.
  | 'ERR_KEY_UNKNOWN' // No key has this id, or it is revoked already: list the keys.
  | 'ERR_NAME_INVALID' // Use 1 to 64 printable characters.
  | 'ERR_SCOPE_INVALID' // Name scopes that exist: the message lists them.
  | 'ERR_SCOPE_MISSING' // The key may not do this: use one with the scope in `details.scope`.
  | 'ERR_EXPIRY_INVALID' // The expiry is not a time in the future: give a later one.
  | 'ERR_ACCOUNT_UNKNOWN' // No account has this name: create it, or list the accounts.
  | 'ERR_ACCOUNT_EXISTS' // The name is taken: choose another.
  | 'ERR_ACCOUNT_CLOSED' // The account is closed: open another.
  | 'ERR_PLAN_UNKNOWN' // No plan has this id: the message lists those that exist.
  | 'ERR_PLAN_EXISTS' // A plan has this id: change it, or choose another id.
  | 'ERR_PLAN_INVALID' // A field of the plan is wrong: the message names it and its range.
  | 'ERR_AMOUNT_INVALID' // The amount is not a whole number of micro-dollars, or out of range: correct it.
  | 'ERR_REFERENCE_USED' // The reference belongs to another payment: use a new one.
  | 'ERR_USAGE_UNKNOWN' // The request is unknown, free of charge or already refunded: list the usage.
  | 'ERR_INVOICE_UNKNOWN' // No invoice has this number: list the invoices.
  | 'ERR_RANGE_INVALID' // A date or a range of dates is invalid: the message says which.
  | 'ERR_MODEL_NOT_IN_PLAN' // Use a model of the plan, or change the plan.
  | 'ERR_RATE_LIMIT' // Retry after `details.retryAfterSeconds`.
  | 'ERR_QUOTA' // The plan's tokens of the month are used up (`details.usage`): change the plan or wait.
  | 'ERR_BALANCE' // The balance does not cover the request's maximum cost: add funds, or request fewer tokens.
  | 'ERR_STORE_UNAVAILABLE' // The database is unavailable and nothing was charged: retry later.
  | 'ERR_STORE'; // The database cannot be opened or migrated: the message says why.

/** Values that the HTTP error response contains next to code and message. */
export type ErrorDetails = Readonly<Record<string, number | string | Readonly<Record<string, number | string>>>>;

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: AccountErrorCode;
  readonly details: ErrorDetails;
  /** HTTP headers with the limits and what remains of them. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: AccountErrorCode,
    message: string,
    options: { cause?: unknown; details?: ErrorDetails; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = Object.freeze({ ...options.details });
    this.headers = Object.freeze({ ...options.headers });
  }
}
