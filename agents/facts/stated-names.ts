/** The words and identifiers of a document. */

/** A text as words in lower case, without accents and punctuation. */
export function flatWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** In lower case, without the marks that keep an address from being a link: `hxxps://evil[.]example`. */
export function refang(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bhxxp/g, 'http')
    .replace(/[ \t]?[[({](?:\.|dot|punkt)[\])}][ \t]?/g, '.')
    .replace(/\[(:\/\/|:|@|at)\]/g, (_all, mark) => (mark === 'at' ? '@' : mark));
}

/** Whether a text has another one that no letter or digit continues. */
export function hasWhole(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!letterOrDigit.test(text[at - 1] ?? ' ') && !letterOrDigit.test(text[at + part.length] ?? ' ')) return true;
  }
  return false;
}

const letterOrDigit = /[\p{L}\p{N}]/u;

/** "14:05", "2:05 p.m.", "14h05", "2 pm". @param time hh:mm or hh:mm:ss · @returns undefined if it is no time */
export function timeShape(time: string): RegExp | undefined {
  const [, written, minute = '', second] = /^(\d\d):([0-5]\d)(?::([0-5]\d))?$/.exec(time) ?? [];
  const hour = Number(written);
  if (written === undefined || hour > 24) return undefined;
  if (second !== undefined) return new RegExp(`(?<![\\d.:])0?${hour}[:.]${minute}[:.]${second}(?!\\d)`);
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const minutes = minute === '00' ? '(?:[:.]00)?' : `[:.]${minute}`;
  const half = `0?${twelve}${minutes} ?${hour % 24 < 12 ? 'a' : 'p'}\\.?m`;
  const point = `0?${hour}\\.${minute} ?(?:h|uhr|uur|ore)(?!\\p{L})`;
  return new RegExp(`(?<![\\d.,])(?:0?${hour} ?[:h] ?${minute}(?!\\d)|${point}|${half})`, 'iu');
}

/** "DE 123 456 789" for "DE123456789". @returns undefined for short identifiers, which separators would find in any list */
export function separatedShape(identifier: string): RegExp | undefined {
  const letters = [...identifier.replace(/[^\p{L}\p{N}]/gu, '')];
  if (letters.length < 8) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters.join('[ .\\-/_]?')}(?![\\p{L}\\p{N}])`, 'iu');
}
