/** Sentences with their positions. Heuristics for European prose: abbreviations, initials and numbering do not end a sentence. */
import { isAbbreviation } from './abbreviations.ts';
import { monthNumbers, startsWithDay } from './dates.ts';
import { isBlank, trimRange } from './lines.ts';
import type { Range } from './span.ts';

/** Without leading and trailing white space. An empty line, or a line that begins a list item, also ends a sentence. */
export function splitSentences(text: string): Range[] {
  const sentences: Range[] = [];
  let start = 0;
  const close = (end: number) => {
    const trimmed = trimRange(text, { start, end });
    if (trimmed.end > trimmed.start) sentences.push(trimmed);
    start = end;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '\n' && dividesAtLine(text, at)) close(at + 1);
    else if ((character === '.' || character === '!' || character === '?') && endsSentence(text, at)) {
      let end = at + 1;
      while (end < text.length && end - at < 4 && '"\'”’»)]'.includes(text[end]!)) end += 1;
      close(end);
      at = end - 1;
    }
  }
  close(text.length);
  return sentences;
}

function endsSentence(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (at + 1 < text.length && !isBlank(next) && !'"\'”’»)]'.includes(text[at + 1]!)) return false;
  if (text[at] !== '.') return true;
  const before = wordBefore(text, at);
  // "Alpha GmbH ./. Beta AG", "EUR 6,2 Mio. benötigt".
  if (isAbbreviation(before) || before.endsWith('/')) return false;
  if (/^(?:mio|mrd|tsd|mill)$/i.test(before) && /^\s(?:\p{Ll}|EUR|Euro|CHF|€)/u.test(text.slice(at + 1, at + 6)))
    return false;
  // "1. Scope", "2.3. Fees": a number alone at a line's beginning.
  if (/^\d[\d.]{0,11}$/.test(before) && isLineStart(text, at - before.length)) return false;
  return !(/^\d{1,2}$/.test(before) && isWithinDate(text, at));
}

/** "27. 3. 2026", "5. März 2026", "16. února": whether the rest of a date follows the point after a day or a month. */
function isWithinDate(text: string, at: number): boolean {
  const after = text.slice(at + 1, at + 24);
  if (/^[ \u00a0]\d{1,2}\.[ \u00a0]?(?:19|20|21)\d\d(?!\d)/.test(after)) return true;
  const isMonth = /(?<!\d)\d{1,2}\.[ \u00a0]?\d{1,2}$/.test(text.slice(Math.max(0, at - 8), at));
  if (isMonth && /^[ \u00a0](?:19|20|21)\d\d(?!\d)/.test(after)) return true;
  const name = /^[ \u00a0](\p{L}{3,12})\.?(?:[ \u00a0]((?:19|20|21)\d\d)(?!\d))?/u.exec(after);
  if (name === null || !monthNumbers.has(name[1]!.toLowerCase())) return false;
  return name[2] !== undefined || /^\p{Ll}/u.test(name[1]!);
}

function wordBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < 16 && !isBlank(text.charCodeAt(start - 1)) && text[start - 1] !== '(') start -= 1;
  return text.slice(start, at);
}

function isLineStart(text: string, at: number): boolean {
  for (let index = at - 1; index >= 0 && at - index < 16; index -= 1) {
    if (text[index] === '\n') return true;
    if (!isBlank(text.charCodeAt(index)) && !'#>-*'.includes(text[index]!)) return false;
  }
  return at < 16;
}

const listItem =
  /[ \t]{0,12}(?!\d{1,3}(?:\.\d{3})+[ \t](?:[TKM]?(?:EUR|CHF|USD|GBP|SEK|PLN|CZK)|Euro|Mio|Mrd|Tsd)\b)(?:[-*•–][ \t]|\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)][ \t]|\d{1,3}(?:\.\d{1,3}){1,4}[ \t]{1,4}(?=\p{Lu})|#{1,6} |\||§|\r?\n)/uy;

/** @param at position of the line break */
function dividesAtLine(text: string, at: number): boolean {
  listItem.lastIndex = at + 1;
  return listItem.test(text) && !startsWithDay(text.slice(at + 1, at + 40).trimStart());
}
