/** Word boundaries of every alphabet: `\b` of a regular expression knows ASCII only and finds none in front of "é" or "Ä". */
const bound = '(?:(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}]))';

/** The same expression with `\b` for all letters, without regard to case. */
export function anyAlphabet({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replaceAll('\\b', bound), flags.includes('g') ? 'giu' : 'iu');
}
