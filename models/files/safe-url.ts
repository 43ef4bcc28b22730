/** Checks the addresses that weights and digests are downloaded from. Pure. */
import { ModelError } from '../interface/errors.ts';

/** @returns whether `text` is an https URL, or an http URL on loopback, without credentials */
export function isSafeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** @throws {ModelError} ERR_URL_REFUSED */
export function requireSafeUrl(text: string): URL {
  if (isSafeUrl(text)) return new URL(text);
  const reason = 'expected https (or http on loopback) and no credentials in the address';
  throw new ModelError('ERR_URL_REFUSED', `refusing ${showUrl(text)}: ${reason}`);
}

/** Formats a URL for messages, without credentials and query, which may contain a signature. */
export function showUrl(url: string | URL): string {
  const parsed = URL.parse(String(url));
  return parsed === null ? JSON.stringify(String(url).slice(0, 200)) : `${parsed.origin}${parsed.pathname}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
