/** Statements of clinical documents: sentences, list items and cells, across wrapped lines. */
import type { Document } from '../../document/document.ts';
import { isAbbreviation } from '../text/abbreviations.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

const known = new WeakMap<Document, readonly Range[]>();

/** In the order of the text. */
export function statementsOf(document: Document): readonly Range[] {
  const read = known.get(document);
  if (read !== undefined) return read;
  const statements: Range[] = [];
  let start = 0;
  const { text } = document;
  for (const match of text.matchAll(/[\n\t]|[.!?](?=[\s)"”]|$)/g)) {
    const at = match.index;
    if (!ends(text, at) && !(text[at] === '\n' && isInTable(document, at))) continue;
    statements.push({ start, end: at + 1 });
    start = at + 1;
  }
  statements.push({ start, end: text.length + 1 });
  known.set(document, statements);
  return statements;
}

/** "V. a. Pneumonie", "Z. n. Sturz". */
const pairedAbbreviation = /(?<!\p{L})(?:v\. ?a|z\. ?n|st\. ?[np])$/iu;

/** A row of a table ends its statement, also where it has one cell only. */
function isInTable({ tables }: Document, at: number): boolean {
  const table = tables[indexAt(tables, at) ?? -1];
  return table !== undefined && at < table.end;
}

export function statementAt(document: Document, position: number): Range {
  const statements = statementsOf(document);
  return statements[indexAt(statements, position) ?? 0]!;
}

function ends(text: string, at: number): boolean {
  const mark = text[at]!;
  if (mark === '\t') return true;
  if (mark === '\n') return endsAtLine(text, at);
  if (mark !== '.' || pairedAbbreviation.test(text.slice(Math.max(0, at - 6), at))) return mark !== '.';
  const after = text.slice(at + 1, at + 24);
  const word = /[^\s(]{1,16}$/.exec(text.slice(Math.max(0, at - 16), at))?.[0] ?? '';
  if (/^\s{0,8}\p{Ll}/u.test(after))
    return !/^[\p{L}.]{1,6}$/u.test(word) && !isAbbreviation(word) && !/^\d/.test(word);
  if (isAbbreviation(word) && !/^(?:no|[A-Z])$/.test(word)) return /\n\s*(?:\d|[-*•])/.test(after.slice(0, 12));
  // "1. Scope", "11. 2. 2025".
  return !/^(?:\d{1,2}|[A-Z])$/.test(word) || /^\s{0,4}$/.test(after) || !/^\s(?:\p{Lu}|\d)/u.test(after)
    ? true
    : !isNumbering(text, at, word);
}

function isNumbering(text: string, at: number, word: string): boolean {
  const before = text.slice(Math.max(0, at - word.length - 4), at - word.length);
  return (
    /(?:^|[\n\t.])[ ]{0,4}$/.test(before) ||
    /^[ ]\d{1,2}\.[ ]?\d{4}/.test(text.slice(at + 1, at + 12)) ||
    /^[A-Z]$/.test(word)
  );
}

/** Lines of at least this length may be wrapped. */
const wrappedMin = 48;

const openEnd =
  /(?:[,(–/-]|(?<!\p{L})(?:and|or|of|the|a|an|in|on|with|without|no|not|for|to|by|from|her|his|at|und|oder|der|die|das|des|ein|eine|einer|kein|keine|keinen|mit|ohne|bei|von|vom|am|im|et|ou|de|du|des|la|le|les|un|une|sans|ni|par|pour|en|au|aux|del|al|con|sin|y|el|los|las|di|della|del|dei|che|non|senza|e|il|van|het|een|met|zonder|geen|w|z|i|na|do|od|nie|bez|da|com|sem))\s*$/iu;

/** "Vitals on discharge (07/03/2026): …", a line of its own also below a long one. */
const datedLabel =
  /^[ ]{0,40}\p{Lu}[\p{L} /&.'-]{0,40}(?:\((?=[^()\n]{0,12}\d)[^()\n]{1,24}\)|\d{1,4}[./-]\d{1,2}[./-]\d{2,4})[ \u00a0]?:(?!\d)/u;
/** Entries of a chart. */
const datedLine = /^[ ]{0,8}(?:[-*•] )?\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?!\d)/u;

function endsAtLine(text: string, at: number): boolean {
  const lineStart = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 400);
  const line = text.slice(lineStart, at);
  const next = text.slice(at + 1, at + 60);
  // A row of a table says nothing of the next one.
  const nextEnd = text.indexOf('\n', at + 1);
  if (line.includes('\t') || text.slice(at + 1, nextEnd === -1 ? at + 400 : Math.min(nextEnd, at + 400)).includes('\t'))
    return true;
  if (line.trim() === '' || /^[ \t]{0,40}(?:\n|$)/.test(next)) return true;
  if (/^[ \t]{0,40}(?:[-*•–>#▪◦] ?|\d{1,2}[.)] |\[[ x]\])/i.test(next)) return true;
  if (/^[ ]{0,40}[\p{L}][\p{L} /&.'-]{0,32}[ \u00a0]?:/u.test(next) && /[.:]\s*$/.test(line)) return true;
  if (openEnd.test(line.slice(-24))) return false;
  if (datedLabel.test(next) || (datedLine.test(line) && datedLine.test(next))) return true;
  return !(/^[ ]{0,40}[\p{Ll}(]/u.test(next) || line.length >= wrappedMin);
}
