/** The entries of a data room's index or of a request list, each with the status that the index gives it. */
import type { Document } from '../../document/document.ts';
import type { Cell } from '../../document/table.ts';
import { splitLines } from '../text/lines.ts';
import type { Range } from '../text/span.ts';

export type EntryStatus = 'present' | 'missing' | 'partial' | 'expired' | 'not-applicable';

export interface Entry extends Range {
  readonly title: string;
  readonly status: EntryStatus;
}

/** More are not read. */
const entriesMax = 600;

/** Checked in this order: "not uploaded" and "unsigned" come before "uploaded" and "signed". */
const statusWords: readonly (readonly [EntryStatus, RegExp])[] = [
  [
    'not-applicable',
    /(?<!\p{L})(?:n\/a|n\.a\.|not applicable|does not exist|none exists?|no such document|entfällt|nicht (?:zutreffend|anwendbar|einschlägig)|sans objet|non applicable|no aplica(?:ble)?|no procede|n\.?v\.?t|niet van toepassing|nie dotyczy|non (?:applicabile|pertinente))(?!\p{L})/iu,
  ],
  [
    'expired',
    /(?<!\p{L})(?:expired|lapsed|out of date|outdated|no longer valid|abgelaufen|ausgelaufen|expirée?|périmée?|échue?|caducad[oa]|vencid[oa]|verlopen|utracił\p{L}{0,2} ważność|nieaktualn\p{L}{1,2}|wygas\p{L}{1,4}|nieważn\p{L}{1,2}|scadut[oaie])(?!\p{L})/iu,
  ],
  [
    'partial',
    /(?<!\p{L})(?:partial(?:ly)?|partly|in part|draft|unsigned|not (?:yet )?(?:fully )?(?:signed|executed)|incomplete|redacted|entwurf|teilweise|unvollständig|nicht unterzeichnet|partiel(?:le)?(?:ment)?|projet|brouillon|non signée?|incompl[eè]te?|incomplet[oa]|borrador|parcial(?:mente)?|sin firmar|concept|gedeeltelijk|onvolledig|niet (?:ge|onder)tekend|projekt|niepodpisan\p{L}{1,2}|bez podpisów?|częściow\p{L}{1,2}|niekompletn\p{L}{1,2}|bozza|parzial[ei]|non firmat[oaie])(?!\p{L})/iu,
  ],
  [
    'missing',
    /(?<!\p{L})(?:missing|outstanding|not (?:yet )?(?:provided|received|uploaded|available|located|found|in (?:the )?data ?room)|requested|re-requested|pending|awaited|awaiting|to follow|to be (?:provided|uploaded)|tb[cd]|open|empty|fehlt|fehlend|ausstehend|steht aus|offen|angefordert|nachzureichen|wird nachgereicht|nicht (?:vorhanden|vorgelegt|eingestellt|verfügbar)|manquante?|à (?:fournir|venir|recevoir)|en attente|demandée?|non (?:fourni|reçu|communiqué|disponible|transmis)e?|pendientes?|falta(?:nte)?|solicitad[oa]|no (?:disponible|facilitad[oa]|aportad[oa]|recibid[oa])|ontbreekt|ontbrekend|opgevraagd|(?:nog )?niet (?:ontvangen|beschikbaar|verstrekt|aanwezig|geüpload)|openstaand|volgt|nie (?:zamieszcz|przekaz|udostępni|dostarcz)on[oaey]|brak(?:uje)?|oczekiwan\p{L}{1,2}|mancant[ei]|manca|non (?:caricat|fornit|ricevut|prodott)[oaie]|non disponibil[ei]|da (?:fornire|caricare|integrare|produrre)|richiest[oaie]|in attesa|no|nein|non|nee)(?!\p{L})/iu,
  ],
  [
    'present',
    /(?<!\p{L})(?:present|uploaded|provided|available|received|complete(?:d)?|yes|final|executed|signed|in (?:the )?data ?room|delivered|disclosed|vorhanden|eingestellt|liegt vor|vorgelegt|vollständig|hochgeladen|verfügbar|ja|fournie?|disponible|oui|présente?|reçue?|transmise?|communiquée?|complet|facilitad[oa]|sí|recibid[oa]|subid[oa]|aportad[oa]|complet[oa]|aanwezig|ontvangen|geüpload|verstrekt|beschikbaar|zamieszczon[oaey]|udostępnion[oaey]|przekazan[oaey]|dostarczon[oaey]|caricat[oaie]|fornit[oaie]|ricevut[oaie]|prodott[oaie]|sì|tak|ok|erledigt|close[d]?)(?!\p{L})|[✓✔☑]/iu,
  ],
];
const crossed = /[✗✘☒❌○]/u;

