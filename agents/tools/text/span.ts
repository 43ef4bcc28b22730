/** Positions of findings, and limits on their length. Offsets are UTF-16 code units into one text. */

/** A part of one text: `start` inclusive, `end` exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of one of the caller's messages. */
export interface Span extends Range {
  /** Index of the message, as in `AgentDocument`. */
  readonly message: number;
}

/** A list truncated to its limit, and the number of omitted items. */
export interface Bounded<Item> {
  readonly items: readonly Item[];
  readonly more: number;
}

/** Default maximum number of findings of one kind. */
export const findingsMax = 50;

/** Maximum number of characters of an excerpt. */
export const excerptCharactersMax = 160;

/** @returns a plain object with only these three numbers, for use in results */
export function spanOf(message: number, { start, end }: Range): { message: number; start: number; end: number } {
  return { message, start, end };
}

/** The first items of a list, and the number of omitted ones. @param max at least 0 */
export function bounded<Item>(list: readonly Item[], max: number = findingsMax): Bounded<Item> {
  return { items: list.slice(0, max), more: Math.max(0, list.length - max) };
}

/**
 * The words of a range on one line: white space and control characters become single spaces, and text beyond the limit is
 * replaced by "…". Always well-formed Unicode, so that it can be encoded as JSON and UTF-8.
 */
export function excerpt(text: string, { start, end }: Range, charactersMax: number = excerptCharactersMax): string {
  // White space shrinks, so more text than the limit is read; still a bounded part.
  const raw = text.slice(Math.max(0, start), Math.min(end, start + charactersMax * 3));
  const flat = raw
    .replace(/[\s\p{Cc}\u2028\u2029]/gu, ' ')
    .split(' ')
    .filter(Boolean)
    .join(' ');
  const cut = flat.length > charactersMax || end - start > charactersMax * 3;
  return (cut ? `${flat.slice(0, charactersMax - 1).trimEnd()}…` : flat).toWellFormed();
}

/** The line around a position, without its line break. Searches at most `charactersMax` characters in each direction. */
export function lineAround(text: string, position: number, charactersMax = 400): Range {
  let start = position;
  while (start > 0 && position - start < charactersMax && text[start - 1] !== '\n') start -= 1;
  let end = position;
  while (end < text.length && end - position < charactersMax && text[end] !== '\n') end += 1;
  return { start, end };
}
