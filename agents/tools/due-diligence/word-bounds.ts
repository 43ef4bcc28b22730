/** Word boundaries of the European alphabets: `\b` of a regular expression knows ASCII only and finds none in front of "é" or "Ä". */
import { lazily } from '../text/lazily.ts';

/** Latin, Greek and Cyrillic. V8 compiles the classes of all Unicode letters in milliseconds each, without regard to case even slower. */
const letter =
  '[A-Za-z0-9\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0370-\\u052f\\u1e00-\\u1fff]';
const opens = `(?<!${letter})(?=${letter})`;
const closes = `(?<=${letter})(?!${letter})`;

/** A regular expression that is compiled at its first use. */
export interface WordPattern {
  readonly test: (text: string) => boolean;
  readonly exec: (text: string) => RegExpExecArray | null;
  /** All matches, of an expression with the flag `g`. */
  readonly allIn: (text: string) => IterableIterator<RegExpExecArray>;
}

/** The same expression with `\b` for all letters, without regard to case. A bound that can only open or close a word costs half. */
export function anyAlphabet({ source, flags }: RegExp): WordPattern {
  const compiled = lazily(() => {
    const bounded = source.replaceAll(/(.?)\\b/gs, (_, before: string) => {
      if (before === '' || '|(:'.includes(before)) return before + opens;
      return before + (/[\p{L}?*]/u.test(before) ? closes : `(?:${opens}|${closes})`);
    });
    return new RegExp(bounded, flags.includes('g') ? 'giu' : 'iu');
  });
  return {
    test: (text) => compiled().test(text),
    exec: (text) => compiled().exec(text),
    allIn: (text) => text.matchAll(compiled()),
  };
}
