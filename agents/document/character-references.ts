/** HTML character references, and characters that no reader sees. */
import { decodeHTMLStrict } from 'entities/decode';

/** Soft hyphens, zero-width spaces, word joiners and byte order marks: places where a line may or may not break. */
export const unseen = /[\u00ad\u200b\u2060\ufeff]+/;

/** The longest names of the standard have 31 letters. */
const shape = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/y;
/** Control characters, which would end a line or a cell, and the blanks as wide as letters. */
const shownAsBlank = /^[\p{Cc}\u2002-\u2004]$/u;

/** @returns undefined if no known character reference begins at the position */
export function decodeReference(
  text: string,
  at: number,
): { readonly text: string; readonly length: number } | undefined {
  shape.lastIndex = at;
  const reference = shape.exec(text)?.[0];
  if (reference === undefined) return undefined;
  const decoded = decodeHTMLStrict(reference);
  if (decoded === reference) return undefined;
  return { text: shownAsBlank.test(decoded) ? ' ' : decoded.replace(unseen, ''), length: reference.length };
}
