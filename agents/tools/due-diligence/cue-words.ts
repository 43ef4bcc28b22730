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

/** German and Dutch form compounds; the last part determines the meaning ("Betriebsgenehmigung", "huurovereenkomst"). */
const compoundHeads =
  /.{3}(genehmigung|erlaubnis|zulassung|vertr[aä]g|übertragung|forderung|verfahren|klage|streit|verletzung|anspruch|ansprüche|garantie|haftung|grenze|betrag|kunde|lieferant|prüfung|bescheid|protokoll|anteil|gesellschafter|mitglied|versicherung|bürgschaft|kredit|darlehen|vergunning|overeenkomst|vordering|procedure|aansprakelijkheid|controle|klant|leverancier|verzekering|lening|register)(\p{L}{0,5})$/u;

/** The same words with compounds reduced to their last part; undefined if there are none. */
export function headWords(words: readonly Word[]): Word[] | undefined {
  let isCut = false;
  const heads = words.map((word) => {
    const match = word.text.length < 10 ? null : compoundHeads.exec(word.text);
    if (match === null) return word;
    isCut = true;
    return { ...word, text: match[1]! + match[2]! };
  });
  return isCut ? heads : undefined;
}
