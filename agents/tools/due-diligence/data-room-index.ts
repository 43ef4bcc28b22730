/** The entries of a data room's index or of a request list in tables, each with the status that the index gives it. */
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import { entriesOfLines } from './data-room-lines.ts';
import { type Entry, type EntryStatus, legendOf, statusIn, statusWithRemark } from './data-room-statuses.ts';
import { anyAlphabet } from './word-bounds.ts';

/** More are not read. */
const entriesMax = 600;

const titleHeading = anyAlphabet(
  /\b(?:documents?(?: title)?|title|items?|description|file(?: ?name)?|name|requests?|information|dokument\p{L}*|unterlagen?|bezeichnung|titel|gegenstand|inhalt|pièces?|intitulé|désignation|documentos?|título|descripción|descrição|designação|stuk(?:ken)?|omschrijving|onderwerp|nazwa|tytuł|opis|documento|documenti|titolo|descrizione|oggetto|handling|benämning|beskrivning|navn|beskrivelse|název)\b/u,
);
/** Headings that name documents, and no other things that have a status. */
const documentHeading = anyAlphabet(
  /\b(?:documents?|documentos?|dokument\p{L}*|documento|documenti|unterlagen?|stuk(?:ken)?|pièces?|file(?: ?name)?|requests?|information requested|handling)\b/u,
);
const statusHeading = anyAlphabet(
  /\b(?:st\.?|status|state|stand|bearbeitungsstand|état|statut|estado|situación|situação|stan|stato|our view|tillstånd|stav)\b/u,
);
/** Columns that tell how an entry stands where there is no status: what somebody answered, or that it is there. */
const answerHeading = anyAlphabet(
  /\b(?:available|availability|provided|received|uploaded|in data ?room|responses?|answers?|reply|verfügbar|vorhanden|antwort(?:en)?|disponible|disponibilité|disponibilità|réponses?|respuestas?|risposta|presente|présent|aanwezig|beschikbaar|antwoord(?:en)?|reactie|code|svar|finns|findes|disponível|resposta|dostępn\p{L}+|odpowiedź)\b/u,
);
const commentHeading = anyAlphabet(
  /\b(?:comments?|remarks?|notes?|anmerkung(?:en)?|bemerkung(?:en)?|kommentar(?:er)?|observations?|remarques?|commentaires?|observaciones|obs\.?|comentarios?|comentários?|observações|opmerking(?:en)?|toelichting|uwagi|komentarz\p{L}{0,2}|osservazioni|note|anmärkning(?:ar)?|bemærkning(?:er)?|poznámk\p{L}+)\b/u,
);
const dateHeading = anyAlphabet(/\b(?:valid(?:ity)?|expir\S*|date|datum|fecha|data|dato|gültig\S*|geldig\S*)\b/u);

interface Columns {
  readonly title: Cell;
  readonly status: Cell | undefined;
  readonly remarks: readonly Cell[];
  readonly isOnDocuments: boolean;
}

/** Entries of tables with a title column; if there are none, numbered or bulleted lines. */
export function findEntries(document: Document): Entry[] {
  const codes = legendOf(document.text);
  const found = entriesOfTables(document.tables, codes);
  return (found.length > 1 ? found : [...found, ...entriesOfLines(document, codes)]).slice(0, entriesMax);
}

/** Entries of tables of documents that have a status. */
export function findTableEntries(document: Document): Entry[] {
  return entriesOfTables(document.tables, legendOf(document.text), ({ isOnDocuments }) => isOnDocuments).slice(
    0,
    entriesMax,
  );
}

function entriesOfTables(
  tables: readonly Table[],
  codes: ReadonlyMap<string, EntryStatus>,
  isRead: (columns: Columns) => boolean = () => true,
): Entry[] {
  const entries: Entry[] = [];
  let columns: Columns | undefined;
  let end = -1;
  for (const table of tables) {
    // A table that continues directly below has the headings of the one above.
    if (table.start - end > 3) columns = undefined;
    end = table.end;
    for (const cells of [
      ...table.headerRows,
      ...table.rows.map((row) => row.cells.filter((cell) => cell !== undefined)),
    ]) {
      const heading = columnsOf(cells);
      if (heading !== undefined) columns = heading;
      else if (columns !== undefined && cells.length > 1 && isRead(columns))
        entries.push(...entryOf(cells, columns, codes));
    }
  }
  return entries;
}

function columnsOf(cells: readonly Cell[]): Columns | undefined {
  if (cells.length < 2 || cells.some(({ text }) => text.length > 50)) return undefined;
  const status =
    cells.find(({ text }) => statusHeading.test(text) && text.length <= 24) ??
    cells.find(({ text }) => answerHeading.test(text) && text.length <= 24);
  const isTitle = (cell: Cell) =>
    cell !== status &&
    titleHeading.test(cell.text) &&
    !commentHeading.test(cell.text) &&
    !answerHeading.test(cell.text);
  const title = cells.find((cell) => isTitle(cell) && documentHeading.test(cell.text)) ?? cells.find(isTitle);
  if (title === undefined) return undefined;
  const remarks = cells.filter(
    (cell) => cell !== status && cell !== title && (commentHeading.test(cell.text) || answerHeading.test(cell.text)),
  );
  const isIndex = status !== undefined || remarks.length > 0 || cells.some(({ text }) => dateHeading.test(text));
  return isIndex ? { title, status, remarks, isOnDocuments: documentHeading.test(title.text) } : undefined;
}

function entryOf(
  cells: readonly Cell[],
  { title, status, remarks }: Columns,
  codes: ReadonlyMap<string, EntryStatus>,
): Entry[] {
  const under = (heading: Cell | undefined) =>
    heading === undefined ? undefined : cells.find(({ from, to }) => from < heading.to && to > heading.from);
  const named = under(title);
  const isHead = cells[0] === named && cells.length < 2;
  if (named === undefined || isHead || !/\p{L}{2}/u.test(named.text) || /\?\s*$/.test(named.text)) return [];
  const shown = under(status)?.text ?? '';
  const remark = remarks.map((heading) => under(heading)?.text ?? '').join('. ');
  const given = codes.get(shown.trim().toLowerCase()) ?? statusIn(shown);
  const read = statusWithRemark(given, remark);
  // An empty status cell without a remark does not determine the status of its row.
  if (status !== undefined && shown === '' && read === undefined) return [];
  return [
    {
      title: named.text.slice(0, 160),
      status: read ?? 'present',
      isStated: read !== undefined,
      start: cells[0]!.start,
      end: cells.at(-1)!.end,
    },
  ];
}
