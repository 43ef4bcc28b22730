/** Words that the same document replaces: "In clause 3.1 "£18,400,000" is replaced by "£17,250,000"". */
import { blank } from '../text/blanks.ts';

const quoted = '["“„«‘]\\s?([^"“”„»«‘’\\n]{2,80}?)\\s?["”“»’]';
const replacing = [
  // The old words, then the new ones.
  `${quoted},?\\s(?:(?:is|are|shall be|to be)\\s(?:hereby\\s)?(?:deleted and\\s)?(?:replaced|substituted)\\s(?:by|with)|shall read|wird (?:hiermit )?(?:durch|ersetzt durch)|est remplacée?s? par|(?:se sustituye|queda sustituid[oa]) por|è sostituit[oa] (?:da|con)|wordt vervangen door|zastępuje się(?: wyrazami)?|(?:ska )?ersättas? med|é substituíd[oa] por)\\s(?:the words?\\s)?${quoted}`,
  `(?:replace|for|delete|donde dice|statt|anstelle von|onde se lê|au lieu de|in luogo di)\\s(?:the words?\\s)?${quoted},?\\s(?:with|by|substitute|read|and (?:insert|substitute)|dirá|debe decir|heißt es(?: nunmehr)?|gilt|deve ler-se|lire|leggasi)\\s(?:the words?\\s)?${quoted}`,
].map((source) => new RegExp(source, 'giu'));

const amendmentsMax = 40;
/** Words that occur more often are not replaced: the amendment is of one place. */
const placesMax = 3;

/** The text as amended; all offsets stay, and replaced words for which the new ones are too long become blanks. */
export function applyAmendments(text: string): string {
  const found = replacing.flatMap((shape) => [...text.matchAll(shape)].slice(0, amendmentsMax));
  let amended = text;
  for (const { index, 0: statement, 1: before = '', 2: after = '' } of found) {
    if (!/\d/.test(before)) continue;
    const places = placesOf(text, before).filter((at) => at < index || at >= index + statement.length);
    if (places.length > placesMax) continue;
    const words = after.length <= before.length ? after.padEnd(before.length) : blank(before);
    for (const at of places) amended = amended.slice(0, at) + words + amended.slice(at + before.length);
    amended = amended.slice(0, index) + blank(statement) + amended.slice(index + statement.length);
  }
  return amended;
}

/** Whole words only: not the "£184,000" of "£184,000,000". */
function placesOf(text: string, words: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at !== -1 && places.length <= placesMax; at = text.indexOf(words, at + 1)) {
    const isWhole =
      !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 1), at)) &&
      !/^(?:[\p{L}\p{N}]|[.,]\d)/u.test(text.slice(at + words.length, at + words.length + 2));
    if (isWhole) places.push(at);
  }
  return places;
}
