/** Word boundaries of every alphabet: `\b` of a regular expression knows ASCII only and finds none in front of "é" or "Ä". */
import { lazily } from '../text/lazily.ts';

const opens = '(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])';
const closes = '(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])';

/** A regular expression that is compiled at its first use: classes of Unicode take milliseconds per expression. */
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
