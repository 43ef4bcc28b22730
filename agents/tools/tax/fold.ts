/** Folds words of many languages into one spelling, so that word tables need one form of each. */

const special: Readonly<Record<string, string>> = {
  ß: 's',
  æ: 'a',
  œ: 'o',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 't',
  ı: 'i',
};
const known = new Map<string, string>();

/** Lower case without accents, with unchanged length; apostrophes become plain, unusual blanks become spaces. */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text.split('')) {
    let plain = known.get(character);
    if (plain === undefined) {
      plain = foldCharacter(character);
      if (known.size < 5_000) known.set(character, plain);
    }
    folded += plain;
  }
  return folded;
}

function foldCharacter(character: string): string {
  if (/[\u00a0\u202f\u2007\u2009\t]/.test(character)) return ' ';
  if (/[’‘´`]/.test(character)) return "'";
  const lower = character.toLowerCase();
  const plain = special[lower] ?? lower.normalize('NFD')[0] ?? character;
  return plain.length === 1 ? plain : character;
}

/**
 * Compiles a list of words and phrases to one pattern: whole words; a blank matches blanks, points, hyphens, an apostrophe or
 * nothing.
 */
export function phrasePattern(phrases: string): string {
  const list = foldText(phrases)
    .split('|')
    .map((phrase) => phrase.trim())
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
    .map((phrase) =>
      phrase
        .replace(/[.*+?^${}()[\]\\]/g, (mark) => (mark === '*' ? '[a-z]{0,14}' : `\\${mark}`))
        .replaceAll(' ', "[ ,.'/°ºª-]{0,3}"),
    );
  return `(?<![a-z0-9])(?:${list.join('|')})(?![a-z])`;
}

export function phraseShape(phrases: string, flags = ''): RegExp {
  return new RegExp(phrasePattern(phrases), flags);
}