export function statusIn(text: string): EntryStatus | undefined {
  if (crossed.test(text)) return 'missing';
  return statusWords.find(([, words]) => words.test(text))?.[0];
}

const titleHeading =
  /(?<!\p{L})(?:documents?|title|items?|description|file(?:name)?|name|request|information|dokument|unterlagen?|bezeichnung|titel|gegenstand|inhalt|pièces?|intitulé|désignation|documentos?|título|descripción|stuk(?:ken)?|omschrijving|onderwerp|nazwa|dokumentu|tytuł|opis|documento|titolo|descrizione|oggetto)(?!\p{L})/iu;
const statusHeading =
  /(?<!\p{L})(?:st\.?|status|state|stand|bearbeitungsstand|état|statut|estado|situación|stan|stato|our view)(?!\p{L})/iu;
/** Columns that tell how an entry stands where there is no status: what somebody answered, or that it is there. */
const answerHeading =
  /(?<!\p{L})(?:available|availability|provided|received|uploaded|responses?|answers?|reply|verfügbar|vorhanden|antwort(?:en)?|disponible|disponibilité|réponses?|respuestas?|aanwezig|beschikbaar|antwoord(?:en)?|reactie|code)(?!\p{L})/iu;
const commentHeading =
  /(?<!\p{L})(?:comments?|remarks?|notes?|anmerkung(?:en)?|bemerkung(?:en)?|kommentar|observations?|remarques?|commentaires?|observaciones|comentarios?|opmerking(?:en)?|uwagi|komentarz\p{L}{0,2}|osservazioni)(?!\p{L})/iu;
const dateHeading = /(?<!\p{L})(?:valid(?:ity)?|expir\S*|date|datum|fecha|gültig\S*|geldig\S*)(?!\p{L})/iu;

interface Columns {
  readonly title: Cell;
  readonly status: Cell | undefined;
  readonly comment: Cell | undefined;
}

/** Entries of tables with a title column; if there are none, numbered or bulleted lines. */
export function findEntries(document: Document): Entry[] {
  const codes = legendOf(document.text);
  const found = entriesOfTables(document, codes);
  return (found.length > 1 ? found : [...found, ...entriesOfLines(document, codes)]).slice(0, entriesMax);
}

/** Entries of tables with a title column and a status. */
export function findTableEntries(document: Document): Entry[] {
  return entriesOfTables(document, legendOf(document.text)).slice(0, entriesMax);
}

/** "U uploaded · O outstanding", "A = available; M = missing". */
function legendOf(text: string): Map<string, EntryStatus> {
  const codes = new Map<string, EntryStatus>();
  const boxes = new Map<string, EntryStatus>();
  for (const { start, end } of splitLines(text)) {
    if (end - start > 600) continue;
    const found = new Map<string, EntryStatus>();
    for (const match of text
      .slice(start, end)
      .matchAll(
        /(?<![\p{L}\p{N}/])(\p{Lu}{1,2}|[nN]\/[aA]|[xX+○●◐✓✔✗✘–-]|[0-9])["”)\]]?\s?(?:[=:]|[–-]|means)?\s{1,3}([\p{L}][\p{L} /-]{2,40})/gu,
      )) {
      const status = statusIn(match[2]!);
      if (status !== undefined) found.set(match[1]!.toLowerCase(), status);
    }
    // "[x] uploaded  [ ] missing  [~] draft".
    for (const match of text
      .slice(start, end)
      .matchAll(/\[([^\]\n]{0,4})\]\s?[=:–-]?\s?([\p{L}][\p{L} /.()-]{1,60}?)(?=\s{2,}|\s*\[|[,;·|]|$)/gu)) {
      const status = statusIn(match[2]!);
      if (status !== undefined) boxes.set(`[${match[1]!.trim().toLowerCase()}]`, status);
    }
    if (found.size > 1) for (const [code, status] of found) codes.set(code, status);
  }
  if (boxes.size > 1) for (const [code, status] of boxes) codes.set(code, status);
  return codes;
}

function entriesOfTables({ tables }: Document, codes: ReadonlyMap<string, EntryStatus>): Entry[] {
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
      else if (columns !== undefined && cells.length > 1) entries.push(...entryOf(cells, columns, codes));
    }
  }
  return entries;
}

