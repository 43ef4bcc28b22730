/** Names of accounts and keys. Pure. */
import { AccountError } from './errors.ts';

/** @throws {AccountError} ERR_NAME_INVALID */
export function requireName(what: string, name: string): void {
  if (typeof name === 'string' && /^[^\p{C}]{1,64}$/u.test(name)) return;
  const length = typeof name === 'string' ? name.length : 'no text';
  throw new AccountError('ERR_NAME_INVALID', `${what} must be 1 to 64 printable characters, got ${length}`);
}
