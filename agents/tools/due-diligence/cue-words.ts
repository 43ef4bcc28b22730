/** Words as phrases name them. */
import { splitWords, type Word } from '../text/words.ts';

/** French and Italian join an article to its noun: "l'accord", "d'assignation". */
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'(?=\p{L}{2})/u;

export function cueWords(text: string): Word[] {
  return splitWords(text).map((word) => {
    const lead = elided.exec(word.text)?.[0].length ?? 0;
    return lead === 0 ? word : { ...word, text: word.text.slice(lead), start: word.start + lead };
  });
}
