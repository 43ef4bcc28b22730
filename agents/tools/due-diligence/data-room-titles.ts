/** Determines whether a text calls itself the index of a data room or a list of requested documents. */
import type { Document } from '../../document/document.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { lineAround } from '../text/span.ts';
import { anyAlphabet } from './word-bounds.ts';

/** Words from which the title is read, and the length up to which a line may be a title. */
const openingWords = 400;
const titleCharactersMax = 110;

/** The line that calls the text an index; a sentence that mentions a data room, or the title of a report on one, does not. */
export function indexTitleOf({ text, words }: Document): string | undefined {
  for (const { start, end } of findPhrases(words.slice(0, openingWords), indexWords)) {
    const line = lineAround(text, start, 300);
    const shown = text.slice(line.start, line.end).trim();
    if (shown.length > titleCharactersMax || /[.,]$/.test(shown) || end > line.end) continue;
    const above = text.slice(Math.max(0, line.start - 200), line.start);
    const below = text.slice(line.end, line.end + 80);
    const isProse = /[\p{Ll},]\n[ \t]*$/u.test(above) || /^\n[ \t]*\p{Ll}/u.test(below);
    if (!isProse && !otherDocument.test(shown)) return shown;
  }
  return undefined;
}

export function isListTitle(title: string): boolean {
  return listWords.test(title);
}

const otherDocument = anyAlphabet(
  /\b(?:reports?|memo(?:randum)?|minutes|letter|agreement|contract|deed|disclosed|against|access|rules|bericht|vermerk|protokoll|vertrag|rapport|procès-verbal|contrat|informe|acta|contrato|relazione|verbale|contratto|verslag|notulen|overeenkomst|raport|protokół|umowa|avtal|aftale|relatório)\b/u,
);
const listWords = anyAlphabet(
  /\b(?:(?:\p{L}+)?index|lists?|checklist|log|tracker|inventory|catalogue|contents|requests?|requested|\p{L}*liste|inhalt\p{L}*|\p{L}*verzeichnis|datenrauminhalt|dokumentenliste|inventaire|sommaire|índice|lista|relación|inventario|inventaris|\p{L}*lijst|indice|elenco|indeks|wykaz|\p{L}*förteckning|fortegnelse|\p{L}*oversigt|översikt|seznam)\b/u,
);

const indexWords = compilePhrases<'index'>([
  [
    'index',
    phraseList(
      `data room; dataroom; vdr; index of documents; document index; document list; disclosure index; due diligence
      index|request|list|checklist; dd checklist|list|request; request list|tracker; information request; documents requested; index ~3 data
      room; closing checklist; document checklist; document tracker; requested documents; datenraum*; dokumentenliste; unterlagenliste;
      anforderungsliste; datenrauminhalt; index ~4 dataroom; salle de données; liste des documents|pièces; índice ~4
      documentos|documental|data; índice ~3 documentos; lista de documentos; relación de documentos; sala de datos; sala de dados; indeks ~3
      dokumentów|data|vdr; wirtualny data room; lista dokumentów; wykaz dokumentów; indice ~3 documenti|data; elenco documenti;
      dokumentförteckning; datarum*; dokumentliste; dataroomindex; documentenlijst; vragenlijst ~3 due; seznam dokumentů`,
    ),
  ],
]);
