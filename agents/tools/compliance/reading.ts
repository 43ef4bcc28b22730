/**
 * A document as the tools of compliance read it: clauses (a sentence, or a part of it between semicolons) with the heading over them,
 * and rows of registers with the part that each cell plays. Built once per document.
 */
import { type Document, type DocumentSource, readDocument } from '../../document/document.ts';
import { type FoundDuration, findDurations } from '../text/durations.ts';
import { findPhrases, type PhraseList, type PhraseMatch } from '../text/phrases.ts';
import { splitSentences } from '../text/sentences.ts';
import type { Range, Span } from '../text/span.ts';
import { splitWords, type Word } from '../text/words.ts';
import { flatten } from './flat-text.ts';
import { type Language, languageOf } from './languages.ts';
import { type DocumentPart, type Paragraph, paragraphsOf } from './paragraphs.ts';
import { questionsAndAnswers } from './questions.ts';
import { stackedRows } from './record-rows.ts';
import { type RegisterRow, RowReader } from './register-rows.ts';

/** Offsets are those of the plain text of the document. */
export interface Clause extends Range {
  /** As long as the range: line breaks are blanks, words divided at a line's end are joined, elided articles stand alone. */
  readonly text: string;
  readonly words: readonly Word[];
  /** In the clause's own text. */
  readonly durations: readonly FoundDuration[];
  /** The nearest heading with a title. */
  readonly heading: string;
  /** The label of its line: "Review" in "Review: yearly". */
  readonly label?: string;
  /** Clauses of one paragraph, item or cell have the same number. */
  readonly block: number;
  readonly sentence: number;
  readonly row?: RegisterRow;
}

export interface Reading {
  readonly document: Document;
  readonly language: Language;
  readonly clauses: readonly Clause[];
  readonly rows: readonly RegisterRow[];
  /** Those of the rows that are blocks of fields. */
  readonly records: readonly RegisterRow[];
  /** The plain text in the form of `Clause.text`. */
  readonly flat: string;
  spanOf(range: Range): Span;
}

const readings = new WeakMap<DocumentSource, Reading>();

/** @returns the same reading for the same object */
export function readingOf(source: DocumentSource): Reading {
  const known = readings.get(source);
  if (known !== undefined) return known;
  const reading = buildReading(readDocument(source), source.text);
  readings.set(source, reading);
  return reading;
}

const found = new WeakMap<object, WeakMap<object, readonly PhraseMatch<unknown>[]>>();

/** Phrases of a list in a clause; their offsets are those of the clause's text. Each list is looked for once. */
export function phrasesIn<Label>(
  clause: Pick<Clause, 'words'>,
  list: PhraseList<Label>,
): readonly PhraseMatch<Label>[] {
  let ofList = found.get(list);
  if (ofList === undefined) {
    ofList = new WeakMap();
    found.set(list, ofList);
  }
  const known = ofList.get(clause) as readonly PhraseMatch<Label>[] | undefined;
  if (known !== undefined) return known;
  const matches = findPhrases(clause.words, list);
  ofList.set(clause, matches);
  return matches;
}

/** Longer clauses are machine output; what follows is not read. */
const clauseCharactersMax = 2_000;

