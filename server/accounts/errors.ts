/** Everything the accounts refuse. The comment by each code is what the caller should do. */
export type AccountErrorCode =
  | 'ERR_KEY_LIMIT' // The account has as many live keys as it may: revoke one first.
  | 'ERR_KEY_UNKNOWN' // No key has this id, or it is revoked already: list the keys.
  | 'ERR_NAME_INVALID' // Use 1 to 64 printable characters.
  | 'ERR_STORE'; // The database cannot be used: the message says why.

export class AccountError extends Error {
  override readonly name = 'AccountError';
  readonly code: AccountErrorCode;

  constructor(code: AccountErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
