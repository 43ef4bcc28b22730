/**
 * Lines with their positions. Supports `\
 * `, `\\r\
 * ` and `\\r`.
 */
import type { Range } from './span.ts';

/** @returns each line without its break, empty ones too */
export function splitLines(text: string): Range[] {
  const lines: Range[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x0a && code !== 0x0d) continue;
    lines.push({ start, end: at });
    if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) at += 1;
    start = at + 1;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/** The range without white space at its ends; empty if there is nothing else. */
export function trimRange(text: string, { start, end }: Range): Range {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return { start: from, end: to };
}

/** White space in texts: ASCII blanks, no-break spaces, byte order marks. */
export function isBlank(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x202f || code === 0x2007 || code === 0x3000 || code === 0xfeff;
}
