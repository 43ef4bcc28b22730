/** Everything the accounts refuse. The comment by each code is what the caller should do. */
export type AccountErrorCode =
  | 'ERR_KEY_LIMIT' // The account has as many live keys as it may: revoke one first.
  | 'ERR_KEY_UNKNOWN' // No key has this id, or it is revoked already: list the keys.
  | 'ERR_NAME_INVALID' // Use 1 to 64 printable characters.
  | 'ERR_SCOPE_INVALID' // Name scopes that exist: the message lists them.
  | 'ERR_SCOPE_MISSING' // The key may not do this: use one with the scope in `details.scope`.
  | 'ERR_EXPIRY_INVALID' // The expiry is past already: give a later one.
  | 'ERR_ACCOUNT_UNKNOWN' // No account has this name: create it, or list the accounts.
  | 'ERR_ACCOUNT_EXISTS' // The name is taken: choose another.
  | 'ERR_ACCOUNT_CLOSED' // The account is closed: open another.
  | 'ERR_PLAN_UNKNOWN' // No plan has this id: the message lists those that exist.
  | 'ERR_PLAN_EXISTS' // A plan has this id: change it, or choose another id.
  | 'ERR_PLAN_INVALID' // A field of the plan is wrong: the message names it and its range.
  | 'ERR_AMOUNT_INVALID' // The amount is no whole number of micro-dollars, or out of range.
  | 'ERR_REFERENCE_USED' // This reference paid in another amount already: use a new one.
  | 'ERR_USAGE_UNKNOWN' // No usage row has this id or request id, or it was refunded already.
  | 'ERR_RANGE_INVALID' // A date or a range of dates is wrong: the message says which.
  | 'ERR_MODEL_NOT_IN_PLAN' // Ask for one of the models that the message lists.
  | 'ERR_RATE_LIMIT' // Retry after `details.retryAfterSeconds`.
  | 'ERR_QUOTA' // The plan's tokens are used up: `details.usage` says how many.
  | 'ERR_BALANCE' // The balance does not cover the request's worst case: pay in, or ask for fewer tokens.
  | 'ERR_STORE_UNAVAILABLE' // The database does not answer; nothing was charged: retry later.
  | 'ERR_STORE'; // The database cannot be used: the message says why.

/** What goes with an error into its answer. */
export type ErrorDetails = Readonly<Record<string, number | string | Readonly<Record<string, number | string>>>>;

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: AccountErrorCode;
  readonly details: ErrorDetails;
  /** HTTP headers that tell the caller where they stand. */
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