function columnsOf(cells: readonly Cell[]): Columns | undefined {
  if (cells.length < 2 || cells.some(({ text }) => text.length > 50)) return undefined;
  const status =
    cells.find(({ text }) => statusHeading.test(text) && text.length <= 24) ??
    cells.find(({ text }) => answerHeading.test(text) && text.length <= 24);
  const title = cells.find(
    (cell) =>
      cell !== status &&
      titleHeading.test(cell.text) &&
      !commentHeading.test(cell.text) &&
      !answerHeading.test(cell.text),
  );
  const comment = cells.find(
    (cell) => cell !== status && cell !== title && (commentHeading.test(cell.text) || answerHeading.test(cell.text)),
  );
  const known = [status, comment, cells.find(({ text }) => dateHeading.test(text))].filter(
    (cell) => cell !== undefined,
  );
  return title === undefined || known.length === 0 || (status === undefined && comment === undefined)
    ? undefined
    : { title, status, comment };
}

function entryOf(
  cells: readonly Cell[],
  { title, status, comment }: Columns,
  codes: ReadonlyMap<string, EntryStatus>,
): Entry[] {
  const under = (heading: Cell | undefined) =>
    heading === undefined ? undefined : cells.find(({ from, to }) => from < heading.to && to > heading.from);
  const named = under(title);
  const isHead = cells[0] === named && cells.length < 2;
  if (named === undefined || isHead || !/\p{L}{2}/u.test(named.text)) return [];
  const shown = under(status)?.text ?? '';
  const note = under(comment)?.text ?? '';
  const given =
    codes.get(shown.trim().toLowerCase()) ?? statusIn(shown) ?? (status === undefined ? statusIn(note) : undefined);
  // An empty status cell without a note does not determine the status of its row.
  if (status !== undefined && shown === '' && statusIn(note) === undefined) return [];
  return [
    {
      title: named.text.slice(0, 160),
      status: given ?? statusIn(note) ?? 'present',
      start: cells[0]!.start,
      end: cells.at(-1)!.end,
    },
  ];
}

/** "├── ", "│  > ": the branches of a tree. */
const branches = /^[ \t]*[├└│╠╚║|+`][ \t├└│─═╠╚║|+`-]*(?=[\p{L}\p{N}>[(])/u;
const lineShape =
  /^[ \t]*(?:[[(]([ xX✓✔✗✘–-]?)[\])][ \t]*)?((?:\p{L}\.?)?\d{1,3}(?:\.\d{1,3}){1,4}\.?|\d{1,3}[.)]|[-*•–▪]|\(?\p{L}[.)]|[✓✔✗✘☑☒])?[ \t]+(\p{L}[^\n]{3,240})$/u;
const divider = /\s{3,}|\t|\.{3,}|\s[–—|→-]{1,2}\s|:\s|;\s|\s(?=[([][^()[\]]{1,60}[)\]]\s*$)/;

function entriesOfLines({ text }: Document, codes: ReadonlyMap<string, EntryStatus>): Entry[] {
  const lines = splitLines(text).flatMap(({ start, end }) => {
    if (end - start > 260) return [];
    const match = lineShape.exec(` ${text.slice(start, end).replace(branches, '')}`);
    return match === null || (match[1] === undefined && match[2] === undefined)
      ? []
      : [{ start, end, box: match[1], mark: match[2] ?? '', rest: match[3]! }];
  });
  const isDeep = lines.some(({ mark }) => /\d\.\d/.test(mark));
  return lines.flatMap(({ start, end, box, mark, rest }) => {
    // If entries are numbered "1.1", a single number marks a chapter.
    if (isDeep && box === undefined && !/\d\.\d/.test(mark)) return [];
    const cut = divider.exec(rest);
    const title = (cut === null ? rest : rest.slice(0, cut.index)).trim();
    const note = cut === null ? '' : rest.slice(cut.index + cut[0].length);
    const boxCode = /\[([^\]\n]{0,4})\]/.exec(note)?.[1];
    const code =
      (boxCode === undefined ? undefined : codes.get(`[${boxCode.trim().toLowerCase()}]`)) ??
      codes.get(
        note
          .trim()
          .replace(/^[([]|[)\]]$/g, '')
          .toLowerCase(),
      ) ??
      codes.get(note.trim().split(/\s/, 1)[0]!.toLowerCase());
    const boxed = box === undefined ? undefined : box.trim() === '' || /[✗✘–-]/.test(box) ? 'missing' : 'present';
    const status = code ?? statusIn(`${mark} ${note}`) ?? boxed ?? 'present';
    return title.length < 3 || (/[.;]$/.test(rest) && rest.split(' ').length > 14)
      ? []
      : [{ title, status, start, end }];
  });
}
