/** Word boundaries of every alphabet: `\b` of a regular expression knows ASCII only and finds none in front of "é" or "Ä". */
const opens = '(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])';
const closes = '(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])';

/** The same expression with `\b` for all letters, without regard to case. A bound that can only open or close a word costs half. */
export function anyAlphabet({ source, flags }: RegExp): RegExp {
  const bounded = source.replaceAll(/(.?)\\b/gs, (_, before: string) => {
    if (before === '' || '|(:'.includes(before)) return before + opens;
    return before + (/[\p{L}?*]/u.test(before) ? closes : `(?:${opens}|${closes})`);
  });
  return new RegExp(bounded, flags.includes('g') ? 'giu' : 'iu');
}
