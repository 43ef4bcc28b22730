/**
 * Word boundaries for every alphabet: `\b` in a regular expression supports only ASCII and finds no boundary before "é" or "Ä".
 */
const bound = '(?:(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}]))';

/** Returns the expression with `\b` for all letters, case-insensitive. */
export function anyAlphabet({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replaceAll('\\b', bound), flags.includes('g') ? 'giu' : 'iu');
}