function buildReading(document: Document, source: string): Reading {
  const flat = flatten(document.text);
  const clauses: Clause[] = [];
  const rows = new RowReader(document, source, flat);
  let heading = '';
  let section = '';
  let block = 0;
  let sentence = 0;
  const add = (range: Range, given: Pick<Clause, 'label'>) => {
    block += 1;
    const sentences = sentencesOf(flat, range);
    const runIn = runInHeading(flat, sentences);
    // A paragraph that begins as an example or an extract of a standard is one to its end.
    const opening = asideOpening.exec(flat.slice(range.start, range.start + 120))?.[1];
    const more = opening === undefined ? given : { label: opening };
    for (const [nth, part] of sentences.entries()) {
      sentence += 1;
      const over = nth > 0 && runIn !== undefined ? runIn : heading;
      // A later sentence with its own label does not take the label of the paragraph.
      const isOwn = nth > 0 && opening === undefined && ownLabel.test(flat.slice(part.start, part.start + 60));
      for (const each of partsOf(flat, part))
        clauses.push(
          clauseOf(flat.slice(each.start, each.end), each, { heading: over, block, sentence, ...(isOwn ? {} : more) }),
        );
    }
  };
  const addRow = (row: RegisterRow) => {
    const label = labelOfPair(row);
    for (const [nth, cell] of row.cells.entries()) {
      block += 1;
      const more = nth === 1 && label !== undefined ? { label } : {};
      for (const part of sentencesOf(cell.text, { start: 0, end: cell.text.length })) {
        sentence += 1;
        for (const each of partsOf(cell.text, part))
          clauses.push(
            clauseOf(cell.text.slice(each.start, each.end), cell, { heading, block, sentence, row, ...more }),
          );
      }
    }
  };
  let above: Paragraph | undefined;
  const parts = [...questionsAndAnswers(paragraphsOf(document), flat)];
  for (const [index, part] of parts.entries()) {
    const labelled =
      above === undefined || above.title !== undefined || 'table' in part || 'answer' in part
        ? undefined
        : hangingLabel(document.text, above, part);
    above = 'table' in part || 'answer' in part ? undefined : part;
    if ('answer' in part) {
      addRow(rows.readPair(part, part.answer, heading));
      continue;
    }
    if ('table' in part) {
      for (const row of rows.read(part.table, heading)) {
        heading = row.title ?? row.heading;
        addRow(row);
      }
      continue;
    }
    if (part.title !== undefined && part.title !== '') {
      heading = part.title;
      section = heading;
      rows.endTable();
    }
    const label = part.label ?? labelled;
    const caption =
      part.title === undefined && label === undefined ? captionOf(document.text, part, parts[index + 1]) : undefined;
    if (caption !== undefined) {
      // The list below a sentence belongs to the section, too.
      heading = section === '' ? caption : `${section}: ${caption}`;
      rows.endTable();
    }
    add(part, label === undefined ? {} : { label });
  }
  const records = stackedRows(document.text);
  return {
    document,
    language: languageOf(flat),
    clauses,
    rows: [...rows.all, ...records],
    records,
    flat,
    spanOf: (range) => document.spanOf(range),
  };
}

