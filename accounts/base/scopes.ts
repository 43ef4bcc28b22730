/** Permissions of API keys: the six scopes of the compute surface (C-014) and inference. Pure. */
import { AccountError } from './errors.ts';

export const scopes = [
  'pods',
  'templates',
  'ssh-keys',
  'docker-credentials',
  'machines',
  'balance',
  'inference',
] as const;

export type Scope = (typeof scopes)[number];

/** @param names undefined for every scope (C-015) · @throws {AccountError} ERR_SCOPE_INVALID */
export function parseScopes(names: readonly string[] | undefined): readonly Scope[] {
  if (names === undefined) return scopes;
  if (names.length > 0 && names.every(isScope)) return scopes.filter((scope) => names.includes(scope));
  throw new AccountError('ERR_SCOPE_INVALID', `a key's scopes are one or more of ${scopes.join(', ')}`);
}

/** Formats scopes for the database: names separated by commas. */
export function formatScopes(some: readonly Scope[]): string {
  return some.join(',');
}

/** The inverse of `formatScopes`. Drops scopes of a later version, so that an older program never grants them. */
export function readScopes(text: string): readonly Scope[] {
  return text.split(',').filter(isScope);
}

/** @throws {AccountError} ERR_SCOPE_MISSING, which names it (C-015) */
export function requireScope(caller: { readonly scopes: readonly Scope[] }, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  throw new AccountError('ERR_SCOPE_MISSING', `this key lacks the scope ${scope}`, { details: { scope } });
}

function isScope(name: string): name is Scope {
  return (scopes as readonly string[]).includes(name);
}
