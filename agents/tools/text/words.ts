/** Splits text into words with positions; the basis of every phrase search. One pass, independent of language. */
import { isAbbreviation } from './abbreviations.ts';
import type { Range } from './span.ts';

export interface Word extends Range {
  /** Lower case, typographic apostrophes made plain, at most 64 characters. */
  readonly text: string;
  /** Whether a sentence mark, a semicolon or an empty line is between the previous word and this one. */
  readonly opens: boolean;
}

/**
 * Runs of letters (with inner apostrophes) and numbers (with inner points and commas). Hyphens separate words, so "non-compete"
 * and "non compete" are the same two words.
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\d+(?:[.,]\d+)*/gu)) {
    const start = match.index;
    const raw = match[0].length > 64 ? match[0].slice(0, 64) : match[0];
    const opens = words.length === 0 || endsSentence(text, words.at(-1)!, start);
    words.push({ text: raw.toLowerCase().replaceAll('’', "'"), start, end: start + match[0].length, opens });
  }
  return words;
}

/** Whether the text between two words ends a sentence. Examines at most 32 characters: a longer gap ends a sentence. */
function endsSentence(text: string, { start: wordStart, end: start }: Range, end: number): boolean {
  if (end - start > 32) return true;
  let lineBreaks = 0;
  for (let at = start; at < end; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x0a && ++lineBreaks > 1) return true;
    if (character === 0x3b || character === 0x21 || character === 0x3f) return true; // ; ! ?
    if (character === 0x2e && isSpace(text.charCodeAt(at + 1)) && opensWithCapital(text, end)) {
      return at !== start || !isAbbreviation(text.slice(wordStart, start));
    }
  }
  return false;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xa0;
}

function opensWithCapital(text: string, at: number): boolean {
  const character = text[at] ?? '';
  return character !== character.toLowerCase() || (character >= '0' && character <= '9');
}