/** "Retention" on a line of its own, directly above a list or a table, is their heading. */
function captionOf(text: string, part: Paragraph, next: DocumentPart | undefined): string | undefined {
  if (next === undefined || part.end - part.start > captionCharactersMax) return undefined;
  const shown = text.slice(part.start, part.end).trim();
  if (!/^\p{Lu}[\p{L}\d &/,'’()-]{3,60}:?$/u.test(shown) || shown.split(/\s+/).length > captionWordsMax)
    return undefined;
  const start = 'table' in next ? next.table.start : next.start;
  const isBelow = text.slice(part.end, start).split('\n').length <= 3;
  const isList = 'table' in next || /^\s{0,8}(?:[-*•–]|\(?[a-z\d]{1,2}[.)])\s/u.test(text.slice(start, start + 14));
  return isBelow && isList ? shown.replace(/:$/, '') : undefined;
}

const captionCharactersMax = 60;
const captionWordsMax = 7;

/** "Breach. We notify you …", "3. REPORTING. Business Associate shall …": a few words that open a paragraph are its heading. */
function runInHeading(flat: string, [first, ...rest]: readonly Range[]): string | undefined {
  if (first === undefined || rest.length === 0 || first.end - first.start > 60) return undefined;
  const match =
    /^[\s*_]{0,6}(?:\(?[\dA-Za-z]{1,2}(?:\.\d{1,2}){0,3}[.)]?\s{1,6})?([^.:;!?\d]{3,48})[.?][\s*_]{0,4}$/u.exec(
      flat.slice(first.start, first.end),
    );
  const title = match?.[1]?.trim();
  return title !== undefined && /^\p{Lu}/u.test(title) && title.split(' ').length <= 5 ? title : undefined;
}

/** Words that introduce text which the document does not state itself: an example, an extract, a note on the form. */
const asideOpening =
  /^[\s[(>*_]{0,8}((?:requirement text|text of the requirement|extract from|excerpt|model forms?|form note|note on the form|change history|revision history|changes since|previous version|former version|instructions?|for example|example|sample|beispiel|muster|auszug aus|hinweis zum formular|exemple|extrait|modèle|ejemplo|extracto|modelo|esempio|estratto|voorbeeld|uittreksel|exemplo|extrato|przykład|exempel)(?!\p{L})[^:]{0,60}):/iu;

/** "Start of the breach" on a line of its own, and its value, indented, on the line below. */
function hangingLabel(text: string, above: Range, { start }: Range): string | undefined {
  const label = text.slice(above.start, above.end).trim();
  const gap = text.slice(above.end, start);
  if (gap.length > 40 || !/^\p{L}[^.;!?]{2,58}$/u.test(label) || /\d{3}/.test(label)) return undefined;
  const from = text.slice(Math.max(0, above.start - 40), above.start);
  const indentation = above.start === 0 ? 0 : /[ ]{0,40}$/.exec(from)![0].length;
  const lines = gap.split('\n');
  return lines.length === 2 && lines[1]!.length >= indentation + 2 ? label.replace(/\s?:$/, '') : undefined;
}

/** The first of two cells without names of columns: "Review cycle | Annual". */
function labelOfPair({ cells, columns }: RegisterRow): string | undefined {
  const [label] = cells;
  return columns.length === 0 &&
    cells.length === 2 &&
    label !== undefined &&
    /^\p{L}[^.;:?!]{1,48}:?$/u.test(label.text)
    ? label.text.replace(/\s?:$/, '')
    : undefined;
}

const ownLabel = /^[#>*\s]{0,6}(\p{L}[\p{L} /-]{2,40}):\s/u;

function clauseOf(
  whole: string,
  { start, end }: Range,
  context: Pick<Clause, 'heading' | 'block' | 'sentence' | 'label' | 'row'>,
): Clause {
  const text = whole.slice(0, clauseCharactersMax);
  const label = context.label ?? ownLabel.exec(text.slice(0, 60))?.[1];
  let words: readonly Word[] | undefined;
  let durations: readonly FoundDuration[] | undefined;
  return {
    start,
    end,
    ...context,
    ...(label === undefined ? {} : { label }),
    text,
    get words() {
      words ??= splitWords(text);
      return words;
    },
    get durations() {
      durations ??= findDurations(text, this.words);
      return durations;
    },
  };
}

function sentencesOf(flat: string, { start: from, end: to }: Range): Range[] {
  const sentences: Range[] = [];
  for (const { start, end } of splitSentences(flat.slice(from, to))) {
    const last = sentences.at(-1);
    // "Acme Clinic, P.C. ("Covered Entity") and …" is one sentence.
    if (last !== undefined && /^\(["“„«]/.test(flat.slice(from + start, from + start + 2)))
      sentences[sentences.length - 1] = { start: last.start, end: end + from };
    else sentences.push({ start: start + from, end: end + from });
  }
  return sentences.flatMap((range) => dividedAtLetters(flat, range));
}

/** "… in Appendix C. Some customers …": a letter that names a part is no initial. */
function dividedAtLetters(flat: string, { start, end }: Range): Range[] {
  const parts: Range[] = [];
  let from = start;
  for (const match of flat
    .slice(start, end)
    .matchAll(
      /(?:appendix|annex|annexe|anlage|anhang|anexo|allegato|bijlage|part|class|level) \p{Lu}\.(?= {1,3}\p{Lu}\p{Ll})/giu,
    )) {
    parts.push({ start: from, end: start + match.index + match[0].length });
    from = start + match.index + match[0].length;
  }
  return [...parts, { start: from, end }];
}

/** The parts of a sentence between semicolons outside parentheses. */
function partsOf(flat: string, { start, end }: Range): Range[] {
  const parts: Range[] = [];
  let from = start;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const character = flat[at];
    if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth = Math.max(0, depth - 1);
    else if (character === ';' && depth === 0) {
      if (at > from) parts.push({ start: from, end: at });
      from = at + 1;
    }
  }
  if (end > from) parts.push({ start: from, end });
  return parts;
}
