/** Splits a command into words. No shell runs it, so shell syntax is rejected instead of being passed on literally. */
import { type EngineError, refused } from './errors.ts';

/** Characters with a meaning in a shell outside single quotes. */
const shellSyntax = new Set([
  ';',
  '&',
  '|',
  '<',
  '>',
  '`',
  '$',
  '(',
  ')',
  '{',
  '}',
  '*',
  '?',
  '[',
  ']',
  '~',
  '#',
  '!',
  '\n',
]);
const insideDoubleQuotes = new Set(['$', '`', '\n']);
const charsMax = 8192;

/**
 * Splits at spaces; quotes and backslashes group as in a POSIX shell.
 * @throws {EngineError} ERR_ENGINE_REFUSED `settings_refused`: chaining, redirection, substitution, globs, an open quote
 */
export function parseSimpleCommand(text: string): string[] {
  if (text.length > charsMax) throw unusable(`start_command must have at most ${charsMax} characters`);
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    const char = text[at]!;
    if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
    } else {
      const piece = char === "'" ? singleQuoted(text, at) : char === '"' ? doubleQuoted(text, at) : plain(text, at);
      word = (word ?? '') + piece.value;
      at = piece.next;
    }
  }
  if (word !== undefined) words.push(word);
  if (words.length === 0 || words[0] === '') throw unusable('start_command must name a program');
  if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(words[0]!)) throw unusable('start_command must not set variables: use env');
  return words;
}

interface Piece {
  readonly value: string;
  readonly next: number;
}

function singleQuoted(text: string, start: number): Piece {
  const end = text.indexOf("'", start + 1);
  if (end === -1) throw unusable('start_command contains an unclosed quote');
  return { value: checked(text.slice(start + 1, end)), next: end + 1 };
}

function doubleQuoted(text: string, start: number): Piece {
  let value = '';
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    if (insideDoubleQuotes.has(text[at]!)) throw chained();
    const escaped = text[at] === '\\' && at + 1 < text.length && '"\\$`'.includes(text[at + 1]!);
    if (escaped) at++;
    value += text[at];
    at++;
  }
  if (at >= text.length) throw unusable('start_command contains an unclosed quote');
  return { value: checked(value), next: at + 1 };
}

function plain(text: string, at: number): Piece {
  const char = text[at]!;
  if (char !== '\\') {
    if (shellSyntax.has(char)) throw chained();
    return { value: checked(char), next: at + 1 };
  }
  if (at + 1 >= text.length) throw unusable('start_command ends with a backslash');
  return { value: checked(text[at + 1]!), next: at + 2 };
}

function checked(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) throw unusable('start_command must not contain control characters');
  return value;
}

function chained(): EngineError {
  return unusable('start_command must be one simple command: no chaining, redirection, substitution or patterns');
}

function unusable(message: string): EngineError {
  return refused('settings_refused', message);
}
