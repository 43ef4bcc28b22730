/**
 * Parts of a record that say nothing of its patient: rows of another patient or of control material, rows that a later row
 * replaces, and remarks about another bed.
 */
import type { Document } from '../../document/document.ts';
import type { Row, Table } from '../../document/table.ts';
import { oncePer } from '../text/once-per.ts';
import { rangeAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

export function isForeign(document: Document, position: number): boolean {
  return rangeAt(foreignParts(document), position) !== undefined;
}

const foreignParts = oncePer((document: Document): readonly Range[] =>
  [...document.tables.flatMap((table) => foreignRows(document, table)), ...otherBeds(document.text)].sort(
    (one, other) => one.start - other.start,
  ),
);

const titles = {
  patient:
    /^(?:mrn|(?:pat(?:ient\p{L}{0,2})?|person|hosp(?:ital)?|nhs|utente|paziente|paciente|pacjent|pacient|resident\p{L}?)[ ._-]{0,2}(?:id|nr|no|num(?:ber|ero|éro)?|name|nummer|kennung|code)?\.?|pid|nhc|cip|pesel|fallnummer|fall-?nr\.?|case[ _]?(?:id|no)|subject(?:[ _]?id)?|numéro de patient|n° patient)$/iu,
  state: /^(?:(?:result|befund)?[ _-]?(?:status|state)|stav|statut|stato|estado|stan|befundstatus|res_?stat)$/iu,
  test: /^(?:test|analyte?|analyt|parameter|name|component|component name|untersuchung|bestimmung|prueba|esame|examen|analyse|badanie|bepaling|analys|quantity|measurement|(?:test|analyte|code|parameter|component)[ _]?(?:name|code|description)|bezeichnung|determinación|libell[ée])$/iu,
  time: /collect|sampled|drawn|taken|date|datum|abnahme|entnahme|prélèv|fecha|data|afname|pobrani|provtag|prøve|accession|sample|specimen|probe|auftrag|muestra|campione|échantillon|materiał|monster/iu,
};
const preliminary =
  /^(?:p|prelim\p{L}*|vorl\p{L}*|prov\p{L}*|partial|teil\p{L}*|provisoir\p{L}*|preliminar\p{L}*|wstępn\p{L}*|voorlopig)$/iu;
const withdrawn =
  /^(?:x|w|d|cancel\p{L}*|withdrawn|deleted|entered in error|error|superseded|replaced|storn\p{L}*|annul\p{L}*|anulad\p{L}*|ersetzt|geannuleerd|anulowan\p{L}*)$/iu;
const replacing =
  /^(?:c|cor\p{L}*|amend\p{L}*|f|final\p{L}*|x|cancel\p{L}*|korr\p{L}*|endg\p{L}*|rectif\p{L}*|definiti\p{L}*|corr\p{L}*|korekta|gecorrigeerd|rättad)$/iu;
const correcting = /^(?:c|cor\p{L}*|amend\p{L}*|korr\p{L}*|rectif\p{L}*|korekta|gecorrigeerd|rättad)$/iu;

function foreignRows({ text }: Document, table: Table): Row[] {
  const heads = table.columns.map(({ headerCells }) => headerCells.at(-1)?.text.trim() ?? '');
  const column = (shape: RegExp) => {
    const at = heads.findIndex((title) => shape.test(title));
    return at === -1 ? undefined : at;
  };
  return [
    ...rowsOfOthers(text, table, column(titles.patient)),
    ...replacedRows(table, heads, column(titles.state), column(titles.test)),
  ];
}

/** Rows whose patient is not the one of most rows. */
function rowsOfOthers(text: string, { rows, start }: Table, column: number | undefined): Row[] {
  if (column === undefined) return [];
  const ids = Map.groupBy(rows, ({ cells }) => cells[column]?.text.trim() ?? '');
  ids.delete('');
  if (ids.size < 2) return [];
  const head = text.slice(Math.max(0, start - headMax), start);
  const named = [...ids.keys()].filter((id) => head.includes(id));
  const [first, second] = [...ids].sort(([, one], [, other]) => other.length - one.length);
  const own = named.length === 1 ? named[0] : first![1].length > second![1].length ? first![0] : undefined;
  // A list of several patients is not the record of one.
  return own === undefined ? [] : [...ids].flatMap(([id, list]) => (id === own ? [] : list));
}

const headMax = 1_500;

/** Preliminary and withdrawn results of which the same sample has a later one, and those that say so themselves. */
function replacedRows(
  { rows }: Table,
  heads: readonly string[],
  state: number | undefined,
  test: number | undefined,
): Row[] {
  if (state === undefined || test === undefined) return [];
  const times = heads.flatMap((title, at) => (at !== state && at !== test && titles.time.test(title) ? [at] : []));
  const key = ({ cells }: Row) => [test, ...times].map((at) => cells[at]?.text.trim() ?? '').join('\t');
  const stateOf = ({ cells }: Row) => cells[state]?.text.trim() ?? '';
  return [...Map.groupBy(rows, key).values()].flatMap((list) => {
    const isReplaced = list.some((row) => replacing.test(stateOf(row)));
    const isCorrected = list.some((row) => correcting.test(stateOf(row)));
    return list.filter(
      (row) =>
        withdrawn.test(stateOf(row)) ||
        (isReplaced && preliminary.test(stateOf(row))) ||
        (isCorrected && !correcting.test(stateOf(row))),
    );
  });
}

const bed =
  /(?<!\p{L})(?:bed|bett|cama|lit|letto|säng|seng|łóżko|leito|bedplaats|zimmer|hab(?:itación|\.)|hab|room|kamer|stanza|chambre)[ .:#nr°º]{0,4}(\d{1,3}(?:[-/]?\p{Lu}(?!\p{L}))?)(?![\d/]|:\d)/giu;

/** "(Bed 12, covering until 07:30: 71 M …)" in the handover of bed 11: to the end of the bracket or the line. */
function otherBeds(text: string): Range[] {
  const own = new Map<string, string>();
  for (const match of text.slice(0, headMax).matchAll(bed))
    if (!own.has(labelOf(match))) own.set(labelOf(match), match[1]!);
  return [...text.matchAll(bed)].flatMap((match): Range[] => {
    const start = match.index;
    if ((own.get(labelOf(match)) ?? match[1]) === match[1]) return [];
    const before = text.slice(Math.max(0, start - 12), start);
    const isBracket = /[([] ?$/u.test(before);
    // A new place of the same patient is within a sentence: "moved to bed 4".
    if (!isBracket && !/(?:^|\n)[ \t>*•–-]{0,10}$/u.test(before)) return [];
    const close = isBracket ? text.slice(start, start + bracketMax).search(/[)\]]/) : -1;
    const line = text.indexOf('\n', start);
    return [{ start, end: close === -1 ? (line === -1 ? text.length : line) : start + close + 1 }];
  });
}

const labelOf = (match: RegExpExecArray): string => match[0].slice(0, match[0].search(/[ .:#\d]/)).toLowerCase();

const bracketMax = 500;
