/** Salts of cached prefixes: prompts share cached prefixes only within one account and one LoRA adapter. Pure. */

/** Begins the salts of adapters, and no account. */
const adapterMark = '\0';

/** @param adapter from 1; 0: none */
export function saltOf(account: string, adapter: number): string {
  return adapter === 0 ? account : `${adapterMark}${adapter}${adapterMark}${account}`;
}

/** Whether pinned prefixes, which are computed without adapters, can begin a prompt with this salt. */
export function usesPinnedPrefixes(salt: string): boolean {
  return !salt.startsWith(adapterMark);
}
